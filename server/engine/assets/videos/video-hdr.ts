/**
 * Phase 1, videos: converts HDR colours to the standard range with a table for ffmpeg's `lut3d`, which every build has (its
 * own tone mapping needs a library that many builds lack). Pure except for writing the table.
 *
 * Light is measured in cd/m². Diffuse white of HDR is 203 (ITU-R BT.2408) and becomes the output's white; the curve of ITU-R
 * BT.2390 section 5.4.1 bends brighter light of up to 1,000 down to it. All three colours are scaled by the brightest one's
 * factor, so that hues stay; colours outside BT.709 are clipped.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The two curves of HDR files. */
type HdrCurve = 'pq' | 'hlg';

/**
 * Table points per colour; ffmpeg interpolates between them, at most 2 of 255 levels off. ffmpeg 4.1 reads at most 64.
 */
const points = 33;
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

/** Light of a picture's signal on the display that it was graded for. */
function lightOf([r, g, b]: Rgb, curve: HdrCurve): Rgb {
  if (curve === 'pq') return [pqToLight(r), pqToLight(g), pqToLight(b)];
  const scene = [hlgToScene(r), hlgToScene(g), hlgToScene(b)] as const;
  const luminance = 0.2627 * scene[0] + 0.678 * scene[1] + 0.0593 * scene[2];
  // The system gamma of a display of 1,000 cd/m² is 1.2.
  const gain = brightest * luminance ** 0.2;
  return [scene[0] * gain, scene[1] * gain, scene[2] * gain];
}

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

/**
 * Standard colours, 0 to 1 as BT.709 stores them, of one HDR colour.
 *
 * @param signal red, green, blue of the file in BT.2020, 0 to 1.
 */
export function standardColor(signal: Rgb, curve: HdrCurve): Rgb {
  const light = lightOf(signal, curve);
  const peak = Math.max(...light);
  if (peak <= 0) return [0, 0, 0];
  const scale = bendLight(peak) / peak / diffuseWhite;
  const [r, g, b] = [light[0] * scale, light[1] * scale, light[2] * scale];
  // BT.2020 to BT.709 primaries (ITU-R BT.2087).
  const linear = [
    1.6605 * r - 0.5876 * g - 0.0728 * b,
    -0.1246 * r + 1.1329 * g - 0.0083 * b,
    -0.0182 * r - 0.1006 * g + 1.1187 * b,
  ] as const;
  const store = (value: number): number => Math.min(1, Math.max(0, value)) ** (1 / displayGamma);
  return [store(linear[0]), store(linear[1]), store(linear[2])];
}

/** The table as the text of a `.cube` file, red changing fastest. */
function hdrTable(curve: HdrCurve): string {
  const lines = [`LUT_3D_SIZE ${points}`];
  const at = (index: number): number => index / (points - 1);
  for (let blue = 0; blue < points; blue++) {
    for (let green = 0; green < points; green++) {
      for (let red = 0; red < points; red++) {
        const color = standardColor([at(red), at(green), at(blue)], curve);
        lines.push(color.map((value) => value.toFixed(5)).join(' '));
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Name of a curve's table file. Filters use it without a folder, because drives and quotes would need escaping. */
export function hdrTableName(curve: HdrCurve): string {
  return `${curve}-to-standard.cube`;
}

const written = new Map<string, Promise<void>>();

/** Makes sure that the table is in a folder; writes it once per folder. */
export function writeHdrTable(folder: string, curve: HdrCurve): Promise<void> {
  const filePath = path.join(folder, hdrTableName(curve));
  let writing = written.get(filePath);
  if (!writing) {
    writing = writeFile(filePath, hdrTable(curve));
    written.set(filePath, writing);
    writing.catch(() => written.delete(filePath));
  }
  return writing;
}
