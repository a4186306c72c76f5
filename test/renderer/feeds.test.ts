/** The table of a feed worked on while the server answers, and the files that its cells name. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { templateRows } from '../../shared/api/templates.ts';
import type { WindowMedia } from '../../shared/api/media.ts';
import { CellFilling } from '../../renderer/feeds/cell-filling.svelte.ts';
import { FeedOrder } from '../../renderer/feeds/feed-order.svelte.ts';
import { OpenFeed } from '../../renderer/feeds/open-feed.svelte.ts';
import { AppState } from '../../renderer/frame/app.svelte.ts';
import { call } from '../../renderer/frame/connection/call.ts';
import { importFeed } from '../../renderer/frame/connection/feeds.ts';
import { mediaRows } from '../../shared/api/media.ts';
import type { Source } from '../../shared/renderscript/source.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures');

const card: Source = {
  ...{ output_format: 'png', width: 32, height: 32 },
  elements: [
    { type: 'image', name: 'Photo', source: '' },
    { type: 'text', name: 'Title', text: 'x' },
  ],
};

/** A feed of a table as the page has it, and a template. */
async function open(table: string): Promise<{ app: AppState; feed: OpenFeed; template: string }> {
  const app = new AppState();
  const given = { name: 'Card', tags: [], source: card, project: 'default' };
  const { id: template } = await call(templateRows.create, { body: given });
  const facts = { name: 'Cards', project: 'default' };
  const stored = await importFeed(new File([table], 'cards.csv'), {}, facts);
  const feed = new OpenFeed(stored, app.feeds);
  await feed.load();
  return { app, feed, template };
}

/** Adds a file to the library. Content that is there already would keep its first name: this is nobody else's. */
async function add(name: string, file: string): Promise<WindowMedia> {
  const content = await readFile(path.join(fixtures, file));
  // A box that players skip; what follows a picture is not read.
  const box = Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from('free'), randomBytes(8)]);
  const body = new Uint8Array(Buffer.concat([content, box]));
  return call(mediaRows.add, { query: { name }, file: new File([body], name) });
}

const targets = (feed: OpenFeed) => feed.columns.map(({ target }) => target);

test('31: a column that is mapped while a template is being chosen stays mapped', async () => {
  const { feed, template } = await open('Title,Bild\nOne,a.jpg\n');
  const choosing = feed.setTemplate(template);
  // The request is under way.
  await new Promise((done) => setTimeout(done));
  feed.setColumn(1, { target: 'Photo' });
  await choosing;
  expect(targets(feed)).toEqual(['Title', 'Photo']);
  await feed.save();
  await feed.load();
  expect(targets(feed)).toEqual(['Title', 'Photo']);
});

test('31: what is changed while the table is loaded again is not thrown away', async () => {
  const { feed } = await open('Title,Bild\nOne,a.jpg\n');
  const loading = feed.load();
  await new Promise((done) => setTimeout(done));
  feed.setColumn(1, { target: 'Photo' });
  feed.write({ row: 0, column: 0 }, [['Two']]);
  await loading;
  expect([targets(feed), feed.valueAt({ row: 0, column: 0 })]).toEqual([
    [undefined, 'Photo'],
    'Two',
  ]);
  await feed.save();
  expect(feed.problem).toBe('');
  await feed.load();
  expect(feed.valueAt({ row: 0, column: 0 })).toBe('Two');
});

test('3: cells name files of the library; what is missing or does not fit is said in its cell', async () => {
  const photo = await add('IMG_2041.jpg', 'photo.jpg');
  await add('Clip.mp4', 'numbers.mp4');
  const table = 'Title,Photo\nA,img_2041.jpg\nB,IMG_2099.jpg\nC,clip.mp4\nD,\n';
  const { app, feed, template } = await open(table);
  await feed.setTemplate(template);
  await feed.media.load();
  const cell = (row: number, column = 1) => feed.fileAt({ row, column });
  expect(cell(0)).toMatchObject({ media: { id: photo.id }, problem: '' });
  expect(cell(1)?.problem).toContain('“IMG_2099.jpg” is neither in the media library nor');
  expect(cell(2)?.problem).toBe('“clip.mp4” is not a picture. Choose a picture.');
  expect([cell(3), cell(0, 0)]).toEqual([null, null]);
  expect(feed.media.lost).toBe(1);
  // What the check finds is said in the same words; nothing is called fine that isn't.
  const facts = app.feeds.list.find(({ id }) => id === feed.id)!;
  const range = { top: 0, bottom: 0, left: 0, right: 0 };
  const order = new FeedOrder({ feed, facts, source: card, range }, app);
  await order.begin();
  expect(order.wrongCount).toBe(2);
  expect(order.problems.map((one) => feed.wordsOf(one.place, one))).toEqual([
    cell(1)!.problem,
    cell(2)!.problem,
  ]);
  order.close();
  // A chosen file is written by its name, for all selected rows, as one step.
  await new CellFilling(feed).write({ top: 1, bottom: 2, left: 1, right: 1 }, photo);
  await feed.save();
  await feed.media.load();
  expect([1, 2].map((row) => feed.valueAt({ row, column: 1 }))).toEqual(
    Array(2).fill('IMG_2041.jpg'),
  );
  expect(feed.media.lost).toBe(0);
  feed.undo();
  expect(feed.valueAt({ row: 2, column: 1 })).toBe('clip.mp4');
  // Its name leads to a newer one: the file itself is written, and shown by its name.
  await add('IMG_2041.jpg', 'exif-5.jpg');
  await new CellFilling(feed).write({ top: 0, bottom: 0, left: 1, right: 1 }, photo);
  await feed.save();
  await feed.media.load();
  expect(feed.valueAt({ row: 0, column: 1 })).toBe(photo.source);
  expect(cell(0)).toMatchObject({ name: 'IMG_2041.jpg', problem: '' });
  feed.media.close();
});
