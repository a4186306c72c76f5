/** Names of saved files, by a pattern that the user can change. Pure. */
import type { WindowRender } from '../../shared/api.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { nameOf } from '../queue/display.ts';
import { shortId } from '../ui/format.ts';
import { say } from '../ui/say.ts';

/** The name under which the pattern is remembered. */
export const filePattern = 'filePattern';
export const usualPattern = '{name} {date}';

const two = (value: number): string => String(value).padStart(2, '0');

/** The value of each placeholder. */
const holes: Readonly<Record<string, (render: WindowRender, number: number) => string>> = {
  name: nameOf,
  template: (render) => render.name ?? say('render.direct'),
  title: (render) => render.title ?? nameOf(render),
  date({ createdAt }) {
    const day = new Date(createdAt);
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  },
  time({ createdAt }) {
    const moment = new Date(createdAt);
    return `${two(moment.getHours())}.${two(moment.getMinutes())}`;
  },
  number: (_render, number) => String(number).padStart(3, '0'),
  id: ({ id }) => shortId(id),
};

/** Names of the placeholders, for the hint beside the field. */
export const holeNames: readonly string[] = Object.keys(holes).map((name) => `{${name}}`);

export function unknownHoles(pattern: string): readonly string[] {
  return [...pattern.matchAll(/\{(\w*)\}/g)].flatMap(([hole, name = '']) =>
    Object.hasOwn(holes, name) ? [] : [hole],
  );
}

/**
 * The name of a render's file, without its ending: `Promo – Only today 2026-11-21`.
 * @param pattern '' = the usual one
 * @param number of the file among those that are saved together
 */
export function fileName(render: WindowRender, pattern = '', number = 1): string {
  // A feed has a pattern of its own.
  const { file } = render.batch ?? {};
  if (file !== undefined) return file;
  const filled = (pattern.trim() || usualPattern).replace(/\{(\w+)\}/g, (hole, name: string) =>
    Object.hasOwn(holes, name) ? (holes[name]?.(render, number) ?? hole) : hole,
  );
  return cleanFileName(filled) || shortId(render.id);
}
