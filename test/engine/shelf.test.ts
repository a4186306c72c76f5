/**
 * What is ready-made: every piece is valid, stands within every picture, passes the check, and is found by its name.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { standingElements } from '../../shared/engine/layout/standing.ts';
import { languages } from '../../shared/languages.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { hintProblems } from '../../shared/renderscript/hints.ts';
import { checkDocument } from '../../server/engine/check/check.ts';
import { prepareDocument } from '../../server/jobs/desk/prepare-document.ts';
import { contextFor } from '../../renderer/editor/making/pieces.ts';
import {
  foundPieces,
  isOfUse,
  keyOf,
  shelfElement,
  shelfKinds,
  shelfPieces,
} from '../../renderer/editor/shelf/shelf.ts';
import { chartIn, pastedRows, withChartRows } from '../../renderer/editor/shelf/chart.ts';
import { firstIcons } from '../../renderer/editor/shelf/icons.ts';
import { firstEmoji, loadLibrary } from '../../renderer/editor/shelf/library.ts';
import type { ShelfPiece } from '../../renderer/editor/shelf/parts.ts';
import { textsIn } from '../../renderer/ui/language.ts';
import { messages, say, speak } from '../../renderer/ui/say.ts';
import { openDrawing } from '../helpers/drawing.ts';
import { jobInto } from '../helpers/engine.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'framewright-shelf-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What becomes an element; a transition becomes one of a cut. */
const added = shelfPieces.filter(({ piece }) => !piece.transition);

/** All pieces in one document: at once, or one after the other. */
function shelfIn(width: number, height: number, seconds: number | null, still = false): Source {
  const ground: Source = {
    output_format: still ? 'png' : 'mp4',
    width,
    height,
    fill_color: '#12161c',
  };
  const context = contextFor(ground);
  return {
    ...ground,
    ...(!still && {
      frame_rate: 25,
      duration: (seconds ?? 4) * (seconds === null ? 1 : added.length),
    }),
    elements: added.map(({ piece }, index) => ({
      ...shelfElement(piece, context, still),
      name: piece.id,
      ...(seconds !== null && { track: 1, time: index * seconds, duration: seconds }),
    })),
  };
}

/** What is in these reaches over their box. */
const beyond = ({ id, size }: ShelfPiece): boolean => size === 'whole' || id === 'badgeBurst';

test('each piece has its own name, and as many are there as are promised', () => {
  const ids = shelfPieces.map(({ piece }) => piece.id);
  expect(new Set(ids).size).toBe(ids.length);
  const named = Object.keys(messages).filter((key) => key.startsWith('shelf.name.'));
  const own = shelfPieces.map(({ piece }) => keyOf(piece)).filter((key) => named.includes(key));
  expect(own.sort()).toEqual(named.sort());
  const shapes = shelfPieces.filter(({ kind }) => kind === 'shapes').length;
  expect(shapes).toBeGreaterThanOrEqual(60);
  // Transitions of cuts are the timeline's own.
  expect(added.length - shapes).toBeGreaterThanOrEqual(120);
});

test.each([
  ['9:16', 1080, 1920],
  ['1:1', 1080, 1080],
  ['16:9', 1920, 1080],
])('in %s all are valid and stand within the picture', async (_, width, height) => {
  const source = shelfIn(width, height, null);
  expect([...validate(source), ...hintProblems(source)]).toEqual([]);
  const drawing = await openDrawing(source, { scratch, mediaFolders: [], renderScale: 1 });
  try {
    const moments = standingElements(drawing.timeline, drawing.context);
    const outside = moments.flat().flatMap(({ path: at, parent, area, room }) => {
      const index = Number(/\d+/.exec(at)?.[0]);
      const one = added[index];
      if (!one || (parent !== '' && beyond(one.piece))) return [];
      const isIn =
        area.x >= -1 &&
        area.y >= -1 &&
        area.x + area.width <= room.width + 1 &&
        area.y + area.height <= room.height + 1;
      return isIn ? [] : [`${one.piece.id} ${at}`];
    });
    expect([...new Set(outside)]).toEqual([]);
    expect(moments.flat().length).toBeGreaterThan(shelfPieces.length);
  } finally {
    drawing.close();
  }
});

test('the check before rendering finds nothing to say of any', async () => {
  const { problems, text } = prepareDocument({ source: shelfIn(640, 360, 1.6), scaling: {} });
  const job = jobInto(scratch, 'film.mp4', JSON.parse(text) as Source);
  const { findings } = await checkDocument(
    { ...job, mediaFolders: [], problems },
    new AbortController().signal,
  );
  const told = findings
    .filter(({ level }) => level !== 'hint')
    .map(({ code, path: at, message }) => {
      const { piece } = added[Number(/\d+/.exec(at)?.[0])] ?? {};
      return `${piece?.id ?? ''} ${code} ${at} ${message}`;
    });
  expect(told).toEqual([]);
});

test('a picture has no transitions and captions', () => {
  expect(foundPieces('karaoke').map(({ id }) => id)).toContain('look:karaoke');
  expect(foundPieces('karaoke', null, true)).toEqual([]);
  expect(isOfUse('transitions', true)).toBe(false);
  expect(isOfUse('transitions', false)).toBe(true);
});

const chartOf = (id: string): JsonObject => {
  const found = shelfPieces.find(({ piece }) => piece.id === id);
  if (!found) throw new Error(`There is no ${id}.`);
  return shelfElement(found.piece, contextFor({ output_format: 'mp4', width: 1920, height: 1080 }));
};
const charts = shelfKinds.find(({ id }) => id === 'charts')?.pieces.map(({ id }) => id) ?? [];
const rowsIn = (chart: JsonObject) =>
  chartIn(chart)?.rows.map(({ label, value }) => [label, value]);
/** Everything in a chart that is written under a name. */
const valuesIn = (chart: JsonObject, name: string): string[] =>
  [...JSON.stringify(chart).matchAll(new RegExp(`"${name}":("[^"]*")`, 'g'))].map(([, value]) =>
    String(JSON.parse(value ?? '')),
  );

test.each(charts)('%s is read as written, and nothing changes with the same values', (id) => {
  const made = chartOf(id);
  const chart = chartIn(made);
  expect(chart?.rows.length).toBeGreaterThan(0);
  expect(withChartRows(made, chart?.rows ?? [], new Set())).toEqual(made);
});

test.each(charts.filter((id) => id !== 'chartRing'))('%s takes a value more or less', (id) => {
  const made = chartOf(id);
  const rows = chartIn(made)?.rows ?? [];
  const last = rows.at(-1);
  if (!last) throw new Error('There is no value.');
  const names = new Set(valuesIn(made, 'name'));
  const more = withChartRows(made, [...rows, { ...last, label: 'More', value: '7' }], names);
  expect(rowsIn(more)?.at(-1)).toEqual(['More', '7']);
  expect(validate({ width: 100, height: 100, elements: [more] })).toEqual([]);
  const parts = valuesIn(more, 'name').filter((name) => name.startsWith('Value '));
  expect(new Set(parts).size).toBe(parts.length);
  // Without the first, the others stay what they were.
  expect(rowsIn(withChartRows(more, rows.slice(1), new Set()))).toEqual(rowsIn(made)?.slice(1));
});

test('what shows a value follows it, and its animation stays', () => {
  const change = (id: string, ...values: string[]): JsonObject => {
    const made = chartOf(id);
    const rows = chartIn(made)?.rows ?? [];
    const next = values.map((value, from) => ({
      label: 'A',
      from: rows.length > from ? from : 0,
      value,
    }));
    return withChartRows(made, next, new Set());
  };
  const bars = change('chartBars', '€ 1,200', '€ 600', 'none 0', '€ 300.00');
  expect(valuesIn(bars, 'width')).toEqual(expect.arrayContaining(['50%', '0%', '25%']));
  expect(JSON.stringify(bars).match(/"axis":"x"/g)).toHaveLength(4);
  expect(JSON.stringify(change('chartColumns', '10', '20'))).toContain('"height":"40%"');
  // A ring keeps its keyframes.
  const ring = JSON.stringify(change('chartRing', '25%'));
  expect(ring).toContain(
    '{"time":0.2,"value":"0%"},{"time":1.1,"value":"25%","easing":"cubic-out"}',
  );
  const donut = JSON.stringify(change('chartDonut', '1', '1', '2'));
  expect(donut).toContain('"stroke_start":"50%"');
  expect(donut).toContain('{"time":0.2,"value":"50%"},{"time":1.1,"value":"100%"');
  expect(valuesIn(change('chartLine', '0', '10'), 'path')).toEqual(
    expect.arrayContaining(['M 25 100 L 75 20', 'M 25 100 L 75 20 L 75 100 L 25 100 Z']),
  );
  expect(valuesIn(change('chartVersus', '1', '3'), 'width')).toEqual(
    expect.arrayContaining(['25%', '75%']),
  );
  // Nothing, and values below nothing, have no length.
  expect(valuesIn(change('chartBars', '0', '-5'), 'width').join()).not.toMatch(/NaN|Infinity|-/);
});

test.each([
  [
    '12, 30, 45',
    [
      ['Item 1', '12'],
      ['Item 2', '30'],
      ['Item 3', '45'],
    ],
  ],
  [
    'Mon\t12\r\nTue\t1,250.5\n',
    [
      ['Mon', '12'],
      ['Tue', '1,250.5'],
    ],
  ],
  [
    '2023; 4 %\n2024; 5 %',
    [
      ['2023', '4 %'],
      ['2024', '5 %'],
    ],
  ],
  ['1,250', null],
  ['words', null],
] as const)('pasting %j', (text, expected) => {
  const chart = chartIn(chartOf('chartBars'));
  const pasted = chart && pastedRows(text, chart);
  expect(pasted?.map(({ label, value }) => [label, value]) ?? null).toEqual(expected);
});

test('other groups are no charts', () => {
  const others = added.filter(({ kind }) => kind !== 'charts' && kind !== 'shapes');
  const context = contextFor({ output_format: 'mp4', width: 1920, height: 1080 });
  const taken = others.filter(({ piece }) => chartIn(shelfElement(piece, context)));
  expect(taken.map(({ piece }) => piece.id)).toEqual([]);
});

test('in a picture nothing waits for its entrance', () => {
  const written = JSON.stringify(shelfIn(1080, 1080, null, true));
  expect(written).not.toMatch(/"animations"|"easing"/);
  expect(written).toContain('"stroke_end":"72%"');
});

test('icons are paths within their box, and emoji are texts; all are valid', async () => {
  const { icons, emoji } = await loadLibrary('en');
  expect([icons.length, emoji.length].every((count) => count > 1500)).toBe(true);
  // Names change with the set: what is shown first must be there.
  const first = icons.slice(0, firstIcons.length).map(({ id }) => id);
  expect(first).toEqual(firstIcons.map((name) => `icon:${name}`));
  expect(emoji.slice(0, firstEmoji.length).at(-1)?.name).toBe('Airplane');
  const context = contextFor({ output_format: 'png', width: 1000, height: 1000 });
  const elements = [...icons, ...emoji].map((piece) => ({
    name: piece.id,
    ...shelfElement(piece, context),
  }));
  const faults = elements.flatMap((element) =>
    validate({ width: 100, height: 100, elements: [element] }).map(
      ({ message }) => `${element.name} ${message}`,
    ),
  );
  expect(faults).toEqual([]);
  const outside = icons.filter(({ make }) => {
    const [{ path: outline = '' } = {}] = make(context);
    const points = typeof outline === 'string' ? (outline.match(/-?[\d.]+/g) ?? []) : [];
    return points.length < 4 || points.some((point) => Number(point) < 0 || Number(point) > 100);
  });
  expect(outside.map(({ id }) => id)).toEqual([]);
});

/** What people call a heart and an arrow, a part of the second, and the arrow. */
const searches = {
  en: ['heart', 'arrow', 'arr'],
  de: ['Herz', 'Pfeil', 'pfei'],
  es: ['corazon', 'flecha', 'flec'],
  pt: ['coração', 'seta', 'set'],
  ja: ['ハート', '矢印', '矢'],
} as const;

describe.each(languages)('in %s', (language) => {
  test('icons and emoji are found by what they are called, the plainest first', async () => {
    const library = await loadLibrary(language);
    const [heart, arrow, begun] = searches[language];
    const idsOf = (search: string): readonly string[] =>
      foundPieces(search, library).map(({ id }) => id);
    const hearts = idsOf(heart).filter((id) => id.startsWith('icon:'));
    expect(hearts[0]).toBe('icon:heart');
    expect(idsOf(heart)).toContain('emoji:❤️');
    expect(idsOf(arrow)).toEqual(expect.arrayContaining(['icon:arrow-up', 'emoji:⬆️']));
    expect(idsOf(begun)).toContain('icon:arrow-right');
    expect(foundPieces('qwxyz', library)).toEqual([]);
  });

  test('a search finds each piece by its name, and each kind by its own', async () => {
    speak(await textsIn(language), language);
    try {
      for (const { piece } of shelfPieces) {
        const found = foundPieces(say(keyOf(piece)));
        expect(found, piece.id).toContain(piece);
        expect(foundPieces(messages[keyOf(piece)].toUpperCase())).toContain(piece);
      }
      for (const { id, pieces } of shelfKinds)
        expect(foundPieces(say(`shelf.kind.${id}`)), id).toEqual(
          expect.arrayContaining([...pieces]),
        );
      expect(foundPieces('qwxyz')).toEqual([]);
    } finally {
      speak(messages, 'en');
    }
  });
});
