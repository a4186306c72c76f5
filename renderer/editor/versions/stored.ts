/** The stored template in the form in which the editor compares it. Pure. */
import type { WindowTemplate } from '../../../shared/api.ts';
import type { Marker } from '../../../shared/markers.ts';
import type { Source } from '../../../shared/renderscript/source.ts';

/** A stored template; its document as the text that the editor begins with. */
export interface StoredText {
  readonly text: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly markers: readonly Marker[];
  /** ms since 1970. */
  readonly updatedAt: number;
}

/** The form in which a template is compared. */
export function storedText(
  { name, tags, updatedAt }: Pick<WindowTemplate, 'name' | 'tags' | 'updatedAt'>,
  source: Source,
  markers: readonly Marker[],
): StoredText {
  return { text: `${JSON.stringify(source, null, 2)}\n`, name, tags, markers, updatedAt };
}
