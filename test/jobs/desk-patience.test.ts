/**
 * What the desk takes off the API's thread, in which order, and how long a task may take: by what is computed, so that
 * a busy computer refuses no innocent request.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Desk } from '../../server/jobs/desk/desk.ts';
import type { DocumentOrder } from '../../server/jobs/desk/prepare-document.ts';
import { JsonText } from '../../server/system/json-text.ts';
import { deskLimits } from '../../shared/limits.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A thread in place of the desk's own, that does this before each answer, and that before it is ready. */
function thread(name: string, before: string, answer = '[]', load = ''): string {
  const file = path.join(folder, `${name}.mjs`);
  const text = `import { parentPort } from 'node:worker_threads';
${load};
parentPort.postMessage({ kind: 'ready' });
parentPort.on('message', (task) => { ${before}; parentPort.postMessage({ kind: 'done', answer: ${answer} }); });`;
  writeFileSync(file, text);
  return file;
}

const deadline = 1_000;
const waiting = (times: number): string =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${times * deadline})`;
const long = new JsonText(JSON.stringify({ text: 'x'.repeat(deskLimits.inlineCharacters) }));

/** What comes of a task that is too large to be done at once. */
async function outcome(name: string, before: string, load?: string): Promise<unknown> {
  const desk = new Desk({ script: thread(name, before, '[]', load), deadline });
  try {
    return await desk.fieldsOf(long).catch((error: unknown) => (error as Error).message);
  } finally {
    await desk.close();
  }
}

test('a task that waits for the processor is done, one that computes or waits without end is refused', async () => {
  const tooLong = expect.stringContaining('takes longer than 1 seconds') as unknown;
  expect(await outcome('patient', waiting(2.5))).toEqual([]);
  expect(
    await outcome('loading', '', 'for (const end = Date.now() + 2_500; Date.now() < end;);'),
  ).toEqual([]);
  expect(await outcome('computing', 'for (;;);')).toEqual(tooLong);
  expect(await outcome('still', waiting(1_000))).toEqual(tooLong);
});

/** Some characters more than the API's thread checks itself. */
const few = 'x'.repeat(deskLimits.inlineDocument);
const misspelt = { elements: [Object.fromEntries(Array.from(few, (_, n) => [`fil_colr${n}`, 1]))] };
const fewText = new JsonText(JSON.stringify({ text: few }));
/** A task may take its bytes away. */
const bytes = (): Buffer => Buffer.from(`{"text":"${few}"}`);

test('more than a few kilobytes are checked on a thread', async () => {
  const answer = `task.kind === 'document' ? { text: '{}', local: [], problems: [task.kind] } : task.kind`;
  const desk = new Desk({ script: thread('other', '', answer), deadline: 60_000 });
  const document = async (order: Partial<DocumentOrder<JsonObject | JsonText>>): Promise<unknown> =>
    (await desk.prepare({ source: {}, scaling: {}, ...order })).problems[0];
  try {
    const kinds = await Promise.all([
      document({ source: { text: few } }),
      document({ source: misspelt }),
      document({ source: fewText }),
      document({ modifications: { a: few } }),
      document({ modifications: misspelt }),
      document({ transcripts: { a: few } }),
      desk.fieldsOf(fewText),
      desk.localFiles(fewText),
      desk.familiesOf(fewText),
      desk.mapColumns([], fewText),
      desk.draftText(bytes(), 0),
      desk.readRows(bytes(), Buffer.from('[]')),
      desk.readBody(bytes(), { names: [] }),
      desk.readMessage(bytes()),
    ]);
    const documents = Array.from({ length: 6 }, () => 'document');
    const others = ['fields', 'files', 'families', 'columns', 'draft', 'rows', 'body', 'message'];
    expect(kinds).toEqual([...documents, ...others]);
  } finally {
    await desk.close();
  }
});

test('a short task does not wait for the long ones that came before it', async () => {
  const desk = new Desk({ script: thread('busy', ''), deadline: 60_000 });
  const done: string[] = [];
  const order = (name: string, text: JsonText): Promise<unknown> =>
    desk.fieldsOf(text).then(() => done.push(name));
  try {
    const many = Array.from({ length: 40 }, () => order('long', long));
    await Promise.all([...many, order('short', fewText)]);
    // The two threads have one each already.
    expect(done.indexOf('short')).toBeLessThan(4);
  } finally {
    await desk.close();
  }
});
