/**
 * The lines of caption pages as they are drawn: where they end, in which direction they read, and how far their words
 * stand apart.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStage } from '../../server/engine/stage.ts';
import { fontFolder } from '../../server/system/paths.ts';
import type { TextContent, TextRun } from '../../shared/engine/layout/box.ts';
import { apply } from '../../shared/engine/geometry.ts';
import { engineLimits } from '../../shared/limits.ts';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'caption-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a text shows at a moment: its stretches with their left and right edges, in frame pixels of the text's box. */
async function shownAt(text: JsonObject, moment: number) {
  const element = { type: 'text', font_family: 'Montserrat', font_size: 40, ...text };
  const stage = await openStage(
    {
      source: { output_format: 'mp4', width: 800, height: 300, duration: 9, elements: [element] },
      scaling: {},
      moment: 0,
      outputPath: path.join(folder, 'frame.png'),
      snapshotPath: path.join(folder, 'frame.jpg'),
      workFolder: folder,
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [],
      fontFolder: fontFolder(),
      allowPrivateAddresses: false,
      ownPorts: [],
      limits: engineLimits,
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  try {
    const content = stage.layout.frameAt(moment).boxes[0]?.content;
    if (content?.kind !== 'text') throw new Error('Nothing is shown');
    return stretchesOf(content);
  } finally {
    await stage.close();
  }
}

interface Shown {
  readonly text: string;
  readonly y: number;
  readonly left: number;
  readonly right: number;
}

function stretchesOf({ pieces }: TextContent): Shown[] {
  return pieces.flatMap(({ runs, transform }) =>
    runs.map(({ text, x, y, width }: TextRun): Shown => {
      const at = (place: number): number => (transform ? apply(transform, place, y)[0] : place);
      return { text, y: Math.round(y), left: at(x), right: at(x + width) };
    }),
  );
}

/** The words of each line, from left to right. */
function linesOf(shown: readonly Shown[]): string[] {
  const rows = new Map<number, Shown[]>();
  for (const one of shown) rows.set(one.y, [...(rows.get(one.y) ?? []), one]);
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([, row]) =>
      row
        .toSorted((a, b) => a.left - b.left)
        .map(({ text }) => text.trim())
        .join(' '),
    );
}

const entries = (...values: string[]): Json =>
  values.map((value, index) => ({ time: index / 2, duration: 0.5, value, sentence: 1 }));
const cue = (text: string): string => `1\n00:00:00,000 --> 00:00:05,000\n${text}\n`;

// prettier-ignore
test.each<[what: string, source: Json, more: JsonObject, lines: string[]]>([
  ['lines of a cue', cue('- Where were you?\n- At the café.'), {}, ['- Where were you?', '- At the café.']],
  ['a cue cut into pages has lines of its own', cue('one two three\nfour five six'), { transcript_maximum_length: 20 }, ['one two three']],
  ['but speakers never share one', cue('- Me.\n- You.\n- All of us together, friends.'), { transcript_maximum_length: 18 }, ['- Me.', '- You.', '- All']],
  ['a line end in a list', [{ time: 0, value: 'one' }, { time: 1, value: '\ntwo' }], {}, ['one', 'two']],
  ['lines of similar widths', entries('A', 'word', 'and', 'its', 'true', 'time'), { width: 330 }, ['A word and', 'its true time']],
  ['between entries alone', entries('今日は', '簡単な', 'パスタの', '作り方を'), { width: 300, font_family: 'Noto Sans JP' }, ['今日は 簡単な', 'パスタの', '作り方を']],
  ['endings stay with their word', entries('天気', 'が', '東京', 'で', '最高'), { width: 150, font_family: 'Noto Sans JP' }, ['天気 が', '東京 で', '最高']],
  ['a tag among letters without spaces', entries('[color red]天気[/color]です', '東京です'), { width: 180, font_family: 'Noto Sans JP' }, ['天気 です', '東京です']],
  ['a foreign word first does not turn a page', entries('iPhone', 'שלום', 'עולם'), { font_family: 'Rubik' }, ['עולם שלום iPhone']],
  ['nor does a word of the other direction', entries('שלום', 'means', 'hello', 'there'), { font_family: 'Rubik' }, ['שלום means hello there']],
])('B2: %s', async (_what, source, more, lines) => {
  const shown = await shownAt({ width: 700, transcript_source: source, ...more }, 0.1);
  expect(linesOf(shown)).toEqual(lines);
});

test('B2: an enlarged word keeps its distance from its neighbours', async () => {
  const text = { width: 700, transcript_source: entries('THE', 'PERFECT', 'SHOT.') };
  const gapsAt = async (effect: string): Promise<number[]> => {
    const shown = await shownAt({ ...text, transcript_effect: effect }, 0.8);
    const row = shown.toSorted((a, b) => a.left - b.left);
    return row.slice(1).map(({ left }, index) => left - (row[index]?.right ?? 0));
  };
  const still = await gapsAt('color');
  for (const [index, gap] of (await gapsAt('enlarge')).entries())
    expect(gap).toBeCloseTo(still[index] ?? 0, 1);
});
