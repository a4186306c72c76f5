/** The pure parts of the window's pages: what can be done with a render, what the queue shows, what template files hold. */
import { describe, expect, test } from 'vitest';
import type { WindowRender } from '../../shared/api.ts';
import { actionsOf, type ActionContext } from '../../renderer/lib/actions.ts';
import {
  cutMiddle,
  filtered,
  linesOf,
  moveTarget,
  noFilter,
  sorted,
} from '../../renderer/lib/queue-view.ts';
import { hintFor } from '../../renderer/lib/hints.ts';
import {
  readTemplateFile,
  templateFileName,
  templateFileText,
} from '../../renderer/lib/template-file.ts';
import { readTags, shownTemplates, tagsOf } from '../../renderer/lib/template-view.ts';

/** A render in a state. */
function make(id: string, more: Partial<WindowRender> & { status?: string } = {}): WindowRender {
  const { status = 'succeeded', record, ...rest } = more;
  return {
    ...{ id, project: 'default', createdAt: 0, expiresAt: 0, attempts: 1, cancelled: false },
    order: 0,
    record: { id, status, url: '', output_format: 'mp4', ...record } as WindowRender['record'],
    ...rest,
  };
}

const context: ActionContext = {
  ...{ isDesktop: false, place: undefined, queued: 0, hasTemplate: false },
};
const offered = (render: WindowRender, more: Partial<ActionContext> = {}): string[] =>
  actionsOf(render, { ...context, ...more }).map(
    ({ name, reason }) => `${name}${reason === undefined ? '' : ' –'}`,
  );

describe('actions', () => {
  const cases: readonly [string, WindowRender, Partial<ActionContext>, string[]][] = [
    [
      'done in a browser',
      make('a'),
      {},
      'open download again againWith_– openTemplate_– copyId copyUrl copyCurl saveLog remove'.split(
        ' ',
      ),
    ],
    [
      'done on the desktop, of a template',
      make('a'),
      { isDesktop: true, hasTemplate: true },
      'open show saveCopy again againWith openTemplate copyId copyUrl copyCurl saveLog remove'.split(
        ' ',
      ),
    ],
    [
      'the first of two that wait',
      make('a', { status: 'planned', attempts: 0 }),
      { place: 1, queued: 2 },
      'open_– download_– again againWith_– openTemplate_– moveTop_– moveUp_– moveDown moveBottom copyId copyUrl_– copyCurl saveLog_– cancel'.split(
        ' ',
      ),
    ],
    [
      'failed',
      make('a', { status: 'failed' }),
      {},
      'open_– download_– again againWith_– openTemplate_– copyId copyUrl_– copyError copyCurl saveLog remove'.split(
        ' ',
      ),
    ],
    [
      'running',
      make('a', { status: 'rendering' }),
      {},
      'open_– download_– again againWith_– openTemplate_– copyId copyUrl_– copyCurl saveLog cancel'.split(
        ' ',
      ),
    ],
  ];
  test.each(cases)('%s', (_name, render, more, expected) => {
    expect(offered(render, more)).toEqual(expected.map((word) => word.replace('_', ' ')));
  });
});

describe('the queue', () => {
  const film = make('film', { name: 'Autumn', createdAt: 3 });
  const picture = make('picture', {
    ...{ createdAt: 5, startedAt: 0, finishedAt: 9000, project: 'second' },
    record: { output_format: 'png', template_id: 't' } as WindowRender['record'],
    name: 'Zebra',
  });
  const stopped = make('stopped', { status: 'failed', cancelled: true, createdAt: 1 });
  const failed = make('failed', {
    ...{ status: 'failed', createdAt: 2 },
    record: { error_message: 'Source error: Logo' } as WindowRender['record'],
  });
  const row = make('row', { batch: { id: 'b', name: 'List' }, createdAt: 4 });
  const all = [film, picture, stopped, failed, row];
  const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

  test.each([
    [{}, ['film', 'picture', 'stopped', 'failed', 'row']],
    [{ stages: ['failed'] as const }, ['failed']],
    [{ stages: ['failed', 'cancelled'] as const }, ['stopped', 'failed']],
    [{ projects: ['second'] }, ['picture']],
    [{ formats: ['png'] as const }, ['picture']],
    [{ origins: ['feed'] as const }, ['row']],
    [
      { origins: ['direct', 'template'] as const, formats: ['mp4'] as const },
      ['film', 'stopped', 'failed'],
    ],
    [{ search: ' LOGO' }, ['failed']],
    [{ search: 'autumn' }, ['film']],
    [{ search: 'list' }, ['row']],
  ])('filter %j', (filter, expected) => {
    expect(ids(filtered(all, { ...noFilter, ...filter }))).toEqual(expected);
  });

  test.each([
    ['queue', ['film', 'picture', 'stopped', 'failed', 'row']],
    ['newest', ['picture', 'row', 'film', 'failed', 'stopped']],
    ['oldest', ['stopped', 'failed', 'film', 'row', 'picture']],
    ['longest', ['picture', 'film', 'stopped', 'failed', 'row']],
  ] as const)('sorted by %s', (sorting, expected) => {
    expect(ids(sorted(all, sorting))).toEqual(expected);
  });
  test('sorted by name', () => {
    const names = ids(sorted([picture, film], 'name'));
    expect(names).toEqual(['film', 'picture']);
  });

  test('a batch stands together at the place of its first render, folded or not', () => {
    const batch = { id: 'b', name: 'List' };
    const list = [make('1', { batch }), make('2'), make('3', { batch })];
    const words = (unfolded: boolean): string[] =>
      linesOf(list, () => unfolded).map(({ kind, id }) => `${kind} ${id}`);
    expect(words(false)).toEqual(['batch b', 'render 2']);
    expect(words(true)).toEqual(['batch b', 'render 1', 'render 3', 'render 2']);
    expect(linesOf(list, () => false)[0]).toMatchObject({ members: ['1', '3'] });
  });

  test.each([
    ['b', 'moveUp', 'a'],
    ['b', 'moveTop', 'a'],
    ['b', 'moveDown', null],
    ['a', 'moveDown', 'c'],
    ['a', 'moveBottom', null],
    ['a', 'moveUp', undefined],
    ['a', 'moveTop', undefined],
    ['c', 'moveDown', undefined],
    ['c', 'moveBottom', undefined],
    ['x', 'moveUp', undefined],
  ] as const)('%s %s comes in front of %s', (id, where, before) => {
    expect(moveTarget(['a', 'b', 'c'], id, where)).toBe(before);
  });

  test('a long name keeps its end', () => {
    expect(cutMiddle('Story 9:16', 46)).toBe('Story 9:16');
    expect(cutMiddle('abcdefghij', 7)).toBe('abc…hij');
  });
});

test.each([
  ['Source error: Clip.source: The server answered 404', /“Clip” and choose/],
  ['Source error: Clip.source: This address is not allowed', /may not read/],
  ['Source error: Clip.fill_color: Expected a color', /“Clip”: the value/],
  ['Render error: The disk is full', /Free some space/],
  ['Render error: The encoder stopped', /last lines/],
])('hint for %s', (message, hint) => {
  expect(hintFor(message, 'Clip')).toMatch(hint);
});
test('a message that says it all has no hint', () => {
  expect(hintFor('Render error: Cancelled', '')).toBeNull();
});

describe('template files', () => {
  const source = {
    output_format: 'mp4',
    elements: [
      { type: 'video', source: 'media/a.mp4' },
      { type: 'image', source: 'data:image/png;base64,AA==' },
      {
        type: 'composition',
        elements: [
          { type: 'image', source: 'https://a.example/b.png' },
          { type: 'image', source: 'media/a.mp4' },
        ],
      },
    ],
  };

  test('what is written is read again, with what it reads', () => {
    const text = templateFileText('Promo', ['ad'], source);
    const read = readTemplateFile('other.renderscript', `\uFEFF${text}`);
    expect(read).toMatchObject({
      ok: true,
      file: {
        ...{ name: 'Promo', tags: ['ad'], source, elements: 5 },
        ...{ files: ['media/a.mp4'], addresses: ['https://a.example/b.png'] },
      },
    });
  });

  test('a bare source is named after its file', () => {
    const read = readTemplateFile('my-promo_square.json', JSON.stringify(source));
    expect(read).toMatchObject({ ok: true, file: { name: 'My promo square', tags: [] } });
  });

  test('errors are counted, not refused', () => {
    const wrong = { elements: [{ type: 'text', text: 'A', fill_color: 'no colour' }] };
    const read = readTemplateFile('a.json', JSON.stringify(wrong));
    expect(read.ok && read.file.errors.length).toBe(1);
  });

  test.each([
    ['Buy milk', 'not-json'],
    ['{"a": 1}', 'not-a-template'],
    ['[1]', 'not-a-template'],
    ['{"source": {"a": 1}}', 'not-a-template'],
  ])('%s is refused', (text, reason) => {
    expect(readTemplateFile('a.json', text)).toEqual({ ok: false, reason });
  });

  test.each([
    ['Promo', 'Promo.renderscript'],
    ['A/B: 9*16', 'A_B_ 9_16.renderscript'],
    [' ', 'template.renderscript'],
  ])('%j is saved as %s', (name, file) => {
    expect(templateFileName(name)).toBe(file);
  });
});

describe('templates', () => {
  const template = (id: string, name: string, tags: string[], updatedAt: number) => ({
    ...{ id, project: 'p', name, tags, createdAt: 10 - updatedAt, updatedAt },
  });
  const list = [
    template('1', 'Banner', ['ad', 'wide'], 1),
    template('2', 'Card', ['ad'], 3),
    template('3', 'Advent', [], 2),
  ];
  const wanted = { project: 'p', search: '', tags: [], sorting: 'updated' } as const;
  test.each([
    [{}, ['2', '3', '1']],
    [{ sorting: 'name' as const }, ['3', '1', '2']],
    [{ sorting: 'created' as const }, ['1', '3', '2']],
    [{ search: 'ad' }, ['2', '3', '1']],
    [{ search: 'card' }, ['2']],
    [{ tags: ['wide', 'ad'] }, ['2', '1']],
    [{ project: 'other' }, []],
  ])('%j', (more, ids) => {
    expect(shownTemplates(list, { ...wanted, ...more }).map(({ id }) => id)).toEqual(ids);
  });
  test('tags, the most used first; typed with or without signs', () => {
    expect(tagsOf(list)).toEqual(['ad', 'wide']);
    expect(readTags(' promo, #ad,,promo ')).toEqual(['promo', 'ad']);
  });
});
