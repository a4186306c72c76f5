/**
 * The help pages of the language, made from its tables: one for each group of properties, with pictures, one of the easings and one
 * of the animations.
 */
import {
  animationTypes,
  commonAnimationOptions,
  type AnimationType,
} from '../../../shared/renderscript/animation-types.ts';
import { easingCalls, easingNames } from '../../../shared/renderscript/easing.ts';
import { properties, type Property } from '../../../shared/renderscript/properties.ts';
import {
  animationOptionTable,
  describeDefault,
  describeMeaning,
  describeRule,
} from '../../../shared/renderscript/reference.ts';
import { animationSheet, sheetOf } from './pictures.ts';
import { addressOf, type Topic } from './topic.ts';

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
    text: () =>
      `For: ${owners.join(', ')}.\n\n## Properties\n\n${rows.map(propertyText).join('\n\n')}`,
  };
}

const overview: Topic = {
  slug: root,
  title: 'RenderScript',
  summary: 'The language of the documents.',
  text: () => `
A document is one JSON object: the size, length and format of the file, and its \`elements\`. Each element has a \`type\`, a place, a time, and a look. What is written later lies above what is written earlier.

\`\`\`json
{
  "output_format": "mp4",
  "width": 640,
  "height": 360,
  "duration": 3,
  "fill_color": "#14213d",
  "elements": [
    {
      "type": "text",
      "name": "Title",
      "text": "Made offline",
      "width": "80%",
      "height": "40%",
      "x_alignment": "50%",
      "y_alignment": "50%",
      "font_family": "Montserrat",
      "font_weight": "800",
      "fill_color": "#ffffff",
      "animations": [{ "type": "text-slide", "time": "start", "duration": 1 }]
    }
  ]
}
\`\`\`

## Values

- **Numbers and units.** A bare number is pixels, seconds or degrees. Texts name the unit: \`"50%"\` of what surrounds the element, \`"10 vmin"\` of the smaller side of the document, \`"2 s"\`, \`"45°"\`.
- **Colors** are \`#14213d\`, \`rgba(20, 33, 61, 0.5)\` or names of CSS.
- **Keyframes.** Where a property takes them, a list of \`{ "time": 1, "value": "80%", "easing": "cubic-out" }\` changes it over time.
- \`null\` means automatic, where a property says so.
- **Wrong values are errors, unknown names are warnings.** A render with errors fails; a dry run and \`framewright validate\` list them with their places.

Editors that know JSON Schema complete and check documents with [/renderscript.schema.json](/renderscript.schema.json).

## All properties

${[...groups]
  .map(
    ([group, rows]) =>
      `**[${group}](${addressOf({ slug: `${root}/${slugOf(group)}` })})**: ${rows.map((row) => `[\`${row.name}\`](${placeOf(row)})`).join(', ')}`,
  )
  .join('\n\n')}

## All animations

${Array.from(animationTypes.keys(), (name) => `[\`${name}\`](/docs/${root}/animations#${name})`).join(', ')}
`,
};

function animationText(type: AnimationType): string {
  const note = type.target === 'text' ? ' For text elements.' : '';
  return [
    `### \`${type.name}\``,
    `${type.meaning}${note}`,
    animationSheet(type.name),
    ...(type.options.length === 0 ? [] : [animationOptionTable(type.options)]),
  ].join('\n\n');
}

const inGroup = groups.get('Animations') ?? [];

const animations: Topic = {
  slug: `${root}/animations`,
  title: 'Animations',
  summary: `${animationTypes.size} ready-made movements.`,
  text: () => `
An animation moves an element in, out, or while it is there. \`"time": "start"\` plays it at the beginning, \`"end"\` at the end and backwards if \`reversed\` is true, a number of seconds in between. Without time and duration it lasts as long as the element. With \`"transition": true\` it joins the element to the one before it on the same track.

\`\`\`json
{
  "output_format": "mp4",
  "duration": 3,
  "elements": [
    {
      "type": "text",
      "text": "In and out",
      "animations": [
        { "type": "slide", "time": "start", "duration": 1, "direction": "90°", "easing": "quartic-out" },
        { "type": "fade", "time": "end", "duration": 0.5, "reversed": true }
      ]
    }
  ]
}
\`\`\`

Each picture row shows eight moments, from the beginning to the end.

## Property and options

${inGroup.map(propertyText).join('\n\n')}

### Options of all animations

Options with a wrong value get their default.

${animationOptionTable(commonAnimationOptions)}

## Elements

${textsOf('element')}

## Texts

${textsOf('text')}
`,
};

function textsOf(target: AnimationType['target']): string {
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

const easings: Topic = {
  slug: `${root}/easings`,
  title: 'Easings',
  summary: 'Curves of movements.',
  text: () => `
An easing says how a movement gets from one value to the next: evenly, gently, beyond its goal and back. It belongs to the keyframe where the movement ends, or to an animation. In the pictures, time runs to the right and the value upwards.

\`\`\`json
{
  "output_format": "mp4",
  "duration": 2,
  "elements": [
    {
      "type": "shape",
      "width": 80,
      "height": 80,
      "fill_color": "#2f5fe0",
      "x": [
        { "time": 0, "value": "20%" },
        { "time": 1, "value": "80%", "easing": "back-out" }
      ]
    }
  ]
}
\`\`\`

By name: ${easingNames.map((name) => `\`${name}\``).join(', ')}. With numbers: ${easingCalls.map((call) => `\`${call}\``).join(', ')}.

Springs are an *extension*: mass, stiffness and damping; the movement lasts until its keyframe, where the spring is at rest. The names without a family (\`ease\` and its kin) are the curves of CSS. Other names count as \`linear\`.

## Curves

${easingSheets.map((name) => `### ${name === 'css' ? 'ease and cubic-bezier' : name}\n\n${sheetOf(`easings/${name}`)}`).join('\n\n')}
`,
};

/** All of them, the overview first. */
export const languageTopics: readonly Topic[] = [
  overview,
  ...Array.from(groups)
    .filter(([group]) => group !== 'Animations')
    .map(([group, rows]) => groupTopic(group, rows)),
  animations,
  easings,
];
