/** Sends answers that may be long in parts, without joining them into one text. */
import type { Response } from 'express';
import { answerParts, type TextContent } from '../system/json-text.ts';

/** Sends an object, or a list of objects, whose fields may be `JsonText`. Status and type are the caller's. */
export function sendAnswer(response: Response, answer: object): void {
  sendParts(response, answerParts(answer));
}

/** Sends texts and bytes, one after the other. */
export function sendParts(response: Response, parts: readonly TextContent[]): void {
  if (parts.every((part) => typeof part === 'string')) {
    response.send(parts.join(''));
    return;
  }
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  response.set('Content-Length', String(length));
  for (const part of parts) response.write(part);
  response.end();
}
