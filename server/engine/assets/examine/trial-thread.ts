/**
 * The thread that draws a picture for the first time, onto nothing, only to see whether that ends. trial.ts starts it
 * and abandons it if a picture takes too long or too much memory. A bundle of its own (build.mjs).
 */
import { createCanvas, Image } from '@napi-rs/canvas';
import { parentPort } from 'node:worker_threads';
import { tryLottie } from '../lottie/lottie-picture.ts';
import { drawSvg, loadSvgRenderer } from '../vectors/svg-renderer.ts';
import { over, type TrialQuestion } from './trial.ts';

if (!parentPort) throw new Error('trial-thread.ts runs as a thread');

parentPort.on('message', (question: TrialQuestion) => void answer(question));

async function answer({ picture, width, height, state }: TrialQuestion): Promise<void> {
  const end = new Int32Array(state);
  try {
    if (picture instanceof Uint8Array)
      draw(Buffer.from(picture.buffer, picture.byteOffset, picture.length), width, height);
    else if ('lottie' in picture) tryLottie(picture, width, height);
    else {
      await loadSvgRenderer();
      drawSvg(picture, width, height);
    }
  } catch {
    // Damaged: real decoding will report it.
  }
  Atomics.store(end, 0, over);
  Atomics.notify(end, 0);
}

function draw(bytes: Buffer, width: number, height: number): void {
  const image = new Image();
  image.onerror = () => undefined;
  image.src = bytes;
  // As in images.ts: first test whether it can be drawn at all, then draw at its size.
  createCanvas(1, 1).getContext('2d').drawImage(image, 0, 0);
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').drawImage(image, 0, 0, width, height);
  // Drawing is deferred until pixels are read.
  canvas.data();
}
