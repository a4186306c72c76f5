/** Elements that show the same frames of a file have one decoder together, and every picture stays what it was. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { MediaFile } from '../../server/engine/assets/assets.ts';
import { probeFile } from '../../server/engine/assets/examine/probe.ts';
import { VideoBook, type VideoRequest } from '../../server/engine/assets/videos/video.ts';
import type { VideoFrame } from '../../shared/engine/paint/sources.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { at, effects, frame, painter, side, sources, video } from '../helpers/boxes.ts';
import { renderInto } from '../helpers/engine.ts';
import { recordFfmpeg } from '../helpers/recorded-ffmpeg.ts';
import { height, makeClip, maker, width } from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'video-shared-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const name = path.basename(makeClip('mp4 30 with B-frames', folder));

/** A film, and the same one with every element's file under a name of its own: nothing can be shared there. */
function bothWays(
  elements: readonly Record<string, unknown>[],
): Record<'shared' | 'apart', Source> {
  const document = (sourceOf: (index: number) => string): Source => ({
    output_format: 'mp4',
    width: 192,
    height: 108,
    duration: 0.5,
    frame_rate: 30,
    elements: elements.map((element, index) => ({
      type: 'video',
      track: index + 1,
      source: sourceOf(index),
      ...element,
    })),
  });
  const copy = (index: number): string => {
    const own = `${index}-${name}`;
    copyFileSync(path.join(folder, name), path.join(folder, own));
    return own;
  };
  return { shared: document(() => name), apart: document(copy) };
}

test.skipIf(process.platform === 'win32')(
  'a film over its blurred background is decoded once, and so are 300 copies of a clip',
  async () => {
    const ffmpeg = await recordFfmpeg(folder);
    /** How often frames were begun to be decoded. */
    const decoders = async (source: Source, file: string): Promise<number> => {
      ffmpeg.forget();
      await renderInto(folder, file, source, { ffmpegPath: ffmpeg.path });
      return ffmpeg.calls().filter(({ args }) => args.includes('0:V:0')).length;
    };
    const film = bothWays([
      { width: '100%', height: '100%', fit: 'cover', blur_radius: 6 },
      { width: 192, height: 48, y: '50%', z_rotation: '10°' },
      { width: 192, height: 48, y: '20%', opacity: '50%', animations: [{ type: 'spin' }] },
      // These three are shown at another size, or show another part.
      { width: 96, height: 24, x: '25%' },
      { width: 192, height: 48, y: '80%', trim_start: 1 },
      { width: 192, height: 48, y: '90%', time: 0.2 },
    ]);
    expect(await decoders(film.shared, 'shared.mp4')).toBe(4);
    expect(await decoders(film.apart, 'apart.mp4')).toBe(6);
    const [shared, apart] = ['shared.mp4', 'apart.mp4'].map((one) =>
      readFileSync(path.join(folder, one)),
    );
    expect(shared!.equals(apart!)).toBe(true);

    const copies = Array.from({ length: 300 }, () => ({ width: 48, height: 12, loop: true }));
    expect(await decoders(bothWays(copies).shared, 'copies.mp4')).toBe(1);
  },
  120_000,
);

test('elements that come, go, part and meet show what each shows alone', async () => {
  const file = path.join(folder, name);
  const media = new Map<string, MediaFile>([
    [name, { source: name, path: file, info: await probeFile(file, maker) }],
  ]);
  const open = (): VideoBook =>
    new VideoBook({ assets: { media }, ffmpeg: maker, signal: new AbortController().signal });
  let seed = 7;
  const below = (most: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * most);
  };
  /** Seconds of the file at frame n: played, played slowly, looped, faster and faster, standing. */
  const ways: readonly ((n: number) => [time: number, step: number])[] = [
    (n) => [n / 30, 1 / 30],
    (n) => [n / 30, 1 / 30],
    (n) => [1 + n / 90, 1 / 90],
    (n) => [(n % 4) / 30, 1 / 30],
    (n) => [n / 30 + (n * n) / 400, 1 / 30 + n / 200],
    () => [2, 0],
  ];
  const elements = 7;
  const wayOf = Array.from({ length: elements }, () => 0);
  const moments: VideoRequest[][] = [];
  for (let n = 0; n < 11; n++) {
    moments.push([]);
    for (let index = 0; index < elements; index++) {
      if (n > 0 && below(5) === 0) wayOf[index] = below(ways.length);
      if (n > 0 && below(9) === 0) continue;
      const [time, step] = ways[wayOf[index]!]!(n);
      moments[n]!.push({ elementPath: `e${index}`, source: name, time, step, width, height });
    }
  }
  const together = open();
  const shown = new Map<VideoRequest, Buffer>();
  for (const requests of moments) {
    await together.prepare(requests);
    for (const request of requests)
      shown.set(request, Buffer.from(together.frame(request.elementPath)!.rgba));
  }
  await together.close();
  const different: string[] = [];
  for (let index = 0; index < elements; index++) {
    const alone = open();
    for (const [n, requests] of moments.entries()) {
      const own = requests.filter(({ elementPath }) => elementPath === `e${index}`);
      await alone.prepare(own);
      for (const request of own)
        if (!shown.get(request)!.equals(alone.frame(request.elementPath)!.rgba))
          different.push(`e${index} in frame ${n}, at ${request.time}`);
    }
    await alone.close();
  }
  expect(different).toEqual([]);
}, 120_000);

test('one clip at many sizes and places is painted as if each had its own', () => {
  const rgba = (serial: number): Uint8Array =>
    Uint8Array.from({ length: 41 * 30 * 4 }, (_, index) => (index * 37 * serial) % 256);
  const films = [
    video(at(2, 3, 41, 30)),
    video(at(20.3, 12.6, 41, 30)),
    video(at(50, 3, 20, 15)),
    video(at(50.4, 30.1, 10, 7), { effects: effects({ blur: 3 }) }),
    video(at(5, 50, 60, 40), { effects: effects({ overlay: [0, 0, 1, 0.5] }) }),
    video(at(60, 60, 41, 30)),
  ];
  const pictures = (clip: number | undefined): Buffer[] => {
    const frames: Record<string, VideoFrame> = {};
    const opened = painter(side, side, { sources: sources({}, frames) });
    return [1, 2, 3].map((serial) => {
      const film: VideoFrame = {
        rgba: rgba(serial),
        width: 41,
        height: 30,
        serial,
        ...(clip !== undefined && { clip }),
      };
      for (const { element } of films) frames[element.path] = film;
      void opened.paint(frame(side, side, films));
      return Buffer.from(opened.canvas.data());
    });
  };
  expect(pictures(1)).toEqual(pictures(undefined));
});
