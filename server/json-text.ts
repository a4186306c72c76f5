/**
 * JSON that stays text: an object of a request, or a stored document, that is too large to be taken apart beside the API's
 * work. It is passed on, stored and answered as it is. A long one is bytes: making a text of megabytes would take as long as taking
 * it apart.
 */
import { deskLimits } from '../shared/limits.ts';
import { isJsonObject, type JsonObject } from '../shared/renderscript/source.ts';

/** Text as such, or its bytes in UTF-8. */
export type TextContent = string | Uint8Array;

/** The text of a JSON object. Its value is read when somebody asks for it, and kept. */
export class JsonText {
  /** As it came. */
  readonly content: TextContent;
  readonly #keys: number | undefined;
  #value: JsonObject | undefined;

  /** @param content of a JSON object; whoever makes one has made sure of that. @param keys of the object, where known. */
  constructor(content: TextContent, keys?: number) {
    this.content = content;
    this.#keys = keys;
  }

  /** Its characters, or as many bytes. */
  get length(): number {
    return this.content.length;
  }

  /** True while it may be taken apart beside the API. */
  get isShort(): boolean {
    return this.length <= deskLimits.inlineCharacters;
  }

  /** As a text; made anew each time of one that is bytes. */
  get text(): string {
    return plainText(this.content);
  }

  /** How many keys the object has. */
  get keys(): number {
    return this.#keys ?? Object.keys(this.value).length;
  }

  /** The object; reading it takes as long as the text is. */
  get value(): JsonObject {
    if (this.#value === undefined) {
      const value: unknown = JSON.parse(this.text);
      if (!isJsonObject(value)) throw new Error('unreachable: the text is not that of an object');
      this.#value = value;
    }
    return this.#value;
  }

  /** For `JSON.stringify`: the object. */
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

/** A text as what is cheap to give away to another thread: bytes of their own, of a short one the text itself. */
export function givable(text: string): TextContent {
  if (text.length <= deskLimits.inlineCharacters) return text;
  // Not of the pool: that can't be given away.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** An object as its text, without taking apart what is text already. */
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
 * An answer as JSON: an object, or a list of objects, whose fields may be texts. In parts, of which bytes are those of fields
 * as they came.
 */
export function answerParts(answer: object): TextContent[] {
  const parts: TextContent[] = [];
  /** Adds to the last part. */
  const say = (text: string): void => {
    const last = parts.at(-1);
    if (typeof last === 'string') parts[parts.length - 1] = last + text;
    else parts.push(text);
  };
  const add = (object: object): void => {
    say('{');
    let before = '';
    for (const [name, value] of Object.entries(object) as [string, unknown][]) {
      // The declaration leaves out that some values have no JSON.
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

/** The same as one text. */
export function answerText(answer: object): string {
  return answerParts(answer).map(plainText).join('');
}
