/**
 * Other programs that render the benchmark's scenes, where they are installed: in this project, in the folder that
 * FRAMEWRIGHT_PEERS names, or globally. Each is an object of `peers`: its packages, and `prepare(context)`, which gives
 * a function that renders the scene into a file. What it prepares is not part of the time.
 *
 *   npm install --prefix FOLDER remotion @remotion/bundler @remotion/renderer react react-dom
 *   npm install --prefix FOLDER editly canvas
 *   npm install --prefix FOLDER @revideo/core @revideo/2d @revideo/renderer @revideo/vite-plugin @revideo/ui
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findChromium } from '../chromium.mjs';
import { editly } from './peers/editly.mjs';
import { remotion } from './peers/remotion.mjs';
import { revideo } from './peers/revideo.mjs';
import { fontFamily, fontPath, frameRate, height, titleText, width } from './scenes.mjs';

const peers = [remotion, editly, revideo];
/** Scenes that the others have, too. */
const known = ['S1', 'S2'];

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folders that may have a node_modules with the others. */
function places() {
  const found = [process.env.FRAMEWRIGHT_PEERS, root];
  try {
    found.push(path.dirname(execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim()));
  } catch {
    // Then nothing is installed globally.
  }
  return found.filter(Boolean);
}

/** Loads a package as if from a folder. */
async function loadFrom(place, name) {
  const { resolve } = createRequire(path.join(place, 'package.json'));
  const module = await import(pathToFileURL(resolve(name)));
  return module.default?.__esModule || !module.default ? (module.default ?? module) : module;
}

/**
 * The others that can render a scene now.
 *
 * @returns `[{ name, render(file) }]`, and in words what was left out.
 */
export async function openPeers(scene, { folder, media, program }) {
  const ready = [];
  const leftOut = [];
  if (!known.includes(scene.name)) return { ready, leftOut };
  const facts = {
    ...{ scene: scene.name, frames: scene.frames },
    ...{ width, height, frameRate, fontFamily, titleText },
  };
  await copyFile(fontPath(), path.join(media, 'title.woff2'));
  const folders = places();
  for (const { name, packages, prepare } of peers) {
    const place = folders.find((one) =>
      packages.every((wanted) => existsSync(path.join(one, 'node_modules', wanted))),
    );
    if (place === undefined) {
      leftOut.push(`${name} is not installed (${packages.join(', ')})`);
      continue;
    }
    const project = path.join(folder, `${scene.name}-${name}`);
    await mkdir(project, { recursive: true });
    await symlink(path.join(place, 'node_modules'), path.join(project, 'node_modules'));
    const load = (wanted) => loadFrom(place, wanted);
    try {
      const context = { facts, project, media, program, browser: findChromium(), load };
      ready.push({ name, render: await prepare(context) });
    } catch (error) {
      leftOut.push(`${name} could not begin: ${error.message.split('\n')[0]}`);
    }
  }
  return { ready, leftOut };
}

/** Frames of a film, counted as packets. */
export function framesOf(program, file) {
  const words = ['-v', 'error', '-i', file, '-map', '0:v:0', '-c', 'copy', '-f', 'framemd5', '-'];
  const lines = execFileSync(program, words, { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).length;
}
