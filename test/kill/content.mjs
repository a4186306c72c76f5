/** What the kill test asks for: documents as strangers send them, by the grammar of the fuzzers, between plain ones. */
import path from 'node:path';
import { runnerImport } from 'vite';

const load = async (name) => {
  const file = path.join(import.meta.dirname, '..', 'fuzz', name);
  return (await runnerImport(file, { configFile: false, logLevel: 'error' })).module;
};
const { randomFrom } = await load('cases.ts');
const { mediaFolders, smallDocument } = await load('small-documents.ts');

export { mediaFolders, randomFrom };

const title = (number) => ({ type: 'text', text: `Number ${number}`, fill_color: '#123456' });
const small = (number, more) => ({ width: 64, height: 64, elements: [title(number)], ...more });
const film = { type: 'video', source: 'numbers.mp4', duration: 1 };
const sound = { type: 'audio', source: 'tune.m4a', duration: 1 };
const moving = {
  type: 'shape',
  width: '40%',
  height: '40%',
  fill_color: '#ff0000',
  x: [
    { time: 0, value: '0%' },
    { time: 4, value: '100%' },
  ],
};

/** How often of a hundred, what is asked for, and how it has to end where nothing is killed; null: as it likes. */
const kinds = [
  [25, (number) => small(number, { output_format: 'png' }), 'succeeded'],
  [
    8,
    (number) => small(number, { output_format: 'gif', duration: 0.5, frame_rate: 10 }),
    'succeeded',
  ],
  // Long enough to be met in the middle of its frames.
  [
    12,
    () => ({ output_format: 'mp4', width: 320, height: 180, duration: 4, elements: [moving] }),
    'succeeded',
  ],
  [
    15,
    (number) => small(number, { output_format: 'mp4', duration: 1, elements: [film, sound] }),
    'succeeded',
  ],
  [5, (number) => small(number, { elements: [{ type: 'text', x: 'no' }] }), 'failed'],
  [5, (number) => small(number, { elements: [{ type: 'image', source: 'no.png' }] }), 'failed'],
  [30, (_, random) => smallDocument(random), null],
];
const total = kinds.reduce((sum, [share]) => sum + share, 0);

/** A body for a create without its own words, and how it has to end. */
export function nextRequest(number, random) {
  let place = random.next() * total;
  const [, make, end] = kinds.find(([share]) => (place -= share) < 0) ?? kinds[0];
  const source = make(number, random);
  // Most are small; some lie beside the record, and some take a while to be written.
  const length = random.pick([0, 0, 0, 0, 0, 0, 1_000, 50_000, 50_000, 3_000_000]);
  const modifications = length === 0 ? {} : { 'Nobody.text': `${number} `.padEnd(length, '.') };
  return { body: { source, modifications }, end };
}

/** What may become of a render that has to succeed when its processes are killed. */
const killed =
  /^Render error: (?:The renderer stopped unexpectedly (?:once|\d+ times) while working on this render|The (?:en|de)coder stopped: killed)/;

/** Whether a render has ended as it had to. */
export function isRightEnd({ status, error_message: message }, end, strikes) {
  if (end === null || status === end) return true;
  return status === 'failed' && strikes > 0 && killed.test(message ?? '');
}
