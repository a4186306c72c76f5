/**
 * The window is mirrored where text runs from right to left, so its styles say start and end. What belongs to a picture
 * or to time stays as it is in every language; those files are named here with the reason.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const window = path.join(import.meta.dirname, '../../renderer');

/** Files whose left is left everywhere: places in a picture. */
const pictures = new Set([
  'editor/canvas/CanvasLayer.svelte',
  'editor/canvas/CanvasText.svelte',
  'editor/canvas/LettersBar.svelte',
  'editor/media/DropTarget.svelte',
  'editor/preview/PreviewStage.svelte',
  'editor/preview/StagePicture.svelte',
  'editor/preview/StageDivider.svelte',
  'editor/canvas/StageHandle.svelte',
  'editor/inspector/ColorPicker.svelte',
  'editor/inspector/GradientBar.svelte',
]);

const side = '(?:left|right)';
/** Declarations and directives that name a side. */
const physical = new RegExp(
  [
    `(?<![-\\w])(?:margin|padding|scroll-margin|scroll-padding)-${side}\\s*:`,
    `(?<![-\\w])border-${side}(?:-\\w+)?\\s*:`,
    `(?<![-\\w])border-(?:top|bottom)-${side}-radius\\s*:`,
    `(?<![-\\w])(?:text-align|float|clear)\\s*:\\s*${side}\\b`,
    `^\\s*${side}\\s*:\\s*[^;{}]+;`,
    `style:(?:margin-|padding-)?${side}\\b`,
  ].join('|'),
);

/** Lines of styles, and of markup with style directives, that name a side. */
function findPhysical(text: string): string[] {
  const styles = /<style[^>]*>([\s\S]*)<\/style>/.exec(text)?.[1];
  const markup =
    styles === undefined ? '' : text.replace(styles, '').replace(/<script[\s\S]*?<\/script>/g, '');
  const inMarkup = markup
    .split('\n')
    .filter((line) => new RegExp(`style:(?:margin-|padding-)?${side}\\b`).test(line));
  return [...inMarkup, ...(styles ?? text).split('\n').filter((line) => physical.test(line))];
}

test('the search finds sides, and only sides', () => {
  for (const line of [
    'margin-left: 1px;',
    '  left: 0;',
    'border-top-right-radius: 2px;',
    'text-align: right;',
  ]) {
    expect(findPhysical(`<style>\n${line}\n</style>`), line).toHaveLength(1);
  }
  expect(findPhysical('<b style:left="3px"></b>\n<style>\n</style>')).toHaveLength(1);
  const logical =
    'margin-inline-start: 1px;\ninset-inline: 0;\ntext-align: start;\nbackground: left;';
  expect(findPhysical(`<style>\n${logical}\n</style>`)).toEqual([]);
});

test('styles of the window name start and end, no sides', () => {
  const files = readdirSync(window, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => /\.(svelte|css)$/.test(name));
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((name) =>
    pictures.has(name)
      ? []
      : findPhysical(readFileSync(path.join(window, name), 'utf8')).map(
          (line) => `${name}: ${line.trim()}`,
        ),
  );
  expect(found).toEqual([]);
});
