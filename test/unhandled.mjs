/**
 * Vitest's reporter of what no test caught: an error after its test had ended, or a process that was lost. Vitest fails
 * the run for it, but names it neither in its report `json` nor as a failed test.
 */
import { writeFileSync } from 'node:fs';

/** Ending of the file beside a report `json`; its content is an array of texts. */
export const unhandledEnding = '.unhandled';

/**
 * @typedef {object} UnhandledError
 * @property {string} [message]
 * @property {string} [stack]
 * @property {string} [VITEST_TEST_NAME] The test that ran last in the same process.
 * @property {string} [VITEST_TEST_PATH] Its file.
 */

export default class UnhandledReporter {
  #config;

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    this.#config = vitest.config;
  }

  /**
   * @param {readonly unknown[]} _modules
   * @param {readonly UnhandledError[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const outputs = this.#config.outputFile;
    const report = typeof outputs === 'object' ? outputs.json : undefined;
    if (report === undefined || errors.length === 0) return;
    const texts = errors.map((error) => {
      const during = [error.VITEST_TEST_PATH, error.VITEST_TEST_NAME].filter(Boolean).join(' › ');
      return `${during ? `${during}: ` : ''}${error.stack ?? error.message ?? String(error)}`;
    });
    writeFileSync(report + unhandledEnding, JSON.stringify(texts));
  }
}
