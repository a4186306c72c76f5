/** A document on its way to a process that draws. */
import { writeFile } from 'node:fs/promises';
import { deskLimits } from '../../../shared/limits.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { contentOf, type JsonText } from '../../json-text.ts';
import type { SentDocument } from './engine-settings.ts';

/**
 * The document as a message has it: a long one is a file, because making a message of it would hold up everybody.
 *
 * @param file Written when it is needed; whoever asks removes it.
 */
export async function handOver(source: Source | JsonText, file: string): Promise<SentDocument> {
  const content = contentOf(source);
  if (typeof content === 'string' && content.length <= deskLimits.inlineCharacters) return content;
  await writeFile(file, content);
  return { file };
}
