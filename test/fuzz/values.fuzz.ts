/**
 * Values as documents write them: what is made to be read is read as it was made, and anything else ends in null, soon.
 */
import { formatColor, parseColor } from '../../shared/renderscript/color.ts';
import { easingCalls, easingNames, parseEasing } from '../../shared/renderscript/easing.ts';
import { parsePath } from '../../shared/renderscript/path.ts';
import { parseAmount } from '../../shared/renderscript/units.ts';
import { runCases, stopwatch, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
import { brokenText } from './texts.ts';

export const name = 'values';

const units = ['', '%', '°', 's', 'fps', 'px', 'vmin', 'vw', 'deg'];
const spaces = ['', '', ' ', '  ', '\t'];
const pathLetters = 'MmLlHhVvCcSsQqTtAaZz';

/** The longest that one value may take, in ms: a hundred times what the longest takes on a busy machine. */
const longest = 1000;

const attacks: readonly ((random: Random) => string | null)[] = [
  function amount(random) {
    const value = Number(((random.next() - 0.5) * 10 ** random.below(12)).toFixed(random.below(8)));
    const unit = random.pick(units);
    const text = `${random.pick(spaces)}${value}${random.pick(spaces)}${unit}${random.pick(spaces)}`;
    const read = parseAmount(text);
    if (read?.value !== value || read.unit !== unit) return `${show(text)} gives ${show(read)}`;
    const broken = parseAmount(brokenText(random, text));
    return broken === null || Number.isFinite(broken.value) ? null : `not finite: ${show(text)}`;
  },
  function color(random) {
    const text = random.oneIn(3)
      ? `#${random.below(2 ** 32).toString(16)}`
      : `${random.pick(['rgb', 'rgba', 'hsl', 'hsla'])}(${someNumbers(random, 5).join(random.pick([',', ' ', ', ', '/']))})`;
    const written = random.oneIn(2) ? text : brokenText(random, text);
    const read = parseColor(written);
    if (read === null) return null;
    const [red, green, blue, alpha] = read;
    const isInside = [red, green, blue].every((channel) => channel >= 0 && channel <= 255);
    if (!isInside || !(alpha >= 0 && alpha <= 1)) return `${show(written)} gives ${show(read)}`;
    const again = parseColor(formatColor(read));
    const isSame = again?.every((channel, index) => {
      const first = read[index] ?? Number.NaN;
      return Math.abs(channel - first) <= (index === 3 ? 0.0001 : 0.5000001);
    });
    return isSame === true ? null : `${show(written)} is written ${formatColor(read)}`;
  },
  function easing(random) {
    const written = brokenText(random, random.pick([...easingNames, ...easingCalls]));
    const read = parseEasing(written);
    if (read === null) return null;
    const isFinite = Object.values(read).every(
      (value) => typeof value === 'string' || Number.isFinite(value),
    );
    return isFinite ? null : `${show(written)} gives ${show(read)}`;
  },
  function path(random) {
    const parts = Array.from({ length: random.below(random.oneIn(50) ? 20_000 : 20) }, () =>
      [pathLetters.charAt(random.below(pathLetters.length)), ...someNumbers(random, 7)].join(
        random.pick(spaces),
      ),
    );
    const written = brokenText(random, `M0 0${parts.join('')}`);
    const read = parsePath(written);
    const isFinite = read?.every((command) =>
      command.every((value) => typeof value === 'string' || Number.isFinite(value)),
    );
    return isFinite === false ? `not finite: ${show(written)}` : null;
  },
];

function someNumbers(random: Random, most: number): string[] {
  return Array.from({ length: random.below(most) + 1 }, () => {
    const size = 10 ** (random.oneIn(20) ? random.below(320) : random.below(4));
    return `${((random.next() - 0.3) * size).toPrecision(random.below(9) + 1)}${random.oneIn(3) ? '%' : ''}`;
  });
}

/** A value for a message; of long ones the beginning. */
function show(value: unknown): string {
  return JSON.stringify(value).slice(0, 300);
}

/** One kind of value after the other. */
export function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  return runCases(options, (random) => {
    const attack = random.pick(attacks);
    const elapsed = stopwatch();
    const what = attack(random);
    const took = elapsed();
    if (what !== null) return `${attack.name}: ${what}`;
    return took > longest ? `${attack.name}: one value took ${Math.round(took)} ms` : null;
  });
}
