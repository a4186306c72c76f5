/** The parts of the help that come from the tables of the language: properties, animations and easings. */
import {
  animationTypes,
  type AnimationType,
} from '../../../shared/renderscript/animation-types.ts';
import { properties, type Property } from '../../../shared/renderscript/properties.ts';
import {
  animationOptionTable,
  describeDefault,
  describeMeaning,
  describeRule,
} from '../../../shared/renderscript/reference.ts';
import { animationSheet, sheetOf } from './pictures.ts';
import { addressOf, type Topic } from './page-frame.ts';

const root = 'renderscript';

/** `Place and size` → `place-and-size`. */
const slugOf = (group: string): string => group.toLowerCase().replace(/[^a-z]+/g, '-');

/** The rows by group, in the table's order. */
const groups: ReadonlyMap<string, readonly Property[]> = new Map(
  properties.map(({ group }) => [group, properties.filter((row) => row.group === group)]),
);

/** Where a property stands. */
const placeOf = ({ group, name }: Property): string => `/docs/${root}/${slugOf(group)}#${name}`;

function propertyText(property: Property): string {
  const { name, group, rule, keyframable } = property;
  return [
    `### \`${name}\``,
    describeMeaning(property),
    sheetOf(`properties/${slugOf(group)}.${name}`),
    `*Value:* ${describeRule(rule)}. *Default:* ${describeDefault(property)}. *Keyframes:* ${keyframable ? 'yes' : 'no'}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function groupTopic(group: string, rows: readonly Property[]): Topic {
  const owners = (rows[0]?.on ?? []).map((owner) => (owner === 'root' ? 'the document' : owner));
  const names = rows.map(({ name }) => name.replaceAll('_', ' '));
  return {
    slug: `${root}/${slugOf(group)}`,
    title: group,
    summary: `${names.slice(0, 4).join(', ')}${names.length > 4 ? ' …' : ''}`,
    text: () => `For: ${owners.join(', ')}.\n\n## Properties\n\n${propertyTexts(group)}`,
  };
}

/** Links to all properties, by group. */
export function propertyLinks(): string {
  return [...groups]
    .map(
      ([group, rows]) =>
        `**[${group}](${addressOf({ slug: `${root}/${slugOf(group)}` })})**: ${rows.map((row) => `[\`${row.name}\`](${placeOf(row)})`).join(', ')}`,
    )
    .join('\n\n');
}

/** Links to all animations. */
export function animationLinks(): string {
  return Array.from(
    animationTypes.keys(),
    (name) => `[\`${name}\`](/docs/${root}/animations#${name})`,
  ).join(', ');
}

/** The properties of a group, with pictures. */
export function propertyTexts(group: string): string {
  return (groups.get(group) ?? []).map(propertyText).join('\n\n');
}

function animationText(type: AnimationType): string {
  const note = type.target === 'text' ? ' For text elements.' : '';
  return [
    `### \`${type.name}\``,
    `${type.meaning}${note}`,
    animationSheet(type.name),
    ...(type.options.length === 0 ? [] : [animationOptionTable(type.options)]),
  ].join('\n\n');
}

/** The animations for elements of all kinds, or for texts, with pictures. */
export function animationTexts(target: AnimationType['target']): string {
  return [...animationTypes.values()]
    .filter((type) => type.target === target)
    .map(animationText)
    .join('\n\n');
}

/** Easings by family: those with a sheet of that name. */
const easingSheets = [
  ...['linear', 'sinusoid', 'quadratic', 'cubic', 'quartic', 'quintic', 'exponential'],
  ...['circular', 'back', 'elastic', 'bounce', 'css', 'steps', 'spring'],
];

/** The curves of all easings, as pictures. */
export function easingTexts(): string {
  return easingSheets
    .map(
      (name) =>
        `### ${name === 'css' ? 'ease and cubic-bezier' : name}\n\n${sheetOf(`easings/${name}`)}`,
    )
    .join('\n\n');
}

/** A page for each group of properties; that of animations is written. */
export const groupTopics: readonly Topic[] = Array.from(groups)
  .filter(([group]) => group !== 'Animations')
  .map(([group, rows]) => groupTopic(group, rows));
