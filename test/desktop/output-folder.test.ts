/**
 * Where the desktop finds finished files: the folder of the settings, and the ones from before. Real server, fake
 * worker.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { Work } from '../../main/work.ts';
import { document, startTestServer } from '../helpers/server.ts';

vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electronModule);

test('files are shown and opened where they were written, whatever folder is set since', async () => {
  const server = await startTestServer();
  try {
    const work = new Work(server.running.services);
    const render = async (): Promise<string> => {
      const { id } = (await server.ask('POST', '/v2/renders', document())).body;
      await server.ended(id);
      return id;
    };
    const before = await render();
    const outputFolder = path.join(server.dataFolder, 'elsewhere');
    const { status } = await server.askWindow('PATCH', '/api/settings', { outputFolder });
    expect(status).toBe(200);
    const after = await render();
    expect(work.outputFolder).toBe(outputFolder);
    expect(work.fileOf(before, 'mp4')).toBe(path.join(server.outputFolder, `${before}.mp4`));
    expect(work.fileOf(after, 'mp4')).toBe(path.join(outputFolder, `${after}.mp4`));
    for (const id of [before, after]) expect(existsSync(work.fileOf(id, 'mp4') ?? '')).toBe(true);
    expect(work.fileOf(after, 'png')).toBeNull();
  } finally {
    await server.stop();
  }
});
