/**
 * The list of problems against what the API says of the same documents: words, places, and the changes that mend them.
 */
import { findNodeAtLocation, parseTree, type JSONPath, type Node } from 'jsonc-parser';
import type { DryRun } from '../../shared/api.ts';
import { hintProblems } from '../../shared/renderscript/hints.ts';
import { problemSentence, type Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { isLong, someOf } from '../helpers/long.ts';
import { codeOf, openNewTemplate, openTemplate, sourceOf } from './editor-page.ts';
import { brokenSources, promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

/** A line of the list. */
interface Row {
  readonly text: string;
  readonly line: number;
  /** What its button would change it to; '' without one. */
  readonly fix: string;
}

/** Hints name the element, warnings its property as well. */
const withoutPlace = (text: string): string => text.replace(/^[^:]*: /, '');

const stepsOf = (path: string): JSONPath =>
  (path.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** The line that a path of the document begins in; of what isn't there, the line of what it would stand in. */
function lineOf(text: string, path: string): number {
  const steps = stepsOf(path);
  const tree = parseTree(text) as Node; // what was written as JSON
  let node: Node | undefined;
  while (!(node = findNodeAtLocation(tree, steps))) steps.pop();
  return text.slice(0, node.offset).split('\n').length;
}

/** The one word or value that the sentence asks for; '' where it leaves a choice. */
function fixOf(sentence: string, value: unknown): string {
  const meant = /Did you mean '(.*)'\?$/.exec(sentence)?.[1];
  // Others name sides; here they are numbers.
  if (meant === 'x_alignment' && value === 'center') return 'x_alignment: 50%';
  if (meant !== undefined) return meant;
  const unit = /ending with (%|px|fps)$/.exec(sentence)?.[1];
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d/.test(value));
  if (unit === undefined || !isNumber || Number.isNaN(Number(value))) return '';
  return `${value}${unit === '%' ? '%' : ` ${unit}`}`;
}

/** Those of which a sentence says what was meant. */
const mendable = brokenSources
  .filter((broken) =>
    [...validate(broken as Source), ...hintProblems(broken as Source)].some((problem) =>
      / mean '.*'\?$/.test(problemSentence(problem)),
    ),
  )
  .slice(0, 2);
const few = someOf(brokenSources, 8).filter((broken) => !mendable.includes(broken));

/** Fifty; ten of them in the short form. */
test('broken sources: the list has the words, places and fixes of what a dry run answers', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  expect(brokenSources.length).toBe(50);
  const { id } = await program.createTemplate({ name: 'Broken', source: promo });
  await openTemplate(page, program, id);
  const list = page.getByRole('list', { name: 'Problems' });
  const rows = async (): Promise<Row[]> => {
    const found = await list.getByRole('listitem').evaluateAll((items) =>
      items.map((item) => ({
        text: item.querySelector('[data-testid="problem-text"]')?.textContent ?? '',
        place: item.querySelector('.place')?.textContent ?? '',
        button: item.querySelector('.go + button')?.textContent ?? '',
      })),
    );
    return found.map(({ text, place, button }) => ({
      text: withoutPlace(text),
      line: Number(place.replace('Line ', '')),
      fix: button.trim().replace('Fix: Change to ', ''),
    }));
  };
  const inOrder = (list_: readonly Row[]): Row[] =>
    [...list_].sort((one, other) => one.line - other.line || one.text.localeCompare(other.text));
  let mended = 0;
  for (const broken of isLong ? brokenSources : [...few, ...mendable]) {
    const text = JSON.stringify(broken, null, 1);
    // Made as documents are: objects with anything in them.
    const source = broken as Source;
    const known = [...validate(source), ...hintProblems(source)];
    const answer = (await program.createRender({
      source: broken,
      dry_run: true,
    })) as unknown as DryRun;
    const said = [...answer.errors, ...answer.warnings];
    expect(said.length, text).toBeGreaterThan(0);
    const expected = said.map((sentence): Row => {
      const problem = known.find((one) => problemSentence(one) === sentence);
      expect(problem, `${sentence} in ${text}`).toBeDefined();
      const path = problem?.path ?? '';
      return {
        text: withoutPlace(sentence),
        line: lineOf(text, path),
        fix: fixOf(sentence, findNodeAtLocation(parseTree(text) as Node, stepsOf(path))?.value),
      };
    });
    await page.getByRole('tab', { name: 'Source' }).click();
    await sourceOf(page).fill(text);
    await page.getByRole('tab', { name: 'Problems' }).click();
    await expect
      .poll(async () => inOrder(await rows()), { message: text })
      .toEqual(inOrder(expected));
    const editor = page.getByTestId('page-editor');
    await expect(editor).toHaveAttribute('data-valid', String(answer.valid));
    const first = expected.find(({ fix }) => fix !== '');
    if (!first) continue;
    // What the button does is what the sentence asks for: it is gone, and nothing else has come; an element of another
    // type may have properties that only the old one knows.
    mended += 1;
    await list.getByRole('button', { name: `Fix: Change to ${first.fix}`, exact: true }).click();
    const rest = expected.filter((one) => one !== first).map(({ text: words }) => words);
    const wordsLeft = async (): Promise<string[]> => (await rows()).map(({ text: words }) => words);
    if (first.text.includes('image, video, audio, text, shape, composition'))
      await expect.poll(wordsLeft, { message: text }).not.toContain(first.text);
    else
      await expect
        .poll(async () => (await wordsLeft()).sort(), { message: text })
        .toEqual(rest.sort());
  }
  if (isLong) expect(mended).toBe(6);
  else expect(mended).toBeGreaterThan(0);
});

test('everything is checked: a finding leads to its element, and its repair is one step', async ({
  page,
  program,
}) => {
  const text = { type: 'text', font_family: 'Inter', fill_color: '#ffffff' };
  const source = {
    ...{ output_format: 'mp4', width: 640, height: 360, frame_rate: 25, duration: 4 },
    fill_color: '#102030',
    elements: [
      { ...text, name: 'Title', text: 'Hello', font_size: 40 },
      { ...text, name: 'Small print', text: 'Terms apply', y: '70%', font_size: 5 },
      { type: 'image', name: 'Photo', source: 'gone.jpg', y: '20%', width: '20%', height: '20%' },
    ],
  };
  await openNewTemplate(page, program, source);
  await page.getByRole('tab', { name: /^Problems/ }).click();
  const check = page.getByTestId('full-check');
  await expect(check).toHaveAttribute('data-state', 'idle');
  await check.getByRole('button', { name: 'Check everything' }).click();
  await expect(check).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
  await expect(page.getByTestId('full-check-estimate')).toContainText('Estimated');
  const line = page
    .getByRole('list', { name: 'Problems' })
    .getByRole('listitem')
    .filter({ hasText: 'Small print: Expected letters of at least 8 pixels' });
  await expect(line).toContainText('Make the letters at least 8 pixels large');
  // Of the missing file the list tells once, as before.
  await expect(page.getByTestId('problem-text').filter({ hasText: 'Photo' })).toHaveCount(1);

  await line.getByTestId('problem-text').click();
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-frame', '50');
  await page.getByRole('tab', { name: 'Outline' }).click();
  const chosen = page.getByRole('treeitem', { selected: true });
  await expect(chosen).toContainText('Small print');

  await line.getByRole('button', { name: 'Fix' }).click();
  await expect(line).toHaveCount(0);
  await page.getByRole('tab', { name: 'Source' }).click();
  await expect.poll(() => codeOf(page)).toContain('"font_size": "2 vmin"');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => codeOf(page)).toContain('"font_size": 5');
  // As it was checked again, the finding holds again.
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await expect(line).toHaveCount(1);
});
