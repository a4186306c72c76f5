/**
 * JSON that stays text: an object of a request, or a stored document, too large to parse on the API's thread. It is
 * passed on, stored and sent as it is. A long one stays bytes: decoding megabytes takes as long as parsing them.
 */
import { deskLimits } from '../../shared/limits.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';

/** A text, or its UTF-8 bytes. */
export type TextContent = string | Uint8Array;

/** The text of a JSON object. Parsed when its value is first needed, then kept. */
export class JsonText {
  /** As it came. */
  readonly content: TextContent;
  readonly #keys: number | undefined;
  #value: JsonObject | undefined;

  /** @param content of a JSON object; the caller has made sure of that. @param keys of the object, where known. */
  constructor(content: TextContent, keys?: number) {
    this.content = content;
    this.#keys = keys;
  }

  /** Its characters, or as many bytes. */
  get length(): number {
    return this.content.length;
  }

  /** True if the API's thread may parse it. */
  get isShort(): boolean {
    return this.length <= deskLimits.inlineCharacters;
  }

  /** As a text; bytes are decoded at each call. */
  get text(): string {
    return plainText(this.content);
  }

  /** How many keys the object has. */
  get keys(): number {
    return this.#keys ?? Object.keys(this.value).length;
  }

  /** The object; the first call parses the text. */
  get value(): JsonObject {
    if (this.#value === undefined) {
      const value: unknown = JSON.parse(this.text);
      if (!isJsonObject(value)) throw new Error('unreachable: the text is not that of an object');
      this.#value = value;
    }
    return this.#value;
  }

  /** Called by `JSON.stringify`. */
  toJSON(): JsonObject {
    return this.value;
  }
}

/** Content as a text. */
export function plainText(content: TextContent): string {
  if (typeof content === 'string') return content;
  const { buffer, byteOffset, byteLength } = content;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** A text in the form that is cheapest to transfer to another thread: its own bytes, or the text itself if short. */
export function givable(text: string): TextContent {
  if (text.length <= deskLimits.inlineCharacters) return text;
  // Not from the pool, which can't be transferred.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** An object as its text, without parsing what is text already. */
export function contentOf(object: JsonObject | JsonText): TextContent {
  return object instanceof JsonText ? object.content : JSON.stringify(object);
}

/** An object as one that stays text. */
export function asText(object: JsonObject | JsonText): JsonText {
  return object instanceof JsonText ? object : new JsonText(JSON.stringify(object));
}

/** An object as a value. */
export function valueOf(object: JsonObject | JsonText): JsonObject {
  return object instanceof JsonText ? object.value : object;
}

/** True when both are the same text. */
export function isSameContent(one: TextContent, other: TextContent): boolean {
  if (typeof one === 'string' || typeof other === 'string') {
    return plainText(one) === plainText(other);
  }
  return Buffer.compare(one, other) === 0;
}

/**
 * An answer as JSON: an object, or a list of objects, whose fields may be `JsonText`. In parts: fields that came as
 * bytes stay bytes.
 */
export function answerParts(answer: object): TextContent[] {
  const parts: TextContent[] = [];
  /** Appends to the last part. */
  const say = (text: string): void => {
    const last = parts.at(-1);
    if (typeof last === 'string') parts[parts.length - 1] = last + text;
    else parts.push(text);
  };
  const add = (object: object): void => {
    say('{');
    let before = '';
    for (const [name, value] of Object.entries(object) as [string, unknown][]) {
      // The type omits that some values have no JSON.
      const content = (value instanceof JsonText ? value.content : JSON.stringify(value)) as
        TextContent | undefined;
      // Fields without a value are left out, as JSON.stringify does.
      if (content === undefined) continue;
      say(`${before}${JSON.stringify(name)}:`);
      if (typeof content === 'string') say(content);
      else parts.push(content);
      before = ',';
    }
    say('}');
  };
  if (!Array.isArray(answer)) {
    add(answer);
    return parts;
  }
  say('[');
  for (const [index, item] of (answer as readonly object[]).entries()) {
    if (index > 0) say(',');
    add(item);
  }
  say(']');
  return parts;
}

/** The same as a single text. */
export function answerText(answer: object): string {
  return answerParts(answer).map(plainText).join('');
}
