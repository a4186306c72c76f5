/**
 * `npm run bench [-- --scenes S1,S2 --rounds 3 --limit-only --keep FOLDER]`: renders the scenes through the product,
 * measures each one's limit beside it, in turn, prints a table and writes bench-results.json. Needs a built product
 * (npm run bench builds it) and an ffmpeg; times on a busy machine mean nothing.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median, memoryFolder, renderOnce, runOnce, touchMemory } from './measure.mjs';
import { scenes } from './scenes.mjs';

const { values: chosen } = parseArgs({
  options: {
    scenes: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    'limit-only': { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});

/** The same ffmpeg for both sides; the product is told which. */
function findProgram() {
  const places = [process.env.FFMPEG_PATH, 'ffmpeg'];
  try {
    places.push(createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg').path);
  } catch {
    // An optional package; without a build for this machine it throws.
  }
  const works = (place) => {
    try {
      execFileSync(place, ['-version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  const program = places.find((place) => place && works(place));
  if (!program) throw new Error('no ffmpeg was found: install it, or set FFMPEG_PATH');
  return program;
}

/** Both sides of a scene, in turn. */
async function measureScene(scene, { program, folder, memory, rounds }) {
  const quiet = ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error'];
  const media = path.join(folder, scene.name);
  await mkdir(media, { recursive: true });
  const ffmpeg = (args) => runOnce(program, [...quiet, ...args]);
  const { source, limit } = await scene.prepare({ folder: media, memory, program, ffmpeg });

  const outputPath = path.join(folder, `${scene.name}.mp4`);
  const limitPath = path.join(folder, `${scene.name}-limit.mp4`);
  const [own, alone, peaks] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    alone.push(await ffmpeg([...limit, limitPath]));
    if (chosen['limit-only']) continue;
    const { seconds, facts, peakMemoryMb } = await renderOnce({
      source,
      folder,
      mediaFolder: media,
      ffmpegPath: program,
      outputPath,
    });
    if (Math.abs(facts.duration * facts.frameRate - scene.frames) > 0.5) {
      throw new Error(
        `${scene.name}: expected ${scene.frames} frames, found ${facts.duration * facts.frameRate}`,
      );
    }
    own.push(seconds);
    if (peakMemoryMb !== null) peaks.push(peakMemoryMb);
  }
  if (chosen.keep) {
    await mkdir(chosen.keep, { recursive: true });
    for (const file of chosen['limit-only'] ? [limitPath] : [outputPath, limitPath]) {
      await copyFile(file, path.join(chosen.keep, path.basename(file)));
    }
  }

  const limitSeconds = median(alone);
  if (own.length === 0)
    return { name: scene.name, goal: scene.goal, limitSeconds: round3(limitSeconds) };
  const seconds = median(own);
  return {
    name: scene.name,
    ratio: round3(seconds / limitSeconds),
    goal: scene.goal,
    seconds: round3(seconds),
    limitSeconds: round3(limitSeconds),
    framesPerSecond: round3(scene.frames / seconds),
    peakMemoryMb: peaks.length === 0 ? null : Math.max(...peaks),
  };
}

const round3 = (value) => Math.round(value * 1000) / 1000;

function machine() {
  const cpus = os.cpus();
  return `${cpus[0]?.model ?? 'unknown'} × ${cpus.length}, ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()}, Node ${process.version}`;
}

const wanted = chosen.scenes?.split(',') ?? scenes.map(({ name }) => name);
const unknown = wanted.filter((name) => !scenes.some((scene) => scene.name === name));
if (unknown.length > 0)
  throw new Error(
    `unknown scenes: ${unknown.join(', ')}; there are ${scenes.map(({ name }) => name).join(', ')}`,
  );

const program = findProgram();
const folder = await mkdtemp(path.join(os.tmpdir(), 'framewright-bench-'));
const memory = await memoryFolder();
try {
  await touchMemory();
  const results = [];
  for (const scene of scenes.filter(({ name }) => wanted.includes(name))) {
    results.push(
      await measureScene(scene, {
        program,
        folder,
        memory: memory.folder,
        rounds: Number(chosen.rounds),
      }),
    );
  }
  console.table(results);
  if (!chosen['limit-only']) {
    await writeFile(
      'bench-results.json',
      `${JSON.stringify({ machine: machine(), scenes: results }, null, 2)}\n`,
    );
  }
} finally {
  await memory.remove();
  await rm(folder, { recursive: true, force: true });
}
