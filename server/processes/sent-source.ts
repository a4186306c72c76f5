/** Reads the document of a message, in a worker. */
import { readFileSync } from 'node:fs';
import { RenderError } from '../../shared/engine/errors.ts';
import { isJsonObject, type Source } from '../../shared/renderscript/source.ts';
import type { SentDocument } from '../jobs/worker/engine-settings.ts';
import { sourceLost } from '../jobs/worker/protocol.ts';

/** @throws RenderError when it was damaged in storage. */
export function readSource(sent: SentDocument): Source {
  let source: unknown;
  try {
    source = JSON.parse(typeof sent === 'string' ? sent : readFileSync(sent.file, 'utf8'));
  } catch (error) {
    throw new RenderError('source_lost', sourceLost, { cause: String(error) });
  }
  if (!isJsonObject(source)) throw new RenderError('source_lost', sourceLost);
  return source;
}
