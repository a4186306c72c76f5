/**
 * Painting only what changed must give the very pixels that painting everything gives. Checked over all picture samples
 * that move, frame by frame, against a painter that starts afresh.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fontsOf } from '../../server/engine/assets/fonts/font-needs.ts';
import { FontBook } from '../../server/engine/assets/fonts/fonts.ts';
import { ImageBook } from '../../server/engine/assets/pictures/images.ts';
import { vectorFonts } from '../helpers/drawing.ts';
import { loadAssets } from '../../server/engine/assets/load.ts';
import { loadTranscripts, spokenTexts } from '../../server/engine/assets/speech/transcripts.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { scaling } from '../../shared/engine/geometry.ts';
import { createLayout, type Layout } from '../../shared/engine/layout/layout.ts';
import { changedPart } from '../../shared/engine/paint/changes.ts';
import type { Canvas } from '@napi-rs/canvas';
import type { Painter } from '../../shared/engine/paint/paint.ts';
import { createMeasurer, createPainter } from '../helpers/painter.ts';
import { isLong, someInQuick } from '../helpers/long.ts';
import { takePart } from '../helpers/pixels.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { engineLimits } from '../../shared/limits.ts';
import { isJsonObject, type Source } from '../../shared/renderscript/source.ts';

const samples = path.join(import.meta.dirname, '..', 'samples');
const scratch = mkdtempSync(path.join(tmpdir(), 'changes-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const names = readdirSync(samples).filter(
  (name) =>
    !name.startsWith('video-') &&
    existsSync(path.join(samples, name, 'source.json')) &&
    moves(name),
);

/** Looked at in each sample, beside the first one. */
const frames = isLong ? 12 : 4;

describe('painting the changed part', () => {
  test.each(someInQuick(names, 40))('%s: the same pixels as painting all', async (name) => {
    const { layout, painter, seconds, scale, width, height } = await open(name);
    const building = painter();
    const standing = Buffer.alloc(width * height * 4);
    let last;
    for (let index = 0; index <= frames; index++) {
      const frame = layout.frameAt((index * seconds) / frames);
      const part = last && changedPart(last, frame, scale, { x: 0, y: 0, width, height });
      if (part !== null) {
        void building.paint(frame, part?.painted);
        takePart(
          standing,
          building.canvas.data(),
          part?.changed ?? { x: 0, y: 0, width, height },
          width,
        );
      }
      last = frame;
      const whole = painter();
      void whole.paint(frame);
      const difference = firstDifference(standing, whole.canvas.data());
      whole.close();
      expect(
        difference &&
          `frame ${index}, pixel ${difference % width},${Math.floor(difference / width)}`,
      ).toBeNull();
    }
    building.close();
  });
});

function readSource(name: string): Source {
  const value: unknown = JSON.parse(readFileSync(path.join(samples, name, 'source.json'), 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${name} should hold an object`);
  return value;
}

function moves(name: string): boolean {
  return readSource(name).output_format === 'mp4';
}

/** A sample with its assets, and painters for it. */
async function open(name: string): Promise<{
  layout: Layout;
  painter: () => Painter<Canvas>;
  seconds: number;
  scale: ReturnType<typeof scaling>;
  width: number;
  height: number;
}> {
  const source = readSource(name);
  const options = {
    workFolder: scratch,
    cacheFolder: scratch,
    mediaFolders: [path.join(samples, '..', 'fixtures')],
    allowPrivateAddresses: false,
    ownPorts: [],
    pictureMegapixels: engineLimits.pictureMegapixels,
    mediaBytes: engineLimits.mediaBytes,
    signal: new AbortController().signal,
  };
  const assets = await loadAssets(source, options, null);
  const spoken = await loadTranscripts(source, assets, {
    ...options,
    ffmpeg: null,
    transcriber: null,
    preview: false,
    onTranscribing: () => undefined,
  });
  const media = new Map([...assets.media].map(([key, { info }]) => [key, info]));
  const timeline = compileTimeline(source, {
    media,
    scaling: { renderScale: 1.3 },
    transcripts: spoken.byText,
  });
  const needs = fontsOf(source, assets);
  const texts = [...needs.texts, ...spokenTexts(spoken)];
  const fonts = await FontBook.open({ fontFolder: fontFolder(), ...needs, texts });
  const pictures = await ImageBook.open(assets, vectorFonts);
  const { width, height } = timeline.output;
  const size = { width, height, documentWidth: timeline.width, documentHeight: timeline.height };
  const sources = { pictures, fonts, videos: { frame: () => null } };
  return {
    layout: createLayout(timeline, { measurer: createMeasurer(fonts), media }),
    painter: () => createPainter({ ...size, transparent: false, sources }),
    seconds: timeline.duration,
    scale: scaling(width / timeline.width, height / timeline.height),
    width,
    height,
  };
}

/** Index of the first pixel that differs, or null. */
function firstDifference(one: Buffer, two: Buffer): number | null {
  if (one.equals(two)) return null;
  return Math.floor(one.findIndex((value, index) => value !== two[index]) / 4);
}
