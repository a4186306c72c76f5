/** Pictures of templates: one at a time, each drawn once however many ask, and none that nobody waits for any more. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PreviewOutcome, PreviewQuestion } from '../../server/jobs/worker/preview.ts';
import { prepareDocument } from '../../server/jobs/desk/prepare-document.ts';
import { JsonText, valueOf } from '../../server/system/json-text.ts';
import type { StoredTemplate } from '../../server/store/template-record.ts';
import { Thumbnails, type ThumbnailOptions } from '../../server/window/thumbnails.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-thumbnails-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const template = (id: string): StoredTemplate => {
  const elements = [{ type: 'shape', name: id }];
  const source = { output_format: 'png', width: 10, height: 10, elements };
  return {
    id,
    project: 'default',
    name: id,
    tags: [],
    markers: [],
    createdAt: 1,
    updatedAt: 1,
    document: new JsonText(JSON.stringify(source)),
  };
};

const prepare: ThumbnailOptions['prepare'] = ({ document }) => {
  const source = document instanceof JsonText ? document.value : {};
  const prepared = prepareDocument({ source, scaling: {} });
  return Promise.resolve({ ...prepared, text: new JsonText(prepared.text) });
};

type Facts = Extract<PreviewOutcome, { kind: 'drawn' }>['facts'];

/** The engine, with an end of each picture that the test gives. */
function engine(): {
  asked: string[];
  finish: () => void;
  draw: (one: PreviewQuestion) => Promise<PreviewOutcome>;
} {
  const asked: string[] = [];
  let end: (outcome: PreviewOutcome) => void = () => undefined;
  return {
    asked,
    finish: () =>
      end({
        kind: 'drawn',
        picture: Buffer.from(asked.at(-1)!).toString('base64'),
        // Of the facts only these are read.
        facts: {
          frame: 0,
          frameCount: 1,
          frameRate: 25,
          elements: [] as Facts['elements'],
        } as Facts,
      }),
    draw: ({ source }) => {
      const [element] = valueOf(source)['elements'] as { name: string }[];
      asked.push(element!.name);
      return new Promise((resolve) => (end = resolve));
    },
  };
}

test('a picture that nobody waits for is not begun; others come in their order, once', async () => {
  const { asked, finish, draw } = engine();
  const thumbnails = new Thumbnails({ previews: { draw }, prepare, folder, log: () => undefined });
  const stays = new AbortController().signal;
  const stop = new AbortController();
  const a = thumbnails.of(template('a'), stays);
  await expect.poll(() => asked).toEqual(['a']);
  const b = thumbnails.of(template('b'), stop.signal);
  const both = [thumbnails.of(template('c'), stop.signal), thumbnails.of(template('c'), stays)];
  stop.abort();
  finish();
  expect(String(await a)).toBe('a');
  expect(await b).toBeNull();
  await expect.poll(() => asked).toEqual(['a', 'c']);
  finish();
  expect((await Promise.all(both)).map(String)).toEqual(['c', 'c']);
  expect((await readdir(folder)).sort()).toEqual(['a-1', 'c-1']);

  // What was passed over is drawn when it is wanted again; what is kept is not drawn again.
  const again = thumbnails.of(template('b'), stays);
  await expect.poll(() => asked).toEqual(['a', 'c', 'b']);
  finish();
  expect(String(await again)).toBe('b');
  expect(String(await thumbnails.of(template('a'), stays))).toBe('a');
  expect(asked).toHaveLength(3);
});

test('a film is pictured where most of it is there, unless its document names the moment', async () => {
  const element = (start: number, duration: number): object => ({ type: 'text', start, duration });
  const facts = { frameCount: 100, frameRate: 10, duration: 10 };
  // Between 7 and 9 seconds all three are there.
  const elements = [element(0, 10), element(6, 4), element(7, 2)];
  const timesOf = async (id: string, more: object): Promise<number[]> => {
    const asked: number[] = [];
    const draw = ({ time }: PreviewQuestion): Promise<PreviewOutcome> => {
      asked.push(time);
      const here = { ...facts, time, frame: Math.round(time * 10), elements } as unknown as Facts;
      return Promise.resolve({ kind: 'drawn', picture: '', facts: here });
    };
    const source = { output_format: 'mp4', width: 10, height: 10, elements: [], ...more };
    const film = { ...template(id), document: new JsonText(JSON.stringify(source)) };
    const log = (): void => undefined;
    const pictures = new Thumbnails({ previews: { draw }, prepare, folder, log });
    await pictures.of(film, new AbortController().signal);
    return asked;
  };
  expect(await timesOf('film', { duration: 10 })).toEqual([4, 8]);
  expect(await timesOf('open', {})).toEqual([0, 8]);
  expect(await timesOf('chosen', { duration: 10, snapshot_time: 2 })).toEqual([2]);
  // The first guess was right: nothing is drawn twice.
  elements.splice(0, 3, element(0, 10), element(3, 2.1));
  expect(await timesOf('right', { duration: 10 })).toEqual([4]);
});
