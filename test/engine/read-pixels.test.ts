/**
 * Memory of pixels that were read from a canvas: given back at once, so that no film fills it up before the collector
 * comes.
 */
import { createCanvas } from '@napi-rs/canvas';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { letGo } from '../../server/engine/garbage.ts';

const [width, height] = [1920, 1080];
const frameBytes = width * height * 4;

test('frames that were let go take no memory, and the canvas keeps its pixels', async () => {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  const before = process.memoryUsage().external;
  let most = 0;
  for (let frame = 0; frame < 60; frame++) {
    ctx.fillStyle = frame % 2 === 0 ? '#112233' : '#445566';
    ctx.fillRect(0, 0, width, height);
    const { data } = ctx.getImageData(0, 0, width, height);
    const whole = canvas.data();
    const wanted = frame % 2 === 0 ? [0x11, 0x22, 0x33, 255] : [0x44, 0x55, 0x66, 255];
    expect([...data.subarray(-4)]).toEqual(wanted);
    expect([...whole.subarray(-4)]).toEqual(wanted);
    letGo(data);
    letGo(whole);
    expect([data.length, whole.length]).toEqual([0, 0]);
    most = Math.max(most, process.memoryUsage().external - before);
    await setImmediate();
  }
  expect(most).toBeLessThan(4 * frameBytes);
});

test('a part of a larger memory stays', () => {
  const shared = new Uint8Array(16).fill(7);
  letGo(shared.subarray(4, 8));
  expect([...shared]).toEqual(Array(16).fill(7));
});
