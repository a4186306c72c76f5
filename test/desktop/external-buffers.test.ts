/**
 * Drawing where no memory of a library may become a buffer of JavaScript, as under Electron (no-external-buffers.ts):
 * samples look as ever, and a film has the same bytes. One sample in twenty; `LONG=1` draws every one, and every
 * animation. Needs dist/.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { workerEvent } from '../../server/jobs/worker/protocol.ts';
import type { RenderInput } from '../../server/jobs/worker/render-protocol.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { engineLimits } from '../../shared/limits.ts';
import { isLong } from '../helpers/long.ts';
import { findLibrary, writeLibrary } from './no-external-buffers.ts';

const library = findLibrary();
if (library === null) {
  test.skip('the drawing library is not one for Linux with glibc', () => undefined);
} else {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-buffers-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // Before anything loads the library. A process of this file alone (vitest.config.ts).
  process.env['NAPI_RS_NATIVE_LIBRARY_PATH'] = writeLibrary(library, folder);
  const { createCanvas } = await import('@napi-rs/canvas');
  const { render } = await import('../../server/engine/render.ts');

  describe('where libraries may not hand out their memory', () => {
    test('what is read from a canvas is memory of JavaScript', () => {
      const canvas = createCanvas(256, 256);
      const memory = (): number => process.memoryUsage().arrayBuffers;
      const before = memory();
      const read = [canvas.data(), canvas.getContext('2d').getImageData(0, 0, 256, 256).data];
      expect(memory() - before).toBeGreaterThanOrEqual(2 * 256 * 256 * 4);
      expect(read.map(({ length }) => length)).toEqual([256 * 256 * 4, 256 * 256 * 4]);
    });

    test.each(['mp4', 'gif', 'jpg'])('a %s has the same bytes', async (format) => {
      const source = {
        output_format: format,
        width: 320,
        height: 180,
        duration: 1,
        frame_rate: 10,
        elements: [
          { type: 'shape', width: '100%', height: '100%', fill_color: '#336699' },
          {
            type: 'text',
            text: 'Moving',
            width: '60%',
            height: '50%',
            blur_radius: 1,
            x: [0, 1].map((time) => ({ time, value: `${30 + time * 40}%` })),
          },
        ],
      };
      const job = (name: string) => ({
        scaling: {},
        outputPath: path.join(folder, `${name}.${format}`),
        snapshotPath: '',
        workFolder: path.join(folder, name),
        cacheFolder: path.join(folder, 'cache'),
        mediaFolders: [],
        fontFolder: fontFolder(),
        ownPorts: [],
        allowPrivateAddresses: false,
        limits: engineLimits,
      });
      const { signal } = new AbortController();
      await render({ ...job('copied'), source }, { signal, onProgress: () => undefined });
      // A worker is given nothing of this environment: its library is as ever.
      const worker = forkWorker();
      const id = 'shared';
      const input: RenderInput = {
        id,
        source: JSON.stringify(source),
        ...job('shared'),
      };
      const end = await new Promise((resolve) => {
        worker.onMessage((message) => {
          const { type } = workerEvent.parse(message);
          if (type === 'result' || type === 'failed') resolve(type);
        });
        worker.send({ type: 'start', id, name: 'render', input });
      });
      worker.kill();
      expect(end).toBe('result');
      const [copied, shared] = ['copied', 'shared'].map((name) =>
        readFileSync(path.join(folder, `${name}.${format}`)),
      );
      expect(copied!.equals(shared!)).toBe(true);
    });
  });

  if (!isLong) process.env['SAMPLES_EVERY'] = '20';
  await import('../samples/samples.test.ts');
  if (isLong) await import('../engine/animation-pictures.test.ts');
}
