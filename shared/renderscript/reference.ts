/**
 * The property reference as Markdown, made from the tables: REFERENCE.md, which a test keeps in step, and the help.
 */
import { animationTypes, commonAnimationOptions, type AnimationOption } from './animation-types.ts';
import { easingCalls, easingNames } from './easing.ts';
import { properties, type Property } from './properties.ts';
import type { NumberRule, Rule } from './rules.ts';
import type { Json } from './source.ts';

/** The tables of all properties, group by group, and of all animation types. */
export function propertyReference(): string {
  const groups = new Map<string, Property[]>();
  for (const row of properties) {
    const rows = groups.get(row.group);
    if (rows === undefined) groups.set(row.group, [row]);
    else rows.push(row);
  }
  return [
    '## Properties',
    '"Keyframes" marks properties that may change over time. Properties marked *not drawn* are accepted and checked, but this version shows the element without them. Those marked *Extension* are ours; the service knows nothing of them.',
    ...Array.from(groups, ([name, rows]) => propertyTable(name, rows)),
    '## Easings',
    `By name: ${easingNames.map(code).join(', ')}. With numbers: ${easingCalls.map(code).join(', ')}.`,
    'An easing belongs to the keyframe where the movement ends. Springs are an *extension*: mass, stiffness and damping; the movement lasts until its keyframe, where the spring is at rest. The names without a family (`ease` and its kin) are the curves of CSS.',
    '## Animations',
    'Every animation takes these options; options with a wrong value get their default.',
    animationOptionTable(commonAnimationOptions),
    ...Array.from(animationTypes.values(), (type) => {
      const note = type.target === 'text' ? ' For text elements.' : '';
      return `### \`${type.name}\`\n\n${type.meaning}${note}\n\n${animationOptionTable(type.options)}`;
    }),
  ].join('\n\n');
}

/** REFERENCE.md as a whole. */
export const referenceFile = (): string =>
  `# Property reference\n\nMade by \`npm run generate -- reference\`. See [README.md](README.md).\n\n${propertyReference()}\n`;

/** What a rule allows, in a few words, e.g. `number, %, px; at least 0; or null`. */
export function describeRule(rule: Rule): string {
  return rule.nullable === true ? `${describeValue(rule)}; or null` : describeValue(rule);
}

function describeValue(rule: Rule): string {
  switch (rule.kind) {
    case 'number':
      return describeNumber(rule);
    case 'enum':
      return rule.values.map(code).join(', ');
    case 'string':
      return rule.maximum === undefined
        ? 'text'
        : `text of at most ${rule.maximum.toLocaleString('en-US')} characters`;
    case 'boolean':
      return '`true`, `false`';
    case 'fill':
      return 'color, or list of `{ offset, color }`';
    case 'warp':
      return 'rows of `{ x, y }`';
    case 'elements':
      return 'list of elements';
    case 'animations':
      return 'list of animations';
    case 'fonts':
      return 'list of `{ family, source, weight, style }`';
    case 'variables':
      return 'object of text, numbers, `true`, `false`';
    case 'colors':
      return 'object of colors by colors';
    case 'transcript':
      return 'text, or list of `{ time, duration, value }`';
    case 'color':
    case 'path':
      return rule.kind;
  }
}

const bareMeaning: Readonly<Record<string, string>> = {
  px: 'number of pixels',
  s: 'number of seconds',
  '°': 'number of degrees',
  '%': 'number of percent',
  '': 'number',
};

function describeNumber(rule: NumberRule): string {
  const forms = [
    ...(rule.bare === null ? [] : [bareMeaning[rule.bare] ?? 'number']),
    ...rule.units.map(code),
    ...(rule.words ?? []).map((word) => code(`"${word}"`)),
    ...(rule.auto === true ? [code('"auto"')] : []),
  ].join(', ');
  return [forms, describeRange(rule), rule.integer === true ? 'whole' : '']
    .filter((part) => part !== '')
    .join('; ');
}

function describeRange({ min, max }: NumberRule): string {
  if (min === undefined) return max === undefined ? '' : `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}

function propertyTable(name: string, rows: readonly Property[]): string {
  const lines = rows.map((row) => [
    code(row.name),
    describeRule(row.rule),
    describeDefault(row),
    row.keyframable ? 'yes' : '',
    describeMeaning(row),
  ]);
  const owners = rows[0]?.on.join(', ') ?? '';
  return `### ${name}\n\nOn: ${owners}.\n\n${table(['Property', 'Value', 'Default', 'Keyframes', 'Meaning'], lines)}`;
}

/** What a property does, for users. */
export function describeMeaning({ meaning, extension, drawn }: Property): string {
  return [
    extension ? `*Extension.* ${meaning}` : meaning,
    ...(drawn ? [] : ['*Not drawn yet.*']),
  ].join(' ');
}

/** The default of a property, and those of types that differ. */
export function describeDefault(row: Property): string {
  const special = Object.entries(row.defaults).map(([owner, value]) => `${owner}: ${json(value)}`);
  return [json(row.default), ...special].join('; ');
}

/** The table of an animation's options. */
export function animationOptionTable(options: readonly AnimationOption[]): string {
  const lines = options.map((option) => {
    const older = option.aliases.length === 0 ? '' : ` Also \`${option.aliases.join('`, `')}\`.`;
    return [
      code(option.name),
      describeRule(option.rule),
      json(option.default),
      option.meaning + older,
    ];
  });
  return table(['Option', 'Value', 'Default', 'Meaning'], lines);
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

function json(value: Json): string {
  return code(JSON.stringify(value));
}
