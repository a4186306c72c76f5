/**
 * Hardware encoders on a running server: tried at the choice, named in records and receipts, and back to software with
 * a notice. The ffmpeg that has them is a stand-in. With real workers; needs dist/.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { Receipt } from '../../shared/api/receipt.ts';
import type { HardwareTrial, LogLine, WindowRender } from '../../shared/api.ts';
import { hardwareFfmpeg, type HardwareFfmpeg } from '../helpers/hardware-ffmpeg.ts';
import { startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let folder: string;
let ffmpeg: HardwareFfmpeg;
let server: TestServer;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-hardware-'));
  ffmpeg = await hardwareFfmpeg(folder, ['nvenc', 'qsv']);
  server = await startTestServer({ forkWorker: () => forkWorker(), ffmpegPath: ffmpeg.path });
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const choose = (encodeWith: string): Promise<Answer> =>
  server.askWindow('PATCH', '/api/settings', { encodeWith });
const film = {
  ...{ width: 320, height: 256, output_format: 'mp4', frame_rate: 25, duration: 1 },
  elements: [{ type: 'shape', width: '50%', height: '50%', fill_color: '#f00' }],
};
/** Renders the film. @returns it as the window has it */
async function make(): Promise<WindowRender> {
  const { id } = (await server.ask('POST', '/v2/renders', film)).body;
  expect((await server.ended(id)).status).toBe('succeeded');
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  return renders.find((render) => render.id === id)!;
}
const receiptOf = async ({ id }: WindowRender): Promise<Receipt> =>
  JSON.parse((await server.ask('GET', `/v2/renders/${id}/receipt`)).text) as Receipt;
const trials = async (method: 'GET' | 'POST'): Promise<HardwareTrial[]> =>
  JSON.parse((await server.askWindow(method, '/api/settings/hardware')).text) as HardwareTrial[];

test(
  'encodeWith: tried at the choice, named in the record, and back to software at a fault',
  { timeout: 120_000 },
  async () => {
    const bySoftware = await make();
    expect([bySoftware.encoder, ffmpeg.asked()]).toEqual([undefined, []]);

    // What does not work can't be chosen.
    ffmpeg.mode('closed');
    const refused = await choose('nvenc');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Cannot load libcuda.so.1');
    expect((await choose('amf')).text).toContain('has no h264_amf here');
    expect((await choose('steam')).status).toBe(400);
    expect(await trials('GET')).toEqual(
      ['nvenc', 'qsv'].map((family) => ({
        family,
        codecs: ['h264', 'hevc'].map((codec) => ({ codec, reason: 'Cannot load libcuda.so.1' })),
      })),
    );

    // Drivers have come: the choice tries again.
    ffmpeg.mode('works');
    expect((await choose('nvenc')).status).toBe(200);
    const made = await make();
    expect(made).toMatchObject({ encoder: 'h264_nvenc', attempts: 1 });
    expect((await receiptOf(made)).build.encoder).toBe('h264_nvenc');

    ffmpeg.mode('dies');
    const back = await make();
    const fault = { encoder: 'h264_nvenc', reason: 'EncodePicture failed!' };
    expect(back).toMatchObject({ hardwareFault: fault, attempts: 1 });
    expect(back.encoder).toBeUndefined();
    expect((await receiptOf(back)).file).toEqual((await receiptOf(bySoftware)).file);
    const { text } = await server.askWindow('GET', `/api/renders/${back.id}/log`);
    const warned = (JSON.parse(text) as LogLine[]).filter(({ level }) => level === 'warning');
    expect(warned.map((line) => line.text)).toEqual([
      expect.stringContaining(
        'made by software, because h264_nvenc failed (EncodePicture failed!)',
      ),
    ]);

    // Until it is tried again, or its program is another one.
    ffmpeg.mode('works');
    expect((await make()).hardwareFault).toEqual(fault);
    const [nvenc] = await trials('POST');
    expect(nvenc?.codecs).toEqual(['h264', 'hevc'].map((codec) => ({ codec, reason: null })));
    expect((await make()).encoder).toBe('h264_nvenc');
    ffmpeg.mode('closed');
    ffmpeg.touch();
    expect((await make()).hardwareFault?.reason).toBe('Cannot load libcuda.so.1');

    expect((await choose('software')).status).toBe(200);
    ffmpeg.asked();
    expect((await make()).hardwareFault).toBeUndefined();
    expect(ffmpeg.asked()).toEqual([]);
  },
);
