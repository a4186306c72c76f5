/** Many large clips on the screen at once: the picture is right, and memory stays in bounds. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { renderInto } from '../helpers/engine.ts';
import { runFfmpegSync } from '../helpers/media.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'media-grid-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Megabytes in use by the processes that this one has started; 0 where the system doesn't tell. */
function childMegabytes(): { processes: number; megabytes: number } {
  if (process.platform !== 'linux') return { processes: 0, megabytes: 0 };
  let [processes, kilobytes] = [0, 0];
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== process.pid) continue;
      processes++;
      kilobytes += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    } catch {
      // It has ended since the folder was read.
    }
  }
  return { processes, megabytes: kilobytes / 1024 };
}

const colors = ['red', 'lime', 'blue', 'yellow'];
const rgb = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
];

test('a 4 × 4 grid of 1080p clips', async () => {
  for (const name of colors) {
    runFfmpegSync(
      ...['-f', 'lavfi', '-i', `color=${name}:s=1920x1080:r=25:d=0.8`],
      ...['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-colorspace', 'bt709'],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', `${folder}/${name}.mp4`],
    );
  }
  const elements = Array.from({ length: 16 }, (_, index) => ({
    type: 'video',
    track: index + 1,
    source: `${colors[index % 4]!}.mp4`,
    width: '25%',
    height: '25%',
    x_anchor: '0%',
    y_anchor: '0%',
    x: `${(index % 4) * 25}%`,
    y: `${Math.floor(index / 4) * 25}%`,
    trim_start: index / 40,
  }));
  let most = { processes: 0, megabytes: 0 };
  const timer = setInterval(() => {
    const now = childMegabytes();
    if (now.megabytes > most.megabytes) most = now;
  }, 20);
  const before = process.memoryUsage().rss;
  await renderInto(folder, 'grid.mp4', {
    output_format: 'mp4',
    width: 480,
    height: 270,
    duration: 0.2,
    frame_rate: 25,
    elements,
  });
  clearInterval(timer);
  const own = (process.memoryUsage().rss - before) / 1024 ** 2;
  console.log(
    `4 × 4 of 1080p: ${most.processes} processes with ${Math.round(most.megabytes)} MB, own ${Math.round(own)} MB more`,
  );
  // 16 decoders with their reference frames, and one encoder.
  expect(most.megabytes).toBeLessThan(1600);
  expect(own).toBeLessThan(300);

  const at = ['-ss', '0.1', '-i', `${folder}/grid.mp4`, '-frames:v', '1'];
  const pixels = runFfmpegSync(...at, '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-');
  for (let index = 0; index < 16; index++) {
    const x = (index % 4) * 120 + 60;
    const y = Math.floor((Math.floor(index / 4) + 0.5) * 67.5);
    const color = [...pixels.subarray((y * 480 + x) * 3, (y * 480 + x) * 3 + 3)];
    const off = color.map((value, part) => Math.abs(value - rgb[index % 4]![part]!));
    expect(Math.max(...off), `cell ${index}: ${color.join()}`).toBeLessThan(12);
  }
}, 120_000);
