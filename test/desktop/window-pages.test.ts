/**
 * The pure parts of the window's pages: what can be done with a render, what the queue shows, what template files hold.
 */
import { describe, expect, test } from 'vitest';
import type { WindowRender } from '../../shared/api.ts';
import type { CompiledElement } from '../../shared/preview.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { actionsOf, type ActionContext } from '../../renderer/queue/render-actions.ts';
import {
  batchStanding,
  dropTarget,
  filtered,
  isFiltering,
  linesOf,
  moveTarget,
  nameParts,
  noFilter,
  rendersToFind,
  sorted,
  toggledStage,
} from '../../renderer/queue/queue-view.ts';
import { cutMiddle, timeOrMoment } from '../../renderer/ui/format.ts';
import { hintFor } from '../../renderer/queue/display.ts';
import { fieldProblem } from '../../renderer/editor/render/words.ts';
import { goodMoment, momentOf, openingMoment } from '../../shared/good-moment.ts';
import { noOptions, optionsOf, requestBody } from '../../renderer/editor/render/render-request.ts';
import {
  readFile,
  readTemplateFile,
  templateFileName,
  templateFileText,
} from '../../renderer/templates/template-file.ts';
import {
  readTags,
  shownTemplates,
  tagsOf,
  tagsProblem,
  tagsThatFit,
  templateFacts,
  timeInTrash,
} from '../../renderer/templates/template-view.ts';
import { wrongIn } from '../../renderer/editor/making/new-document.ts';
import {
  beginnings,
  cardsToShow,
  chosenFor,
  firstPage,
  recentTemplates,
} from '../../renderer/home/home-view.ts';
import { linesToReach } from '../../renderer/ui/menu.ts';
import { hiddenPanes, readPanes, shownPanes } from '../../renderer/editor/panes.ts';
import { rememberedOptions, withOptions } from '../../renderer/editor/render/remembered-options.ts';
import { rowsToDraw, Slots } from '../../renderer/ui/rows.ts';

/** A render in a state. */
function make(id: string, more: Partial<WindowRender> & { status?: string } = {}): WindowRender {
  const { status = 'succeeded', record, ...rest } = more;
  return {
    id,
    project: 'default',
    createdAt: 0,
    expiresAt: 0,
    attempts: 1,
    cancelled: false,
    order: 0,
    record: { id, status, url: '', output_format: 'mp4', ...record } as WindowRender['record'],
    ...rest,
  };
}

const context: ActionContext = {
  isDesktop: false,
  place: undefined,
  queued: 0,
  hasTemplate: false,
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
      'open play download again againWith_– openTemplate_– moveTop_– moveUp_– moveDown_– moveBottom_– copyId copyUrl copyCurl saveLog keep remove'.split(
        ' ',
      ),
    ],
    [
      'done on the desktop, of a template',
      make('a'),
      { isDesktop: true, hasTemplate: true },
      'open play show saveCopy again againWith openTemplate moveTop_– moveUp_– moveDown_– moveBottom_– copyId copyUrl copyCurl saveLog keep remove'.split(
        ' ',
      ),
    ],
    [
      'done, and kept',
      make('a', { kept: true }),
      {},
      'open play download again againWith_– openTemplate_– moveTop_– moveUp_– moveDown_– moveBottom_– copyId copyUrl copyCurl saveLog letExpire remove'.split(
        ' ',
      ),
    ],
    [
      'the first of two that wait',
      make('a', { status: 'planned', attempts: 0 }),
      { place: 1, queued: 2 },
      'open_– play_– download_– again againWith_– openTemplate_– moveTop_– moveUp_– moveDown moveBottom copyId copyUrl_– copyCurl saveLog_– cancel'.split(
        ' ',
      ),
    ],
    [
      'failed',
      make('a', { status: 'failed' }),
      {},
      'open_– play_– download_– again againWith_– openTemplate_– moveTop_– moveUp_– moveDown_– moveBottom_– copyId copyUrl_– copyError copyCurl saveLog remove'.split(
        ' ',
      ),
    ],
    [
      'running',
      make('a', { status: 'rendering' }),
      {},
      'open_– play_– download_– again againWith_– openTemplate_– moveTop_– moveUp_– moveDown_– moveBottom_– copyId copyUrl_– copyCurl saveLog cancel'.split(
        ' ',
      ),
    ],
    [
      'running, with frames to be seen',
      make('a', {
        status: 'rendering',
        progress: { phase: 'rendering', frame: 1, frames: 9, percent: 9 },
      }),
      {},
      'open_– play download_– again againWith_– openTemplate_– moveTop_– moveUp_– moveDown_– moveBottom_– copyId copyUrl_– copyCurl saveLog cancel'.split(
        ' ',
      ),
    ],
  ];
  test('what can’t be done says why: what ended has no place in the queue', () => {
    const reasons = actionsOf(make('a'), { ...context, place: undefined, queued: 2 }).flatMap(
      ({ name, reason }) => (name.startsWith('move') ? [reason] : []),
    );
    expect(new Set(reasons)).toEqual(new Set(['Only queued renders can be moved.']));
  });

  test.each(cases)('%s', (_name, render, more, expected) => {
    expect(offered(render, more)).toEqual(expected.map((word) => word.replace('_', ' ')));
  });
});

describe('the queue', () => {
  const film = make('film', { name: 'Autumn', createdAt: 3 });
  const picture = make('picture', {
    createdAt: 5,
    startedAt: 0,
    finishedAt: 9000,
    project: 'second',
    record: { output_format: 'png', template_id: 't' } as WindowRender['record'],
    name: 'Zebra',
  });
  const stopped = make('stopped', { status: 'failed', cancelled: true, createdAt: 1 });
  const failed = make('failed', {
    status: 'failed',
    createdAt: 2,
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

  test('stages are wanted one by one; cancelled ones come with the failed ones and go with them', () => {
    const after = (...stages: Parameters<typeof toggledStage>[1][]): readonly string[] =>
      stages.reduce(toggledStage, noFilter).stages;
    expect(after('active', 'done')).toEqual(['active', 'done']);
    expect(after('active', 'done', 'active')).toEqual(['done']);
    expect(after('cancelled')).toEqual(['failed', 'cancelled']);
    expect(after('done', 'failed', 'cancelled')).toEqual(['done', 'failed', 'cancelled']);
    expect(after('cancelled', 'cancelled')).toEqual(['failed']);
    expect(after('cancelled', 'failed')).toEqual([]);
    expect([isFiltering(noFilter), isFiltering({ ...noFilter, formats: ['mp4'] })]).toEqual([
      ...[false, true],
    ]);
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

  test('a search through everything finds any render by its name or ID', () => {
    const many = Array.from({ length: 90 }, (_, index) => make(`id-${index}`, { name: 'Card' }));
    const renders = [...many, make('7f3a9c1e-52d1', { name: 'Spring film' })];
    expect(rendersToFind(renders, '', 40)).toEqual(renders.slice(0, 40));
    for (const words of ['7F3A9C1E-52d1', ' spring ']) {
      expect(rendersToFind(renders, words, 40).at(-1)?.name).toBe('Spring film');
    }
    expect(rendersToFind(renders, 'card', 40)).toHaveLength(80);
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

  test.each([
    ['b', false, 'b'],
    ['b', true, 'c'],
    ['c', true, null],
  ] as const)('dropped on %s (lower half: %s) it comes in front of %s', (over, isLower, before) => {
    expect(dropTarget(['a', 'b', 'c'], over, isLower)).toBe(before);
  });

  test.each([
    ['Story 9:16', null],
    ['An autumn campaign – square', { start: 'An autumn campaign ', end: '– square' }],
    ['Promo_for_the_harbour_market', { start: 'Promo_for_the_harb', end: 'our_market' }],
    // A family is one letter.
    ['👩‍👩‍👧'.repeat(16), { start: '👩‍👩‍👧'.repeat(6), end: '👩‍👩‍👧'.repeat(10) }],
  ])('the end of the name %s is never cut', (name, parts) => {
    expect(nameParts(name)).toEqual(parts);
  });

  test('a batch adds up its renders, and tells its time left from those that are done', () => {
    const progress = { phase: 'rendering', frame: 5, frames: 10, percent: 50 } as const;
    const took = { startedAt: 0, finishedAt: 20_000 };
    const waiting = make('3', { status: 'planned' });
    const running = make('4', { status: 'rendering', progress });
    const members = [make('1', took), make('2', { status: 'failed' }), waiting, running];
    expect(batchStanding(members)).toEqual({
      counts: { done: 1, failed: 1, queued: 1, active: 1, cancelled: 0 },
      percent: 62.5,
      secondsLeft: 30,
    });
    // Two at a time take half as long.
    expect(batchStanding([...members, running, waiting]).secondsLeft).toBe(30);
    expect(batchStanding([waiting, running])).not.toHaveProperty('secondsLeft');
    expect(batchStanding([make('1', took)])).toMatchObject({ percent: 100 });
    expect(batchStanding([make('1', took)])).not.toHaveProperty('secondsLeft');
  });
});

test.each([
  ['Source error: Clip.source: The server answered 404', /“Clip” and choose/, undefined],
  ['Source error: Clip.source: This address is not allowed', /Network/, 'allowPrivateAddresses'],
  [
    'Source error: Clip.source: Files outside the media folders',
    /Settings ▸ Sources/,
    'mediaFolders',
  ],
  ['Source error: Clip.fill_color: Expected a color', /“Clip”: the property/, undefined],
  ['Render error: The disk is full', /Free some space.*, then Render again\.$/, 'outputFolder'],
  ['Render error: The encoder stopped', /last lines/, undefined],
  ['Render error: The renderer ran out of memory', /fewer large pictures/, undefined],
  ['Render error: The renderer stopped responding', /save the log/, undefined],
])('hint for %s', (message, text, setting) => {
  const hint = hintFor(message, { element: 'Clip', hasTemplate: true });
  expect(hint?.text).toMatch(text);
  expect(hint?.setting).toBe(setting);
});
test.each([
  ['Source error: Clip.source: The server answered 404', 'Clip', /Send the request again/],
  ['Source error: Clip.fill_color: Expected a color', 'Clip', /send the request again/],
  ['Source error: width: Expected a number ending with px', undefined, /send the request again/],
])('without a template no hint names one: %s', (message, element, text) => {
  const hint = hintFor(message, { element, hasTemplate: false });
  expect(hint?.text).toMatch(text);
  expect(hint?.text).not.toMatch(/template/i);
});
test('a value that belongs to no element is not looked for at one', () => {
  const message = 'Source error: width: Expected a number ending with px';
  const hint = hintFor(message, { element: undefined, hasTemplate: true });
  expect(hint?.text).toBe('Open the template: the property does not accept this value.');
});
test('a message that says it all has no hint', () => {
  expect(hintFor('Render error: Cancelled', { element: undefined, hasTemplate: true })).toBeNull();
});

describe('Home', () => {
  const now = Date.UTC(2026, 6, 1);
  const days = (count: number): number => now - count * 24 * 3_600_000;
  test.each([
    ['nothing was rendered', [], 'home'],
    ['the window asked for what has ended', [make('a', { createdAt: days(0) })], 'home'],
    ['something waits', [make('a'), make('b', { status: 'planned' })], 'queue'],
    ['something runs', [make('a', { status: 'rendering' })], 'queue'],
    ['a script asked lately', [make('a', { fromApi: true, createdAt: days(6) })], 'queue'],
    ['a script asked long ago', [make('a', { fromApi: true, createdAt: days(8) })], 'home'],
  ] as const)('is first unless the queue matters: %s', (_, renders, page) => {
    expect(firstPage(renders, now)).toBe(page);
  });

  test('has what a person made of the chosen project, the last changed first', () => {
    const made = (id: string, name: string, updatedAt: number, project = 'p') => ({
      ...{ id, project, name, tags: [], createdAt: 1, updatedAt },
    });
    const list = [
      made('untouched', 'Promo square', 1),
      made('changed', 'Promo square', 3),
      made('own', 'Ridge', 1),
      made('newest', 'Dunes', 9),
      made('elsewhere', 'Dunes', 9, 'q'),
    ];
    const ids = recentTemplates(list, ['Promo square'], 'p').map(({ id }) => id);
    expect(ids).toEqual(['newest', 'changed', 'own']);
  });

  test('fills rows, and shows three cards at least', () => {
    expect([0, 1, 2, 3, 4, 10].map(cardsToShow)).toEqual([3, 3, 4, 3, 4, 10]);
  });

  test('begins with documents that can be rendered', () => {
    expect(beginnings.map((one) => wrongIn(chosenFor(one)))).toEqual(beginnings.map(() => null));
  });
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
    const id = '7d0cbf0a-98a5-4a0c-9d8b-8bd9f4f7e0a1';
    const text = templateFileText(id, 'Promo', ['ad'], source);
    const read = readTemplateFile('other.renderscript', `\uFEFF${text}`);
    expect(read).toMatchObject({
      ok: true,
      file: {
        id,
        name: 'Promo',
        tags: ['ad'],
        source,
        elements: 5,
        files: ['media/a.mp4'],
        addresses: ['https://a.example/b.png'],
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

  test('a name that is too long is cut, and tags that can not be are told', () => {
    const given = [
      'ad',
      ' ad ',
      '',
      7,
      'x'.repeat(65),
      ...Array.from({ length: 60 }, (_, n) => `t${n}`),
    ];
    const text = JSON.stringify({ name: 'n'.repeat(300), tags: given, source });
    const read = readTemplateFile('a.json', text);
    if (!read.ok) throw new Error(read.reason);
    const { name, longName, tags, lostTags } = read.file;
    expect([name.length, longName, tags.length]).toEqual([256, 300, 50]);
    expect(tags.slice(0, 2)).toEqual(['ad', 't0']);
    expect(lostTags).toEqual([
      'x'.repeat(65),
      ...Array.from({ length: 11 }, (_, n) => `t${n + 49}`),
    ]);
  });

  test('what is no template file by its name is not told about JSON', () => {
    expect(readTemplateFile('notes.txt', 'Buy milk')).toEqual({
      ok: false,
      reason: 'not-a-template',
    });
    expect(readTemplateFile('clip.json', 'Buy milk')).toEqual({ ok: false, reason: 'not-json' });
  });

  test('a file that is too large is not read', async () => {
    const large = new File([new Uint8Array(11_100_000)], 'large.json');
    expect(await readFile(large)).toEqual({ ok: false, reason: 'too-large' });
    expect((await readFile(new File([JSON.stringify(source)], 'a.json'))).ok).toBe(true);
  });

  test.each([
    ['short', 60, 'short'],
    ['0123456789', 7, '012…789'],
    ['🙂🙂🙂🙂🙂🙂', 5, '🙂🙂…🙂🙂'],
  ])('%s cut to %i letters: %s', (text, most, cut) => {
    expect(cutMiddle(text, most)).toBe(cut);
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
    id,
    project: 'p',
    name,
    tags,
    createdAt: 10 - updatedAt,
    updatedAt,
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

  test.each([
    ['promo, ad', ''],
    ['x'.repeat(64), ''],
    [`ad, ${'x'.repeat(65)}`, '“xxxxxxxxxxxxxxxxxxxx…” has 65 letters. A tag has at most 64.'],
    [
      Array.from({ length: 51 }, (_, n) => n).join(),
      'These are 51 tags. A template has at most 50.',
    ],
  ])('what is wrong with tags: %s', (text, problem) => {
    expect(tagsProblem(text)).toBe(problem);
  });

  test.each([
    [[], 2, 0],
    [['one'], 1, 1],
    [['promo', 'ad', 'story'], 2, 3],
    [Array.from({ length: 30 }, (_, n) => `tag ${n}`), 2, 5],
    [Array.from({ length: 30 }, (_, n) => `tag ${n}`), 1, 1],
    [['captions', 'video'], 1, 2],
    // One is always shown, however long it is.
    [['x'.repeat(64), 'y'.repeat(64), 'z'.repeat(64)], 1, 1],
  ] as const)('of the tags %j in %i lines there is room for %i', (tags, lines, count) => {
    expect(tagsThatFit(tags, lines)).toBe(count);
  });

  test.each([
    [{ outputFormat: 'mp4', width: 1080, height: 1080, duration: 15 }, 'mp4 · 1080×1080 · 15 s'],
    [{ outputFormat: 'mp4', duration: 15 }, 'mp4 · 15 s'],
    [{ outputFormat: 'mp4', width: 1080, height: 1080 }, 'mp4 · 1080×1080'],
    [{ outputFormat: 'png', width: 800, height: 420 }, 'png · 800×420'],
    [{}, ''],
  ] as const)('the facts of a card: %j', (facts, text) => {
    const template = { id: 'a', project: 'p', name: 'n', tags: [], createdAt: 1, updatedAt: 1 };
    expect(templateFacts({ ...template, ...facts }).replaceAll('\u00a0', ' ')).toBe(text);
  });
});

describe('what a render was asked for, in the render dialog again', () => {
  const keys = ['Title', 'Logo.source'];
  const subject = { id: 't', source: { output_format: 'mp4', elements: [] }, isDraft: false };
  test.each([
    { modifications: { Title: 'Hello', 'Logo.source': 'a.png' } },
    { modifications: { Title: 'Hello', 'Title.fill_color': '#fff', 'Dot.opacity': 0.5 } },
    { render_scale: 0.5, max_width: 640, max_height: 360 },
    { webhook_url: 'https://a.example/', metadata: 'order 7', output_format: 'jpg' },
    { output_format: 'gif', frame_rate: 12, modifications: { gif_quality: 'best' } },
    { frame_rate: 24, modifications: { crf: 28 } },
    { modifications: { crf: 19 } },
    {},
  ])('%j', (asked) => {
    const request = { template_id: 't', ...asked };
    expect(requestBody(subject, optionsOf(request, keys))).toEqual({ ok: true, body: request });
  });

  test('what has no field of its own is told as JSON; the template’s own format is no choice', () => {
    const request = { modifications: { Title: 'A', 'Dot.x': 1 }, output_format: 'mp4' };
    const options = optionsOf(request, keys);
    expect([options.modifications, JSON.parse(options.other)]).toEqual([
      { Title: 'A' },
      { 'Dot.x': 1 },
    ]);
    expect(requestBody(subject, options)).not.toHaveProperty('body.output_format');
  });
});

test('a gif gets a frame rate that it can have; what was not saved goes along as a whole', () => {
  const gif = { ...noOptions, format: 'gif' as const };
  const bodyOf = (source: Source, isDraft = false): unknown =>
    requestBody({ id: 't', source, isDraft }, gif);
  const film = { output_format: 'mp4', frame_rate: 30 };
  expect(bodyOf(film)).toMatchObject({ body: { output_format: 'gif', frame_rate: 15 } });
  expect(bodyOf({ output_format: 'mp4' })).toMatchObject({ body: { frame_rate: 15 } });
  expect(bodyOf({ ...film, frame_rate: '12 fps' })).not.toHaveProperty('body.frame_rate');
  const draft = requestBody({ id: 't', source: film, isDraft: true }, noOptions);
  expect(draft).toEqual({ ok: true, body: { source: film } });
});

test.each([
  [
    'frame_rate: Expected a number between 1 and 15',
    'frameRate',
    'Frame rate: Expected a number between 1 and 15',
  ],
  [
    "The parameter 'render_scale' should be a number from 0.1 to 10.",
    'scale',
    'Scale: Expected a number from 0.1 to 10',
  ],
  [
    "The parameter 'webhook_url' should be an address.",
    'webhook',
    'Webhook address: Expected an address',
  ],
  ['Title.fill_color: Expected a color', null, 'Title · Fill: Expected a color'],
  ['Photo.source: Expected a text', null, 'Photo: Expected a text'],
  [
    'duration: Expected a number between 0 and 300',
    null,
    'Length: Expected a number between 0 and 300',
  ],
  ['Something else went wrong', null, 'Something else went wrong'],
])('in the words of the dialog: %s', (sentence, field, told) => {
  const problem = fieldProblem(sentence);
  expect([problem.field, problem.sentence]).toEqual([field, told]);
});

test('the moment that shows most: the middle of the stretch with most elements', () => {
  const at = (start: number, duration: number, type = 'text'): CompiledElement => ({
    path: '',
    name: '',
    track: 1,
    type,
    start,
    duration,
  });
  const momentWith = (...elements: CompiledElement[]): number =>
    goodMoment({ elements, frameCount: 100, frameRate: 10 });
  expect(momentWith()).toBe(5);
  expect(momentWith(at(0, 10), at(2, 4))).toBe(4);
  // Scenes after each other, of which the second has more in it; sounds and what holds others count for nothing.
  expect(momentWith(at(0, 5), at(5, 5), at(6, 2), at(0, 5, 'audio'), at(0, 5, 'composition'))).toBe(
    7,
  );
  expect(momentWith(at(0, 3), at(3, 7))).toBe(6.5);
  expect(momentWith(at(8, 20))).toBe(9.5);
  // Two scenes that pass into each other: four elements are there between 4.2 and 5, but not to be looked at.
  expect(momentWith(at(0, 5), at(0, 5), at(4.2, 5.8), at(4.2, 5.8))).toBe(7.1);
  expect(goodMoment({ elements: [at(0, 1)], frameCount: 1, frameRate: 25 })).toBe(0);
});

test('the moment at which the editor opens: the first, unless nothing has entered yet', () => {
  const title = { path: 'elements[0]', name: '', track: 1, type: 'text', start: 0, duration: 10 };
  const opened = (
    elements: readonly CompiledElement[],
    seen: readonly string[],
    snapshot: number | null,
  ): number =>
    openingMoment(
      {
        ...{ width: 100, height: 100, documentWidth: 100, documentHeight: 100, scale: 1 },
        ...{ time: 0, frame: 0, frameCount: 100, frameRate: 10, duration: 10 },
        ...{ elements, lengths: {}, overflows: [], warnings: [] },
        outlines: Object.fromEntries(
          seen.map((path) => [path, { corners: [0, 0, 1, 0, 1, 1, 0, 1], width: 1, height: 1 }]),
        ),
      },
      snapshot,
    );
  expect(opened([title], ['elements[0]'], 4)).toBe(0);
  expect(opened([title], [], 4)).toBe(4);
  expect(opened([title], [], 40)).toBe(9.9);
  expect(opened([title], [], null)).toBe(5);
  // Nothing is ever seen of sounds, and of a document without elements.
  expect(opened([{ ...title, type: 'audio' }], [], 4)).toBe(0);
  expect(opened([], [], 4)).toBe(0);
});

test('the moment at which an element can be seen: now, or inside of its time', () => {
  expect(momentOf({ start: 1, duration: 2 }, 2, 10, true)).toBe(2);
  expect(momentOf({ start: 1, duration: 2 }, 0, 10, true)).toBe(2);
  expect(momentOf({ start: 1, duration: 0.2 }, 5, 10, true)).toBe(1.1);
  expect(momentOf({ start: 1, duration: 0 }, 5, 10, true)).toBe(5);
  // It is there, but still entering or already leaving; in the middle it is simply transparent.
  expect(momentOf({ start: 1, duration: 4 }, 1, 10, false)).toBe(2);
  expect(momentOf({ start: 1, duration: 4 }, 4.8, 10, false)).toBe(2);
  expect(momentOf({ start: 1, duration: 4 }, 3, 10, false)).toBe(3);
  expect(momentOf({ start: 1, duration: 0.2 }, 1.1, 10, false)).toBe(1.1);
});

test.each([
  ['at the top', { scrolled: 0 }, 0, [0, 1, 2, 3, 4, 5, 6, 7]],
  ['in the middle', { scrolled: 205 }, 20, [18, 19, 20, 21, 22, 23, 24, 25]],
  ['as many where no row is cut', { scrolled: 200 }, 20, [18, 19, 20, 21, 22, 23, 24, 25]],
  ['at the end', { scrolled: 10_000 - 30 }, 999, [992, 993, 994, 995, 996, 997, 998, 999]],
  ['fewer rows than there is room', { scrolled: 0, rows: 3 }, 0, [0, 1, 2]],
  ['without a focus', { scrolled: 205 }, -1, [18, 19, 20, 21, 22, 23, 24]],
  ['the focus above', { scrolled: 205 }, 3, [3, 18, 19, 20, 21, 22, 23, 24]],
  ['the focus below', { scrolled: 0 }, 700, [0, 1, 2, 3, 4, 5, 6, 700]],
  ['not measured yet', { scrolled: 0, visibleHeight: 0 }, 0, [0, 1, 2, 3, 4, 5]],
  ['empty', { scrolled: 0, rows: 0 }, 0, []],
])('rows of a long list, %s', (_case, change, kept, expected) => {
  const list = { visibleHeight: 20, rowHeight: 10, rows: 1000, spare: 2, ...change };
  expect(rowsToDraw(list, kept)).toEqual(expected);
});

test('rows that stay keep their elements, and those that come take the free ones', () => {
  const slots = new Slots();
  expect(slots.assign(['a', 'b', 'c', 'd'])).toEqual([0, 1, 2, 3]);
  expect(slots.assign(['c', 'd', 'e', 'f'])).toEqual([2, 3, 0, 1]);
  expect(slots.assign(['b', 'c', 'd', 'e', 'f'])).toEqual([4, 2, 3, 0, 1]);
  expect(slots.assign(['x'])).toEqual([0]);
  expect(slots.assign([])).toEqual([]);
});

test('a key of a long menu brings what it leads to into the page', () => {
  const labels = Array.from({ length: 500 }, (_, index) => `Bar ${index + 1}`);
  const needed = (goal: Parameters<typeof linesToReach>[2]): number =>
    linesToReach(labels, 60, goal);
  expect([needed({ words: '' }), needed({ words: 'bar 7' }), needed({ words: 'x' })]).toEqual([
    ...[60, 60, 60],
  ]);
  expect([needed({ words: 'bar 321' }), needed('end')]).toEqual([380, 500]);
});

test('the editor’s panes are remembered by name, and never all three hidden', () => {
  const usual = readPanes({}, []);
  expect([usual.left, usual.right, Object.values(usual.hidden)]).toEqual([
    ...[256, 300, [false, false, false, false]],
  ]);
  const panes = readPanes({ left: 400 }, ['preview']);
  expect([panes.left, panes.right, panes.hidden.preview]).toEqual([400, 300, true]);
  expect(hiddenPanes(panes, 'source', false, true)).toEqual(['preview', 'source']);
  expect(hiddenPanes(panes, 'preview', true, true)).toEqual([]);
  // Without room for three, fields and source are one pane.
  expect(hiddenPanes(usual, 'left', false, false)).toEqual(['left', 'source']);
  expect(readPanes({}, ['left', 'preview', 'source']).hidden.preview).toBe(false);
  // The timeline lies below the picture.
  expect(hiddenPanes(usual, 'timeline', false, false)).toEqual(['timeline']);
  expect([usual, panes].map((one) => shownPanes(one, true).timeline)).toEqual([true, false]);
});

test('the choices of the last render are remembered by template, the newest fifty', () => {
  const options = { ...noOptions, scale: '0.5', format: 'gif' as const };
  const modified = { ...options, modifications: { Title: 'Again' } };
  const kept = withOptions(withOptions({}, 'a', options), 'b', modified);
  const source = { output_format: 'gif' };
  const own = { ...modified, format: '' };
  expect(rememberedOptions(kept, { id: 'b', source })).toEqual(own);
  // Another format than the template's was wanted once.
  const film = { id: 'b', source: { output_format: 'mp4' } };
  expect(rememberedOptions(kept, film)).toEqual({ ...own, scale: '' });
  expect(rememberedOptions(kept, { id: 'c', source })).toEqual({});
  const broken = { a: { scale: 5, format: 'avi' } };
  expect(rememberedOptions(broken, { id: 'a', source })).toEqual({ format: '' });
  const many = Array.from({ length: 60 }, (_, index) => `t${index}`);
  const full = many.reduce((all, id) => withOptions(all, id, options), kept);
  expect([Object.keys(full).length, Object.keys(full)[0]]).toEqual([50, 't10']);
  // A picture written into a field is not kept, nor what was chosen before it.
  const long = { ...options, modifications: { Logo: 'x'.repeat(30_000) } };
  expect(Object.keys(withOptions(kept, 'a', long))).toEqual(['b']);
});

test('how long a template is in the Trash is told in days, however many', () => {
  const [hour, day] = [60 * 60_000, 24 * 60 * 60_000];
  const now = 1_700_000_000_000;
  const told = [2 * hour, day, 18 * day].map((age) => timeInTrash(now - age, now));
  expect(told).toEqual(['2 h ago', 'yesterday', '18 days ago']);
});

test('recovered work tells its time, and its day when that is another one', () => {
  const [then, later] = [new Date(2026, 10, 21, 14, 5), new Date(2026, 10, 21, 23)];
  expect(timeOrMoment(then.getTime(), later.getTime(), 'en-GB')).toBe('14:05');
  expect(timeOrMoment(then.getTime(), later.getTime(), 'en-US')).toMatch(/^2:05.PM$/);
  const next = new Date(2026, 10, 22, 1).getTime();
  expect(timeOrMoment(then.getTime(), next, 'en-GB')).toMatch(/21 Nov 2026.*14:05/);
});
