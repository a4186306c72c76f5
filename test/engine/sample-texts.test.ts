/**
 * The sample templates with other people's words: one word, sixty letters, Japanese and Arabic stay inside their boxes
 * and the picture. Layout alone, nothing is painted.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openStage } from '../../server/engine/stage.ts';
import { sampleFolder } from '../../server/system/paths.ts';
import { overflowsOf } from '../../shared/engine/layout/overflows.ts';
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';
import { jobInto } from '../helpers/engine.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sample-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fills = [
  ['one word', 'Extraordinary'],
  ['sixty letters', 'Everybody who was there still talks about that long evening.'],
  ['Japanese', '朝の光の中で、新しい一日をゆっくりと始めるための小さな習慣'],
  ['Arabic', 'عادات صغيرة لبداية هادئة ليوم جديد مع ضوء الصباح الجميل'],
] as const;

/** Shares of a film at which its texts stand: what comes last is there, and nothing has begun to leave. */
const moments = [0.45, 0.62, 0.8];

const names = readdirSync(sampleFolder()).filter((name) =>
  existsSync(path.join(sampleFolder(), name, 'source.json')),
);

function read(name: string): JsonObject {
  const source: unknown = JSON.parse(
    readFileSync(path.join(sampleFolder(), name, 'source.json'), 'utf8'),
  );
  if (!isJsonObject(source)) throw new Error(`${name}: Expected an object`);
  return source;
}

/** A document with another text in all its fields, without the movements, in which texts are elsewhere. */
function filled(json: JsonObject, text: string): JsonObject {
  const { elements, ...rest } = json;
  const isField = json.type === 'text' && json.dynamic === true && !json.transcript_source;
  const children: readonly Json[] = Array.isArray(elements) ? elements : [];
  return {
    ...rest,
    animations: null,
    ...(isField && { text }),
    ...(children.length > 0 && {
      elements: children.map((child) => (isJsonObject(child) ? filled(child, text) : child)),
    }),
  };
}

test('are the whole shelf', () => expect(names.length).toBeGreaterThanOrEqual(36));

describe.each(names)('%s', (name) => {
  test.each(fills)('keeps %s inside', async (_what, text) => {
    const source = filled(read(name), text);
    const job = jobInto(folder, 'film.png', source, { mediaFolders: [sampleFolder()] });
    const signal = new AbortController().signal;
    const stage = await openStage(
      { ...job, moment: 0, asPicture: false },
      { signal, onProgress: () => undefined },
    );
    try {
      const { layout, timeline } = stage;
      const told = moments
        .map((share) => layout.frameAt(share * timeline.duration))
        .flatMap((frame) => overflowsOf(frame, (at) => at))
        .map(({ path: at, message }) => `${at}: ${message}`);
      expect([...new Set(told)]).toEqual([]);
    } finally {
      await stage.close();
    }
  });
});
