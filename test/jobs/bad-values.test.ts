/**
 * Rows of the fault table about values of documents, with the real worker: each is an error or its documented default.
 * Needs dist/.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { startTestServer, type Answer, type Body, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(async () => {
  // Whatever the values were, no worker ended of them.
  expect(server.logged.filter((line) => line.includes('the worker ended'))).toEqual([]);
  await server.stop();
});

const root = { output_format: 'png', width: 100, height: 50 };
const box = { type: 'shape', name: 'Box', width: 10, height: 10, fill_color: '#ff0000' };

/** Sends a body in which the text `"VALUE"` is replaced by JSON that may be none of JavaScript's. */
const send = (body: object, value: string): Promise<Answer> =>
  server.ask(
    'POST',
    '/v2/renders',
    JSON.stringify(body).replaceAll('"VALUE"', () => value),
  );

/** What a value must lead to: an expectation that fails the render, a refused request, or facts of the file. */
type Expected = string | { readonly refused: RegExp } | Partial<Body>;

/** What a sentence says of a value that was found. */
function foundOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : `'${value}'`;
  if (Array.isArray(value)) return 'an empty list';
  return typeof value === 'object' ? 'an object' : JSON.stringify(value);
}

async function expectOutcome(
  value: string,
  { status, body }: Answer,
  place: string,
  expected: Expected,
): Promise<void> {
  if (typeof expected === 'object' && 'refused' in expected) {
    expect([status, body.hint]).toEqual([400, expect.stringMatching(expected.refused)]);
    return;
  }
  expect(status).toBe(202);
  if (typeof expected === 'string') {
    const sentence = `${place}: ${expected}; found ${foundOf(JSON.parse(value))}`;
    expect(body.errors).toEqual([sentence]);
    const end = await server.ended(body.id);
    expect([end.status, end.error_message]).toEqual(['failed', `Source error: ${sentence}`]);
  } else {
    expect(body.errors).toBeUndefined();
    expect(await server.ended(body.id)).toMatchObject({ status: 'succeeded', ...expected });
  }
}

const units = 'Expected a number ending with % or px or vw or vh or vmin or vmax';
const tooLarge = { refused: /^The body has a number that is too large to be kept at / };

describe('F70: sizes', () => {
  const shown = { width: 100, height: 50 };
  const rows: readonly (readonly [value: string, ofRoot: Expected, ofElement: Expected])[] = [
    ['0', 'Expected a number that is at least 1', shown],
    ['-5', 'Expected a number that is at least 1', 'Expected a number that is at least 0'],
    ['100000', 'Expected a number between 1 and 8192', shown],
    ['"abc"', 'Expected a number ending with px', units],
    ['true', 'Expected a number ending with px', units],
    ['[]', 'Expected a number ending with px', units],
    ['{}', 'Expected a number ending with px', units],
    ['"-5 px"', 'Expected a number that is at least 1', 'Expected a number that is at least 0'],
    ['"1e999"', 'Expected a number ending with px', units],
    // Where it is allowed, the default: 16 to 9.
    ['null', { width: 89, height: 50 }, shown],
    ['""', { width: 89, height: 50 }, shown],
    ['1e999', tooLarge, tooLarge],
    ['-1e999', tooLarge, tooLarge],
  ];
  test.each(rows)('%s', async (value, ofRoot, ofElement) => {
    const whole = { ...root, width: 'VALUE', elements: [box] };
    await expectOutcome(value, await send(whole, value), 'width', ofRoot);
    const element = { ...root, elements: [{ ...box, width: 'VALUE' }] };
    await expectOutcome(value, await send(element, value), 'Box.width', ofElement);
    // The same value as a modification.
    const source = { ...root, elements: [box] };
    const modified = { source, modifications: { 'Box.width': 'VALUE' } };
    await expectOutcome(value, await send(modified, value), 'Box.width', ofElement);
  });

  test('that are missing', async () => {
    const withoutWidth = Object.fromEntries(
      Object.entries(box).filter(([name]) => name !== 'width'),
    );
    const { status, body } = await send({ elements: [withoutWidth], output_format: 'png' }, '');
    expect(status).toBe(202);
    expect(await server.ended(body.id)).toMatchObject({ width: 1280, height: 720 });
  });
});

describe('F71: times, rates and scales', () => {
  const film = { ...root, output_format: 'mp4', duration: 0.5, frame_rate: 10, elements: [box] };
  const half = { duration: 0.5, frame_rate: 10 };
  const onElement = (property: string) => ({
    ...film,
    elements: [{ ...box, [property]: 'VALUE' }],
  });
  const negative = 'Expected a number that is at least 0';
  const rate = 'Expected a number between 1 and 60';
  const scale = { refused: /^The parameter 'render_scale' should be a number from 0\.1 to 10\.$/ };
  const rows: readonly (readonly [place: string, value: string, body: object, Expected])[] = [
    // The shortest film has one frame.
    ['duration', '0', { ...film, duration: 'VALUE' }, { duration: 0.1 }],
    ['duration', '-1', { ...film, duration: 'VALUE' }, negative],
    ['duration', '"-2 s"', { ...film, duration: 'VALUE' }, negative],
    ['duration', '7201', { ...film, duration: 'VALUE' }, 'Expected a number between 0 and 7200'],
    ['duration', '"abc"', { ...film, duration: 'VALUE' }, 'Expected a number'],
    ['duration', '1e999', { ...film, duration: 'VALUE' }, tooLarge],
    ['frame_rate', '0', { ...film, frame_rate: 'VALUE' }, rate],
    ['frame_rate', '1000', { ...film, frame_rate: 'VALUE' }, rate],
    ['frame_rate', '-1', { ...film, frame_rate: 'VALUE' }, rate],
    ['frame_rate', '"abc"', { ...film, frame_rate: 'VALUE' }, 'Expected a number'],
    ['frame_rate', '1e999', { ...film, frame_rate: 'VALUE' }, tooLarge],
    // Not visible, and nothing else.
    ['Box.duration', '0', onElement('duration'), half],
    ['Box.time', '3600', onElement('time'), half],
    ['Box.time', '-3600', onElement('time'), half],
    ['Box.duration', '-1', onElement('duration'), negative],
    ['Box.duration', '"x"', onElement('duration'), "Expected a number or the value 'media'"],
    ['Box.time', '"x"', onElement('time'), "Expected a number or the value 'end'"],
    // Null is no parameter.
    ['', 'null', { ...film, render_scale: 'VALUE' }, half],
    ...['0', '11', '"1"', '-1', '0.05', '[1]'].map(
      (value) => ['', value, { ...film, render_scale: 'VALUE' }, scale] as const,
    ),
    ['', '1e999', { ...film, render_scale: 'VALUE' }, tooLarge],
  ];
  test.each(rows)('%s %s', async (place, value, body, expected) => {
    await expectOutcome(value, await send(body, value), place, expected);
  });
});

describe('F72: colours, units, types and names', () => {
  const one = (of: string): string => `Expected one of these values: ${of}`;
  const types = one('image, video, audio, text, shape, composition, lottie');
  const rows: readonly (readonly [property: string, value: string, expected: string])[] = [
    ['fill_color', '"nocolor"', 'Expected a color'],
    ['fill_color', '"#12"', 'Expected a color'],
    ['fill_color', '5', 'Expected a color'],
    ['x', '"5 parsec"', units],
    ['x', '{}', units],
    ['z_rotation', '"5%"', 'Expected a number ending with °'],
    ['border_radius', '"5°"', 'Expected a number ending with px or vw or vh or vmin or vmax'],
    ['opacity', '"x"', 'Expected a number ending with %'],
    ['x_alignment', '"wide"', 'Expected a number ending with %'],
    ['fill_mode', '"radiant"', one('solid, linear, radial')],
    ['type', '"hologram"', types],
    ['type', '5', types],
    ['animations', '5', 'Expected a list of animations'],
  ];
  test.each(rows)('%s %s', async (property, value, expected) => {
    const source = { ...root, elements: [{ ...box, [property]: 'VALUE' }] };
    await expectOutcome(value, await send(source, value), `Box.${property}`, expected);
    if (property === 'type') return;
    const modified = {
      source: { ...root, elements: [box] },
      modifications: { [`Box.${property}`]: 'VALUE' },
    };
    await expectOutcome(value, await send(modified, value), `Box.${property}`, expected);
  });

  test('unknown properties, easings and options of animations are passed over, and the picture is whole', async () => {
    const fade = { type: 'fade', easing: 'wobbly', strange: 1, duration: 1 };
    const odd = { ...box, unknown_thing: {}, easing: 5, animations: [fade, { type: 'nothing' }] };
    const { status, body } = await send({ ...root, elements: [odd], unknown_root: 1 }, '');
    expect([status, body.errors]).toEqual([202, undefined]);
    expect(await server.ended(body.id)).toMatchObject({ status: 'succeeded', width: 100 });
  });
});

describe('F76: texts', () => {
  const family = '👩‍👩‍👧‍👦';
  const rows: readonly (readonly [what: string, text: string])[] = [
    ['from right to left, with numbers and brackets', 'שלום (עולם) 123 العربية [٤٥٦] '.repeat(50)],
    ['joined emoji, flags and skin tones', `${family}🏳️‍🌈👍🏿🇩🇪`.repeat(200)],
    ['joiners alone', '\u200d'.repeat(5_000)],
    ['marks on one letter', `a${'\u0301'.repeat(5_000)}`],
    ['directions inside each other', `${'\u202e\u2066'.repeat(2_000)}a`],
    ['no spaces', 'x'.repeat(100_000)],
    ['no spaces, of many scripts', 'aя字あ한عक'.repeat(2_000)],
    ['line ends alone', '\n'.repeat(20_000)],
    ['characters that mean nothing', '\u0000\ud800\ufffe\uffff\u{10ffff}'.repeat(1_000)],
    ['none', ''],
  ];
  test.each(rows)('%s', async (_, text) => {
    const element = { type: 'text', name: 'Long', text, fill_color: '#000000', width: '100%' };
    for (const size of [{}, { height: '100%', font_size: null }]) {
      const { status, body } = await send({ ...root, elements: [{ ...element, ...size }] }, '');
      expect([status, body.errors]).toEqual([202, undefined]);
      expect(await server.ended(body.id)).toMatchObject({
        status: 'succeeded',
        width: 100,
        height: 50,
      });
    }
  });

  test('longer than the limit', async () => {
    const text = { type: 'text', name: 'Long', text: 'x'.repeat(100_001) };
    const { body } = await send({ ...root, elements: [text] }, '');
    expect((await server.ended(body.id)).error_message).toMatch(
      /^Source error: Long\.text: .*100,?000/,
    );
  });
});

describe('F77: a scene that is copied into itself', () => {
  const scene = { type: 'composition', name: 'Scene', elements: [{ ...box, name: 'Inside' }] };
  const outer = { type: 'composition', name: 'Outer', elements: [scene] };
  const source = { ...root, elements: [outer] };
  test.each([
    ['Scene', [{ copy: 'Scene' }], 'Scene'],
    ['Scene', [{ copy: 'Outer' }], 'Outer'],
    ['Outer', [{ copy: 'Outer' }], 'Outer'],
    ['Scene', [{ copy: 'Inside' }, { copy: 'Scene' }, { copy: 'Scene' }], 'Scene'],
  ])('%s = %j', async (name, copies, itself) => {
    const modifications = { [name]: copies };
    const { status, body } = await send({ source, modifications }, '');
    const message = `${name}.elements: '${itself}' can't be copied into itself`;
    expect(status).toBe(202);
    expect(body.errors[0]).toBe(message);
    const end = await server.ended(body.id);
    expect([end.status, end.error_message]).toEqual(['failed', `Source error: ${message}`]);
  });

  test('and a scene that doubles with each copy is bounded', async () => {
    const levels = Array.from({ length: 40 }, (_, index) => `Level ${index}`);
    const elements = levels.map((name) => ({ type: 'composition', name, elements: [box] }));
    const doubled = levels
      .slice(1)
      .map((name, index): [string, unknown] => [
        name,
        [{ copy: levels[index] }, { copy: levels[index] }],
      ]);
    const { status, body } = await send(
      { source: { ...root, elements }, modifications: Object.fromEntries(doubled) },
      '',
    );
    expect([202, 400]).toContain(status);
    if (status === 202) {
      const end = await server.ended(body.id);
      expect(end.status).toBe('failed');
    }
  });
});
