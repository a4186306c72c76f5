/**
 * The client's types, as the build made them: they refuse faulty documents and take good ones. What they are held
 * against is the compiler itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleFolder } from '../../server/system/paths.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { refusedLines } from '../helpers/compiler.ts';
import { samples } from '../helpers/sample-documents.ts';

const use = [
  "import type { RenderScript, RenderElement, Framewright } from './index.ts';",
  'declare const client: Framewright;',
];
const documentOf = (text: string): string => `export const d: RenderScript = ${text};`;
const elementOf = (text: string): string => documentOf(`{ elements: [${text}] }`);

/** Each is wrong in one place; the right form of most stands beside it. */
const faulty: readonly (readonly [wrong: string, right: string])[] = [
  [documentOf('{ width: true }'), documentOf('{ width: 1280 }')],
  [documentOf("{ width: 'wide' }"), documentOf("{ width: '1280 px' }")],
  [documentOf("{ output_format: 'avi' }"), documentOf("{ output_format: 'mp4' }")],
  [documentOf("{ elements: { type: 'text' } }"), documentOf("{ elements: [{ type: 'text' }] }")],
  [documentOf('{ elemnts: [] }'), documentOf('{ elements: [], _note: 5 }')],
  [documentOf("{ title: 'x' }"), documentOf("{ name: 'x', id: 'y', $schema: 'z', '//': 'w' }")],
  [documentOf('{ rate: 30 }'), documentOf('{ fps: 30 }')],
  [
    elementOf("{ type: 'text', align: 'center' }"),
    elementOf("{ type: 'text', text_alignment: 'center' }"),
  ],
  [documentOf("{ frame_rate: '30 Hz' }"), documentOf("{ frame_rate: '30 fps' }")],
  [documentOf("{ duration: '3 min' }"), documentOf("{ duration: '3 s' }")],
  [
    documentOf('{ fonts: [{ family: 5 }] }'),
    documentOf("{ fonts: [{ family: 'A', source: 'a.ttf' }] }"),
  ],
  [elementOf('{}'), elementOf("{ type: 'shape' }")],
  [elementOf("{ type: 'txt', text: 'x' }"), elementOf("{ type: 'text', text: 'x' }")],
  [elementOf("{ text: 'x' }"), elementOf("{ type: 'text', text: 'x', _why: 'x' }")],
  [elementOf("{ type: 'text', text: 5 }"), elementOf("{ type: 'text', text: '5' }")],
  [elementOf("{ type: 'text', txet: 'x' }"), elementOf("{ type: 'text', name: 'x' }")],
  [elementOf("{ type: 'text', source: 'a.png' }"), elementOf("{ type: 'image', source: 'a.png' }")],
  [elementOf("{ type: 'image', text: 'x' }"), elementOf("{ type: 'image' }")],
  [elementOf("{ type: 'text', x: '5 cm' }"), elementOf("{ type: 'text', x: '5 vw' }")],
  [elementOf("{ type: 'text', x: 'left' }"), elementOf("{ type: 'text', x: '50%' }")],
  [
    elementOf("{ type: 'text', x_rotation: '5 px' }"),
    elementOf("{ type: 'text', x_rotation: '5°' }"),
  ],
  [
    elementOf("{ type: 'text', font_weight: 'heavy' }"),
    elementOf("{ type: 'text', font_weight: 700 }"),
  ],
  [
    elementOf("{ type: 'text', font_style: 'oblique' }"),
    elementOf("{ type: 'text', font_style: 'italic' }"),
  ],
  [
    elementOf("{ type: 'text', fill_color: 255 }"),
    elementOf("{ type: 'text', fill_color: '#fff' }"),
  ],
  [
    elementOf("{ type: 'text', fill_color: [{ colour: 'red' }] }"),
    elementOf("{ type: 'text', fill_color: [{ offset: '0%', color: 'red' }] }"),
  ],
  [elementOf("{ type: 'image', fit: 'crop' }"), elementOf("{ type: 'image', fit: 'cover' }")],
  [elementOf("{ type: 'video', loop: 'yes' }"), elementOf("{ type: 'video', loop: true }")],
  [elementOf("{ type: 'video', volume: 'loud' }"), elementOf("{ type: 'video', volume: '80%' }")],
  [elementOf("{ type: 'audio', width: 5 }"), elementOf("{ type: 'audio' }")],
  [
    elementOf("{ type: 'shape', blend_mode: 'add' }"),
    elementOf("{ type: 'shape', blend_mode: 'screen' }"),
  ],
  [
    elementOf("{ type: 'shape', opacity: [{ time: 0, vlaue: 1 }] }"),
    elementOf("{ type: 'shape', opacity: [{ time: 0, value: '10%', easing: 'ease-in' }] }"),
  ],
  [
    elementOf("{ type: 'shape', animations: [{ type: 'fadein' }] }"),
    elementOf("{ type: 'shape', animations: [{ type: 'fade', time: 'end', reversed: true }] }"),
  ],
  [
    elementOf("{ type: 'text', animations: [{ type: 'text-slide', split: 'words' }] }"),
    elementOf("{ type: 'text', animations: [{ type: 'text-slide', split: 'word' }] }"),
  ],
  [
    elementOf("{ type: 'composition', elements: [{ type: 'shape', x: false }] }"),
    elementOf("{ type: 'composition', elements: [{ type: 'shape', x: null }] }"),
  ],
  [
    'void client.render({ template_id: 5 });',
    "void client.render({ template_id: 'x', modifications: { Title: 'x' } });",
  ],
  [
    "void client.render({ source: { elements: [{ type: 'txt' }] } });",
    "void client.render({ source: { elements: [{ type: 'text' }] }, render_scale: 2 });",
  ],
  [
    "void client.preview({ source: {}, time: '1 s' });",
    'void client.preview({ source: {}, time: 1 });',
  ],
];

test(`${faulty.length} faulty documents are refused, and their right forms are not`, () => {
  expect(faulty.length).toBeGreaterThanOrEqual(30);
  const wrong = faulty.map(([text]) => text.replace('const d:', 'const w:'));
  const lines = [...faulty.map(([, right]) => right), ...wrong].map((line, index) =>
    line.replace(/const [dw]:/, `const d${index}:`),
  );
  expect(
    [...refusedLines([...use, ...lines]).keys()].map((line) => lines[line - 1 - use.length]),
  ).toEqual(lines.slice(faulty.length));
});

describe('documents that are valid', () => {
  const check = (documents: readonly (readonly [name: string, text: string])[]): string[] => {
    const lines = documents.map(
      ([, text], index) =>
        `export const d${index}: RenderScript = ${JSON.stringify(JSON.parse(text))};`,
    );
    return [...refusedLines([...use, ...lines])].map(
      ([line, why]) => `${documents[line - 1 - use.length]?.[0] ?? ''}: ${why}`,
    );
  };

  test('all samples are taken', () => {
    expect(check(samples())).toEqual([]);
  });

  test('all documents that are shipped are taken', () => {
    const shipped = readdirSync(sampleFolder(), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, readFileSync(path.join(sampleFolder(), name), 'utf8')] as const)
      .filter(([, text]) => text.includes('"elements"'));
    expect(shipped.length).toBeGreaterThan(20);
    expect(check(shipped)).toEqual([]);
  });

  const corpus = process.env.CLIENT_CORPUS;
  test.runIf(corpus !== undefined)(
    'foreign ones are taken as they are, if they have no errors (CLIENT_CORPUS=FOLDER)',
    () => {
      const names = readdirSync(corpus ?? '').filter((name) => name.endsWith('.json'));
      const documents = names.map(
        (name) => [name, readFileSync(path.join(corpus ?? '', name), 'utf8')] as const,
      );
      const sound = documents.filter(
        ([, text]) => !validate(JSON.parse(text) as Source).some((one) => one.severity === 'error'),
      );
      expect(sound.length).toBeGreaterThan(names.length / 2);
      expect(check(sound)).toEqual([]);
    },
  );
});
