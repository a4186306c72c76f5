/**
 * `npm run bench [-- --scenes S1,S2 --rounds 3 --limit-only --peers --keep FOLDER]`: renders the scenes through the
 * product (S1 and S2 unless others are named, `all` for all; S8a alone takes minutes), measures each one's limit beside
 * it, in turn, prints a table and writes bench-results.json. With `--peers`, other programs render S1 and S2, too,
 * where they are installed (peers.mjs). Needs a built product (npm run bench builds it) and an ffmpeg; times on a busy
 * machine mean nothing.
 */
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { keptScenes } from './kept-scenes.mjs';
import { median, memoryFolder, renderOnce, runOnce, touchMemory } from './measure.mjs';
import { moreScenes } from './more-scenes.mjs';
import { framesOf, openPeers } from './peers.mjs';
import { measureCards, measureManyTexts } from './rates.mjs';
import { scenes as first } from './scenes.mjs';

const { values: chosen } = parseArgs({
  options: {
    scenes: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    'limit-only': { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});

/** Scenes beside a limit of ffmpeg's, and those that are measured otherwise: `measure(context)` gives their row. */
const scenes = [
  ...first,
  ...moreScenes,
  { name: 'S5', measure: measureCards },
  { name: 'S8b', measure: measureManyTexts },
  ...keptScenes,
];

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
  const prepared = await scene.prepare({ folder: media, memory, program, ffmpeg });
  const { source } = prepared;

  const ending = source.output_format;
  const outputPath = path.join(folder, `${scene.name}.${ending}`);
  const render = (document, file) =>
    renderOnce({
      source: document,
      folder,
      mediaFolder: media,
      ffmpegPath: program,
      outputPath: file,
    });
  let { limit } = prepared;
  if (typeof limit === 'function') {
    const film = path.join(folder, `${scene.name}-film.mp4`);
    await render({ ...source, output_format: 'mp4', crf: 17 }, film);
    limit = await limit(film);
  }
  const limitPath = path.join(folder, `${scene.name}-limit.${ending}`);
  const peerPath = (name) => path.join(folder, `${scene.name}-${name}.${ending}`);
  /** One render by another program. Seconds. */
  const measurePeer = async ({ name, render: renderThere }) => {
    const started = performance.now();
    await renderThere(peerPath(name));
    const seconds = (performance.now() - started) / 1000;
    const made = framesOf(program, peerPath(name));
    // Some have one more for each of the parts that they are made in.
    if (Math.abs(made - scene.frames) > 0.01 * scene.frames)
      throw new Error(`${scene.name}: ${name} made ${made} frames instead of ${scene.frames}`);
    return seconds;
  };
  const [own, alone, peaks] = [[], [], []];
  const others = chosen.peers
    ? await openPeers(scene, { folder, media, program })
    : { ready: [], leftOut: [] };
  for (const reason of others.leftOut) console.log(`${scene.name}: left out: ${reason}.`);
  const taken = new Map(others.ready.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    alone.push(await ffmpeg([...limit, limitPath]));
    if (chosen['limit-only']) continue;
    const { seconds, facts, peakMemoryMb } = await render(source, outputPath);
    if (Math.abs(facts.duration * facts.frameRate - scene.frames) > 0.5) {
      throw new Error(
        `${scene.name}: expected ${scene.frames} frames, found ${facts.duration * facts.frameRate}`,
      );
    }
    own.push(seconds);
    if (peakMemoryMb !== null) peaks.push(peakMemoryMb);
    for (const peer of others.ready) taken.get(peer.name).push(await measurePeer(peer));
  }
  if (chosen.keep) {
    await mkdir(chosen.keep, { recursive: true });
    const theirs = others.ready.map(({ name }) => peerPath(name));
    for (const file of chosen['limit-only'] ? [limitPath] : [outputPath, limitPath, ...theirs]) {
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
    ...(taken.size > 0 && {
      peers: Object.fromEntries([...taken].map(([name, all]) => [name, round3(median(all))])),
    }),
  };
}

const round3 = (value) => Math.round(value * 1000) / 1000;

function machine() {
  const cpus = os.cpus();
  return `${cpus[0]?.model ?? 'unknown'} × ${cpus.length}, ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()}, Node ${process.version}`;
}

const names = scenes.map(({ name }) => name);
const wanted = chosen.scenes === 'all' ? names : (chosen.scenes?.split(',') ?? ['S1', 'S2']);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0)
  throw new Error(`unknown scenes: ${unknown.join(', ')}; there are ${names.join(', ')}`);

const program = findProgram();
const folder = await mkdtemp(path.join(os.tmpdir(), 'framewright-bench-'));
const memory = await memoryFolder();
try {
  await touchMemory();
  const results = [];
  for (const scene of scenes.filter(({ name }) => wanted.includes(name))) {
    const context = { program, folder, memory: memory.folder, rounds: Number(chosen.rounds) };
    results.push(await (scene.measure?.(context) ?? measureScene(scene, context)));
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
