/** Files of the media library as completions of an element's source: offered by name, written as `media:ID`. */
import type { Completion } from '@codemirror/autocomplete';
import { call } from '../../frame/connection/call.ts';
import { mediaRows } from '../../../shared/api/media.ts';
import type { WindowMedia } from '../../../shared/api.ts';
import { fileSize } from '../../ui/format.ts';
import { say } from '../../ui/say.ts';
import { remembered } from './remembered-list.ts';

const files = remembered<readonly WindowMedia[]>(() => call(mediaRows.list), 5000, []);

/** Those that fit an element of this type; all for other types, none when the library can't be read. */
export async function mediaCompletions(type: string): Promise<readonly Completion[]> {
  const known = await files.load();
  const fitting = known.some(({ kind }) => kind === type)
    ? known.filter(({ kind }) => kind === type)
    : known;
  return fitting.map(({ name, source, kind, bytes }) => ({
    label: JSON.stringify(name),
    displayLabel: name,
    detail: say(`media.kind.${kind}`),
    info: `${source} · ${fileSize(bytes)}`,
    apply: JSON.stringify(source),
  }));
}
