/**
 * JSON that stays text: an object of a request, or a stored document, that is too large to be taken apart beside the API's
 * work. It is passed on, stored and answered as it is.
 */
import { isJsonObject, type JsonObject } from '../shared/renderscript/source.ts';

/** The text of a JSON object. Its value is read when somebody asks for it, and kept. */
export class JsonText {
  readonly text: string;
  readonly #keys: number | undefined;
  #value: JsonObject | undefined;

  /** @param text of a JSON object; whoever makes one has made sure of that. @param keys of the object, where known. */
  constructor(text: string, keys?: number) {
    this.text = text;
    this.#keys = keys;
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

/** An object as its text, without taking apart what is text already. */
export function textOf(object: JsonObject | JsonText): string {
  return object instanceof JsonText ? object.text : JSON.stringify(object);
}

/** An object as one that stays text. */
export function asText(object: JsonObject | JsonText): JsonText {
  return object instanceof JsonText ? object : new JsonText(JSON.stringify(object));
}

/** An object as a value. */
export function valueOf(object: JsonObject | JsonText): JsonObject {
  return object instanceof JsonText ? object.value : object;
}

/**
 * An answer as JSON: an object, or a list of objects, whose fields may be texts.
 */
export function answerText(answer: object): string {
  if (Array.isArray(answer)) return `[${answer.map((item: object) => answerText(item)).join(',')}]`;
  const fields = Object.entries(answer).flatMap(([name, value]: [string, unknown]) => {
    // The declaration leaves out that some values have no JSON.
    const text = (value instanceof JsonText ? value.text : JSON.stringify(value)) as
      string | undefined;
    // Fields without a value are left out, as JSON.stringify does.
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${fields.join(',')}}`;
}
