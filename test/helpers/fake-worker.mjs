/**
 * A worker that speaks the protocol but draws nothing: it writes a small file after a few "frames". The root property
 * `_fake` of the document changes that (names with an underscore are notes, which nothing else reads): `{ frames,
 * pause, end: 'crash' | 'crash-once' | 'hang' | 'deaf' | 'fail', snapshot, lastFrame }`; `lastFrame` is the text that a
 * failing render sends as its last picture.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const wait = new Int32Array(new SharedArrayBuffer(4));
let cancelled = false;
let deaf = false;

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  if (message.type === 'cancel') cancelled = !deaf;
  // It has no picture to show, and no work that could give way.
  else if (message.type === 'look' || message.type === 'priority') return;
  else if (message.name === 'render') void work(message.input);
  else answer(message);
});
process.send({ type: 'ready' });

function answer({ id, name }) {
  const found = { path: 'ffmpeg', version: '0.0', ownFilesOnly: true };
  const outputs = {
    prove: { problem: null },
    'find-encoder': { found: { ...found, cage: 'none', endsWithWorker: true } },
  };
  const output = outputs[name];
  if (output) process.send({ type: 'result', id, output });
  else
    process.send({ type: 'failed', id, code: 'media_unreadable', message: 'nothing is looked at' });
}

async function work(job) {
  const { id, outputPath, snapshotPath, workFolder, cacheFolder } = job;
  const proceed = (progress) => process.send({ type: 'progress', id, progress });
  const source = JSON.parse(job.source.file ? readFileSync(job.source.file, 'utf8') : job.source);
  const { frames = 3, pause: milliseconds = 5, end, snapshot = false } = source._fake ?? {};
  const { lastFrame = '' } = source._fake ?? {};
  cancelled = false;
  deaf = end === 'deaf';
  mkdirSync(workFolder, { recursive: true });
  proceed({ phase: 'waiting', frame: 0, frames: 0 });
  for (let frame = 0; frame <= frames && !cancelled; frame++) {
    proceed({ phase: 'rendering', frame, frames });
    await pause(milliseconds);
    if (frame !== Math.floor(frames / 2)) continue;
    if (end === 'crash') process.kill(process.pid, 'SIGKILL');
    if (end === 'crash-once' && isFirst(cacheFolder, id)) process.kill(process.pid, 'SIGKILL');
    // Not even a heartbeat.
    if (end === 'hang') Atomics.wait(wait, 0, 0);
  }
  rmSync(workFolder, { recursive: true, force: true });
  if (lastFrame !== '') proceed({ picture: Buffer.from(lastFrame).toString('base64') });
  if (cancelled) {
    process.send({ type: 'failed', id, code: 'cancelled', message: 'Render error: Cancelled' });
  } else if (end === 'fail') {
    const message = 'Source error: Clip.source: The server answered 404 Not Found';
    const place = 'elements[0].elements[1].source';
    process.send({ type: 'failed', id, code: 'media_missing', message, path: place });
  } else {
    writeFileSync(
      outputPath,
      Uint8Array.from({ length: 1000 }, (_, index) => index % 251),
    );
    if (snapshot) writeFileSync(snapshotPath, 'a picture');
    const { width = 100, height = 50 } = source;
    const moving = /\.(mp4|gif)$/.test(outputPath) && { frameRate: 30, duration: frames / 30 };
    const facts = { width, height, ...moving, fileSize: 1000, snapshot };
    process.send({ type: 'result', id, output: { kind: 'done', facts, warnings: [] } });
  }
}

/** Whether this is the first attempt at a render, across all processes. */
function isFirst(folder, id) {
  const mark = path.join(folder, `${id}.tried`);
  if (existsSync(mark)) return false;
  mkdirSync(folder, { recursive: true });
  writeFileSync(mark, '');
  return true;
}
