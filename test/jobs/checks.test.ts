/** Checks of documents, one after the other: how many wait, and what is said where none can be made. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CheckService, type CheckQuestion } from '../../server/jobs/worker/checks.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { ApiError } from '../../shared/errors.ts';
import { checkLimits, engineLimits } from '../../shared/limits.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'checks-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A service whose workers do not start. */
function service(onFork: () => void = () => undefined): CheckService {
  return new CheckService({
    fork: () => {
      onFork();
      throw new Error('no program is left');
    },
    engine: {
      ...{ cacheFolder: folder, mediaFolders: [], fontFolder: fontFolder(), ownPorts: [] },
      ...{ allowPrivateAddresses: false, limits: engineLimits },
    },
    transcriber: () => ({}),
    folder,
    log: () => undefined,
  });
}

const question: CheckQuestion = { source: { elements: [] }, problems: [], scaling: {} };
const open = new AbortController().signal;
/** The code of the refusal that a promise ends with. */
const codeOf = (check: Promise<unknown>): Promise<unknown> =>
  check.then(
    () => null,
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );

test('a check that can not be made is refused with the reason, and leaves nothing', async () => {
  const check = service().check(question, null, open);
  await expect(check).rejects.toThrow('could not be checked: it ended (no program is left)');
  expect(readdirSync(folder)).toEqual([]);
});

test('so many may wait, and no more', async () => {
  const checks = service();
  const all = Array.from({ length: checkLimits.waiting + 1 }, () =>
    codeOf(checks.check(question, null, open)),
  );
  const codes = await Promise.all(all);
  expect(codes.filter((code) => code === 'check_failed')).toHaveLength(checkLimits.waiting);
  expect(codes.at(-1)).toBe('busy');
  // Those before are done.
  expect(await codeOf(checks.check(question, null, open))).toBe('check_failed');
});

test('nothing is started for someone who is gone, nor while the program closes', async () => {
  let forks = 0;
  const checks = service(() => forks++);
  expect(await codeOf(checks.check(question, null, AbortSignal.abort()))).toBe('check_failed');
  checks.close();
  expect(await codeOf(checks.check(question, null, open))).toBe('check_failed');
  expect(forks).toBe(0);
});
