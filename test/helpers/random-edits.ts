/** Random edits of documents, as a hand makes them: one painted value after the other. */
import { isPainted } from '../../shared/engine/compile/values.ts';
import { propertiesOf, type PropertyOwner } from '../../shared/renderscript/properties.ts';
import { isJsonObject, type Json, type Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';

/** Values of every kind; those that keep a property's rule are tried. */
// prettier-ignore
const values: readonly (Json | undefined)[] = [
  undefined, null, '20%', '80%', '2 vmin', '8 vmin', '37 px', '10°', '-40°', 1, 2, 300, 900, true, false, 'One', 'Three [color #f00]words[/color] here',
  '#f00', '#00ff0080', 'M 0 0 L 50 50 L 0 50 Z', 'alpha', 'multiply', 'round', 'contain', 'horizontal', 'linear', 'bold', 'italic', 'uppercase', 'perspective', 'luma-inverted',
  [{ offset: 0, color: '#f00' }, { offset: '100%', color: '#00f' }],
  [{ time: 0, value: '10%' }, { time: '50%', value: '90%', easing: 'quadratic-in-out' }, { time: 'end', value: '40%' }],
  [{ time: 0, value: '#fff' }, { time: 1, value: '#0f0' }],
  [[{ x: '0%', y: '0%' }, { x: '100%', y: '10%' }], [{ x: '10%', y: '100%' }, { x: '90%', y: '90%' }]],
];

/** Rolls whole numbers below a count; the same number gives the same rolls. */
export function diceOf(seed: number): (count: number) => number {
  let state = seed >>> 0;
  return (count) => {
    // A linear congruence: enough to spread edits, and the same on every machine.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

export type Roll = ReturnType<typeof diceOf>;

/** The document with another painted value at a random place; null where none was found. */
export function edited(source: Source, roll: Roll): Source | null {
  for (let tries = 0; tries < 20; tries++) {
    const after = structuredClone(source) as Record<string, unknown> & Source;
    const owners: Record<string, unknown>[] = [after];
    for (let list: unknown = after.elements; Array.isArray(list) && list.length > 0;) {
      const element: unknown = list[roll(list.length)];
      if (!isJsonObject(element)) break;
      // A clone, ours to change.
      owners.push(element);
      list = element.elements;
    }
    const target = owners[roll(owners.length)] ?? after;
    const owner = target === after ? 'root' : (target['type'] as PropertyOwner);
    // An element that is not there is laid out anew, and a table of colours is a file that would have to be there.
    const others = ['visible', 'look_lut', 'texts', 'colors'];
    const rows = propertiesOf(owner).filter(
      ([name, row]) => isPainted(row) && !others.includes(name),
    );
    const row = rows[roll(rows.length)];
    if (!row) continue;
    const value = values[roll(values.length)];
    if (value === undefined) Reflect.deleteProperty(target, row[0]);
    else target[row[0]] = value;
    const isSound = !validate(after).some(({ severity }) => severity === 'error');
    if (isSound && JSON.stringify(after) !== JSON.stringify(source)) return after;
  }
  return null;
}
