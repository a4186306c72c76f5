/**
 * Phase 1, videos: what colours of high dynamic range or other primaries are among the output's (BT.709, standard
 * range). Pure except for writing a table.
 *
 * Light of HDR is measured in cd/m². Diffuse white is 203 (ITU-R BT.2408) and becomes the output's white; the curve of
 * ITU-R BT.2390 section 5.4.1 bends brighter light of up to 1,000 down to it. All three colours are scaled by the
 * brightest one's factor, so that hues stay; colours outside BT.709 are clipped.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { VideoPicture } from '../../../../shared/engine/media-info.ts';
import { lightOfSignal, signalOfLight } from '../../../../shared/engine/srgb.ts';

/** What tells how a file's colours are to be brought to the output's. */
export type WideColors = Pick<VideoPicture, 'hdr' | 'primaries'>;

const diffuseWhite = 203;
const brightest = 1000;
/** Curve of standard-range displays, ITU-R BT.1886. */
const displayGamma = 2.4;

/** Constants of SMPTE ST 2084. */
const [m1, m2] = [2610 / 16384, (2523 / 4096) * 128];
const [c1, c2, c3] = [3424 / 4096, (2413 / 4096) * 32, (2392 / 4096) * 32];

/** Light of a PQ signal of 0 to 1, cd/m². */
function pqToLight(signal: number): number {
  const power = Math.max(0, signal) ** (1 / m2);
  return 10_000 * (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
}

function lightToPq(light: number): number {
  const power = (Math.max(0, light) / 10_000) ** m1;
  return ((c1 + c2 * power) / (1 + c3 * power)) ** m2;
}

/** Scene light, 0 to 1, of an HLG signal: the inverse of ITU-R BT.2100's curve. */
function hlgToScene(signal: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  return signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - c) / a) + b) / 12;
}

type Rgb = readonly [number, number, number];

const knee = (() => {
  const target = lightToPq(diffuseWhite) / lightToPq(brightest);
  return { target, start: 1.5 * target - 0.5 };
})();

/** BT.2390: straight up to the knee, then a Hermite spline to the target's white. */
function bendLight(light: number): number {
  const signal = Math.min(1, lightToPq(light) / lightToPq(brightest));
  const { start, target } = knee;
  if (signal <= start) return light;
  const t = (signal - start) / (1 - start);
  const [t2, t3] = [t * t, t * t * t];
  const bent =
    (2 * t3 - 3 * t2 + 1) * start + (t3 - 2 * t2 + t) * (1 - start) + (-2 * t3 + 3 * t2) * target;
  return pqToLight(bent * lightToPq(brightest));
}

/** Red, green and blue of BT.709 in light, row by row, of those of a file (ITU-R BT.2087, SMPTE EG 432-1). */
const toStandardLight = {
  bt709: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  bt2020: [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187],
  p3: [1.2249, -0.2249, 0, -0.042, 1.042, 0, -0.0196, -0.0786, 1.0983],
} as const;

/** One step after the other; each is a curve of one number, or a sum of three. White's light is 1. */
interface ColorSteps {
  /** Light of a signal of 0 to 1. */
  readonly light: (signal: number) => number;
  /** HLG: the luminance's shares, and the factor that it gives all three. */
  readonly luminance: readonly number[];
  readonly gain: (luminance: number) => number;
  /** The factor for all three, by the brightest. */
  readonly bend: (brightest: number) => number;
  readonly matrix: readonly number[];
  /** What is stored, 0 to 1, of light of 0 to 1. */
  readonly store: (light: number) => number;
}

/** How colours of a kind become the output's. */
export function colorSteps({ hdr, primaries }: WideColors): ColorSteps {
  const matrix = toStandardLight[primaries ?? 'bt709'];
  const none = { luminance: [0, 0, 0], gain: () => 1 };
  if (!hdr) return { ...none, light: lightOfSignal, bend: () => 1, matrix, store: signalOfLight };
  const bend = (peak: number): number =>
    peak <= 0 ? 1 : bendLight(peak * diffuseWhite) / (peak * diffuseWhite);
  const store = (light: number): number => light ** (1 / displayGamma);
  if (hdr === 'pq')
    return { ...none, light: (signal) => pqToLight(signal) / diffuseWhite, bend, matrix, store };
  return {
    light: (signal) => (hlgToScene(signal) * brightest) / diffuseWhite,
    luminance: [0.2627, 0.678, 0.0593],
    // The system gamma of a display of 1,000 cd/m² is 1.2.
    gain: (luminance) => ((luminance * diffuseWhite) / brightest) ** 0.2,
    bend,
    matrix,
    store,
  };
}

/** The output's colour, 0 to 1, of red, green and blue of a file, 0 to 1. */
export function standardColor(signal: readonly number[], kind: WideColors): Rgb {
  return applied(colorSteps(kind), signal);
}

function applied(steps: ColorSteps, signal: readonly number[]): Rgb {
  const weighed = (rgb: readonly number[], weights: readonly number[]): number =>
    rgb.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0);
  const light = signal.map(steps.light);
  const gain = steps.gain(weighed(light, steps.luminance));
  const scale = gain * steps.bend(Math.max(...light) * gain);
  const stored = (row: number): number => {
    const value = weighed(light, steps.matrix.slice(row * 3, row * 3 + 3)) * scale;
    return steps.store(Math.min(1, Math.max(0, value)));
  };
  return [stored(0), stored(1), stored(2)];
}

/** Table points per colour: for copies to look at, as ffmpeg reads between them up to 40 levels off in full colours. */
const points = 33;

/** The table as the text of a `.cube` file, red changing fastest. */
function colorTable(kind: WideColors): string {
  const steps = colorSteps(kind);
  const lines = [`LUT_3D_SIZE ${points}`];
  const at = (index: number): number => index / (points - 1);
  for (let blue = 0; blue < points; blue++) {
    for (let green = 0; green < points; green++) {
      for (let red = 0; red < points; red++) {
        const color = applied(steps, [at(red), at(green), at(blue)]);
        lines.push(color.map((value) => value.toFixed(5)).join(' '));
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** The table's file, which filters name without a folder, because drives and quotes would need escaping. */
const tableName = 'to-standard.cube';

/** A filter that brings a kind's colours to the output's; it needs the table in the process's folder. */
export const colorTableFilter = `lut3d=${tableName}`;

/** Writes a kind's table into a folder, for one process. */
export async function writeColorTable(folder: string, kind: WideColors): Promise<void> {
  await writeFile(path.join(folder, tableName), colorTable(kind));
}
