/** A document on its way to a drawing process. */
import { writeFile } from 'node:fs/promises';
import { deskLimits } from '../../../shared/limits.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { contentOf, type JsonText } from '../../system/json-text.ts';
import type { SentDocument } from './engine-settings.ts';

/**
 * The document as messages contain it: a long one goes into a file, because a large message would block everyone.
 *
 * @param file Where to write it if needed; the caller removes it.
 */
export async function handOver(source: Source | JsonText, file: string): Promise<SentDocument> {
  const content = contentOf(source);
  if (typeof content === 'string' && content.length <= deskLimits.inlineCharacters) return content;
  await writeFile(file, content);
  return { file };
}
