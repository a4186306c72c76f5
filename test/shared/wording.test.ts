/** The words of window, API and documents: numbers with their plurals, titles, clock times, names of settings. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dayTime, exactTime, nearTime, timeOrMoment } from '../../renderer/ui/format.ts';
import { messages } from '../../renderer/ui/say.ts';
import type { Clock } from '../../server/system/clock.ts';
import { countRequest, RateLimiter } from '../../server/api/rate-limit.ts';
import { duration } from '../../server/engine/assets/fetch/download-request.ts';
import { counted } from '../../shared/counted.ts';
import { errorCatalogue } from '../../shared/errors.ts';

const root = path.resolve(import.meta.dirname, '../..');
const texts = Object.entries(messages).flatMap(([key, message]): [string, string][] =>
  typeof message === 'string' ? [[key, message]] : [[key, message.other]],
);

/** Files of the repository with these endings, below these folders. */
function filesIn(folders: readonly string[], endings: RegExp): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => endings.test(name))
      .map((name) => path.join(root, folder, name)),
  );
}

describe('a number and what it counts', () => {
  test.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [2, '2 seconds'],
    [1.5, '1.5 seconds'],
    [1200, '1,200 seconds'],
  ])('%d', (count, text) => expect(counted(count, 'second')).toBe(text));

  test.each([
    [1, '1 millisecond'],
    [1000, '1 second'],
    [10_000, '10 seconds'],
    [240_000, '4 minutes'],
  ])('%d ms', (milliseconds, text) => expect(duration(milliseconds)).toBe(text));

  /** Those whose number can't be 1, because it is above a limit or one itself; and a unit that has no plural. */
  const never1 = new Set([
    'templates.tags.long',
    'detail.frameRate',
    'templates.tags.many',
    'import.longName',
    'webhook.lastTries',
    'feed.reason.full',
    'sized.wrong.side',
    'sized.wrong.duration',
    'sized.wrong.frameRate',
    'speech.models.about',
    'templates.kit.many',
  ]);

  test('messages with a number before a plural have a form for one', () => {
    const wrong = Object.entries(messages).filter(
      ([key, message]) =>
        typeof message === 'string' &&
        /\{(count|left|most|days|seconds)\} [a-z]{2,}s\b/.test(message) &&
        !never1.has(key),
    );
    expect(wrong).toEqual([]);
  });

  test('forms for one hold no plural', () => {
    for (const [key, message] of Object.entries(messages)) {
      if (typeof message === 'string' || message.one === message.other) continue;
      expect(message.one, key).not.toMatch(
        /\{count\} (seconds|minutes|days|renders|files|templates|elements|errors|warnings|problems|matches|rows|keys|tags|letters|times|frames)\b/,
      );
    }
  });

  test('a refused request may have to wait for 1 second', () => {
    let now = 0;
    const clock = { steady: () => now } as unknown as Clock; // the limiter asks for nothing else
    const limiter = new RateLimiter(1, 10_000, clock);
    limiter.take();
    const refuse = (): void => {
      const response = { set: () => response };
      // A stand-in with all that is used of a response.
      countRequest(limiter)({} as never, response as never, () => undefined);
    };
    now = 9_500;
    expect(refuse).toThrow('Try again in 1 second.');
    now = 8_500;
    expect(refuse).toThrow('Try again in 2 seconds.');
  });

  test('sentences of the API count by limits only, or have words of their own for one', () => {
    const found = Object.values(errorCatalogue).flatMap(({ sentence }) => [
      ...sentence.matchAll(/\{(\w+)\} (seconds|minutes|days|renders|templates|times)\b/g),
    ]);
    expect(found.map(([, hole]) => hole)).toEqual(['window']);
  });
});

test('titles are no commands: nothing follows them, so no “…” ends them', () => {
  const titles = texts.filter(([key]) => /\.title(All)?$/.test(key));
  expect(titles.length).toBeGreaterThan(25);
  expect(titles.filter(([, text]) => text.endsWith('…'))).toEqual([]);
});

describe('clock times', () => {
  const [now, moment] = [new Date(2026, 10, 21, 14, 8, 5), new Date(2026, 10, 21, 14, 6, 2)].map(
    Number,
  ) as [number, number];
  test.each([
    ['en-US', /\b2:06(:02)?\sPM$/, /\b14:06/],
    ['en-GB', /\b14:06(:02)?$/, /\b2:06|[ap]m/i],
    ['de', /\b14:06(:02)?$/, /\b2:06|[ap]m/i],
  ])('are all of one kind: %s', (locale, right, wrong) => {
    for (const text of [
      exactTime(moment, locale),
      dayTime(moment, now, locale),
      nearTime(moment, now, locale),
      timeOrMoment(moment, now, locale),
    ]) {
      expect(text).toMatch(right);
      expect(text).not.toMatch(wrong);
    }
  });

  test('nothing in the window chooses a kind of its own', () => {
    for (const file of filesIn(['renderer'], /\.(ts|svelte)$/)) {
      const source = readFileSync(file, 'utf8');
      expect(source, file).not.toMatch(
        /hour12|hourCycle|toLocaleTimeString|toLocaleString\(|toTimeString/,
      );
    }
  });
});

test('sections of the settings that texts speak of are there', () => {
  const sections = new Set<string>(
    [
      ...readFileSync(path.join(root, 'renderer/settings/Settings.svelte'), 'utf8').matchAll(
        /title: say\('([^']+)'\)/g,
      ),
    ].map(([, key = '']) => texts.find(([name]) => name === key)?.[1] ?? ''),
  );
  expect(sections).toContain('Network');
  const spoken = [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].map((name) =>
      path.join(root, name),
    ),
    ...filesIn(['main', 'renderer', 'server', 'shared', 'resources'], /\.(md|ts|svelte)$/),
    ...filesIn(['shared/words/en'], /\.json$/),
  ].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/Settings ▸ ([A-Z][a-z]+|API)/g)].map(
      ([, name]) => name,
    ),
  );
  expect(spoken.length).toBeGreaterThan(3);
  for (const name of spoken) expect(sections).toContain(name);
});
