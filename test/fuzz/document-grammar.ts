/** Documents by the property table, for fuzzers; what stands in the properties is up to them. */
import {
  propertiesOf,
  type Property,
  type PropertyOwner,
} from '../../shared/renderscript/properties.ts';
import { elementTypes } from '../../shared/renderscript/source.ts';
import type { Random } from './cases.ts';

/** How documents are made. */
export interface Grammar {
  /** A value for a property; `elements` and `type` are not asked for. */
  readonly valueOf: (random: Random, property: Property) => unknown;
  /** Properties of one owner, at most. */
  readonly properties: number;
  /** Elements of a document that has a lot of them. */
  readonly manyElements: number;
  /** What every element of a type begins with. */
  readonly startOf?: (random: Random, type: PropertyOwner) => Record<string, unknown>;
}

/** A document with up to three levels of compositions. */
export function documentOf(random: Random, grammar: Grammar): Record<string, unknown> {
  return { elements: elementsOf(random, grammar, 3), ...some(random, grammar, 'root') };
}

function elementsOf(random: Random, grammar: Grammar, depth: number): unknown[] {
  const count = random.oneIn(20) ? grammar.manyElements : random.below(5);
  return Array.from({ length: count }, () => {
    const type = random.pick(elementTypes);
    const element: Record<string, unknown> = {
      type,
      name: random.pick(['A', 'B', 'A.text', '']),
      ...grammar.startOf?.(random, type),
      ...some(random, grammar, type),
    };
    if (type === 'composition' && depth > 0 && count < 10)
      element.elements = elementsOf(random, grammar, depth - 1);
    if (random.oneIn(5)) element[`${random.pick(['x', 'font', 'fill'])}_${random.below(99)}`] = 1;
    return element;
  });
}

function some(random: Random, grammar: Grammar, owner: PropertyOwner): Record<string, unknown> {
  const own = propertiesOf(owner).filter(([name]) => name !== 'elements' && name !== 'type');
  return Object.fromEntries(
    Array.from({ length: random.below(grammar.properties + 1) }, () => {
      const [name, property] = random.pick(own);
      return [name, grammar.valueOf(random, property)];
    }),
  );
}
