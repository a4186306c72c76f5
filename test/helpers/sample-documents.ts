/** The documents of the picture samples, as JSON text. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseRelaxedJson } from '../../shared/json.ts';

const folder = path.join(import.meta.dirname, '../samples');

/** Name and document of each. */
export function samples(): (readonly [name: string, text: string])[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  return names.map(({ name }) => {
    const read = parseRelaxedJson(readFileSync(path.join(folder, name, 'source.json'), 'utf8'));
    if (!read.ok) throw new Error(`${name} is not JSON`);
    return [name, JSON.stringify(read.value)];
  });
}
