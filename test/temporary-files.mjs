/**
 * Where tests, and the tools that run them, put what they need for a while: one folder, which goes when they have
 * ended.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * For the settings of a test runner: this process and all that it starts get the folder as the system's temporary one.
 */
export function keepTemporaryFilesTogether() {
  // A process of the runner, which reads the settings again.
  if (process.env.FRAMEWRIGHT_TEST_FILES !== undefined) return;
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-tests-'));
  // Some tests start programs as another user, who has to get through.
  chmodSync(folder, 0o711);
  for (const name of ['FRAMEWRIGHT_TEST_FILES', 'TMPDIR', 'TEMP', 'TMP'])
    process.env[name] = folder;
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // Something that a test started still writes there, which is for that test to say.
    }
  });
}
