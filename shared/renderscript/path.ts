/**
 * Parses SVG path text to plain commands. `%` is allowed after numbers, because RenderScript writes box coordinates
 * both as `50` and `50%`. Pure; the shape's size decides whether a number is a percentage or pixels (layout).
 */

/** A path command with absolute coordinates; SVG's letters, reduced to these five. */
export type PathCommand =
  | readonly ['M', number, number]
  | readonly ['L', number, number]
  | readonly ['Q', number, number, number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

/** The pen's place while reading, and what the next command may refer to. */
interface Pen {
  x: number;
  y: number;
  /** Start of the current part, to which Z returns. */
  startX: number;
  startY: number;
  /** Last control point of a C or S (for S) or of a Q or T (for T); null after any other command. */
  cubic: readonly [number, number] | null;
  quadratic: readonly [number, number] | null;
}

/** Arguments of each command; `f` is an arc's flag, a single 0 or 1. */
const argumentKinds: Readonly<Record<string, string>> = {
  M: 'nn',
  L: 'nn',
  H: 'n',
  V: 'n',
  C: 'nnnnnn',
  S: 'nnnn',
  Q: 'nnnn',
  T: 'nn',
  A: 'nnnffnn',
  Z: '',
};

/**
 * Reads a whole path: every SVG command, relative forms, implicit repeats, compact numbers. H and V become L, S becomes
 * C, T becomes Q, arcs become cubics. An empty text is an empty path; null if it isn't a path.
 */
export function parsePath(text: string): PathCommand[] | null {
  const number = /[\s,]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)%?/iy;
  const flag = /[\s,]*([01])/y;
  const letter = /[\s,]*([a-z])/iy;
  const rest = /[\s,]*$/y;
  let position = 0;

  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return null;
    position = pattern.lastIndex;
    return match[1] ?? '';
  };

  const commands: PathCommand[] = [];
  const pen: Pen = { x: 0, y: 0, startX: 0, startY: 0, cubic: null, quadratic: null };
  let repeat: string | null = null;

  while (take(rest) === null) {
    // A repeated command may omit its letter; after M and m the repeats are lines.
    const found = take(letter);
    const name: string | null = found ?? repeat;
    if (name === null || (commands.length === 0 && name !== 'M' && name !== 'm')) return null;
    const kinds: string | undefined = argumentKinds[name.toUpperCase()];
    if (kinds === undefined) return null;
    const values: number[] = [];
    for (const kind of kinds) {
      const part = take(kind === 'f' ? flag : number);
      if (part === null) return null;
      const value = Number(part);
      if (!Number.isFinite(value)) return null;
      values.push(value);
    }
    draw(commands, pen, name, values);
    // Sums and arcs of huge numbers can overflow.
    if (!Number.isFinite(pen.x) || !Number.isFinite(pen.y)) return null;
    repeat = name === 'M' ? 'L' : name === 'm' ? 'l' : kinds === '' ? null : name;
  }
  const whole = commands.every((command) =>
    command.every((part) => typeof part === 'string' || Number.isFinite(part)),
  );
  return whole ? commands : null;
}

/** Adds one command, made absolute, and moves the pen. */
function draw(commands: PathCommand[], pen: Pen, name: string, values: readonly number[]): void {
  const relative = name !== name.toUpperCase();
  const x = relative ? pen.x : 0;
  const y = relative ? pen.y : 0;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = values;
  const { cubic, quadratic } = pen;
  pen.cubic = null;
  pen.quadratic = null;

  switch (name.toUpperCase()) {
    case 'M':
      commands.push(['M', x + a, y + b]);
      move(pen, x + a, y + b);
      pen.startX = pen.x;
      pen.startY = pen.y;
      break;
    case 'L':
      commands.push(['L', x + a, y + b]);
      move(pen, x + a, y + b);
      break;
    case 'H':
      commands.push(['L', x + a, pen.y]);
      move(pen, x + a, pen.y);
      break;
    case 'V':
      commands.push(['L', pen.x, y + a]);
      move(pen, pen.x, y + a);
      break;
    case 'C':
      commands.push(['C', x + a, y + b, x + c, y + d, x + e, y + f]);
      move(pen, x + e, y + f);
      pen.cubic = [x + c, y + d];
      break;
    case 'S': {
      const [x1, y1] = mirrored(pen, cubic);
      commands.push(['C', x1, y1, x + a, y + b, x + c, y + d]);
      move(pen, x + c, y + d);
      pen.cubic = [x + a, y + b];
      break;
    }
    case 'Q':
      commands.push(['Q', x + a, y + b, x + c, y + d]);
      move(pen, x + c, y + d);
      pen.quadratic = [x + a, y + b];
      break;
    case 'T': {
      const [x1, y1] = mirrored(pen, quadratic);
      commands.push(['Q', x1, y1, x + a, y + b]);
      move(pen, x + a, y + b);
      pen.quadratic = [x1, y1];
      break;
    }
    case 'A':
      commands.push(
        ...arc(pen, {
          rx: a,
          ry: b,
          degrees: c,
          large: d === 1,
          sweep: e === 1,
          x: x + f,
          y: y + g,
        }),
      );
      move(pen, x + f, y + g);
      break;
    default:
      commands.push(['Z']);
      move(pen, pen.startX, pen.startY);
  }
}

function move(pen: Pen, x: number, y: number): void {
  pen.x = x;
  pen.y = y;
}

/** The control point mirrored at the pen; the pen itself if the previous command had none. */
function mirrored(pen: Pen, control: readonly [number, number] | null): readonly [number, number] {
  return control === null ? [pen.x, pen.y] : [2 * pen.x - control[0], 2 * pen.y - control[1]];
}

interface Arc {
  readonly rx: number;
  readonly ry: number;
  readonly degrees: number;
  readonly large: boolean;
  readonly sweep: boolean;
  readonly x: number;
  readonly y: number;
}

/**
 * An elliptical arc as cubics of at most a quarter turn each. Centre and angles after SVG 1.1, appendix F.6.5 and
 * F.6.6 (radii too small are enlarged); the control distance 4/3·tan(angle/4) is the usual one for circular arcs.
 */
function arc(from: { readonly x: number; readonly y: number }, to: Arc): PathCommand[] {
  let rx = Math.abs(to.rx);
  let ry = Math.abs(to.ry);
  if (from.x === to.x && from.y === to.y) return [];
  if (rx === 0 || ry === 0) return [['L', to.x, to.y]];

  const angle = (to.degrees * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const halfX = (from.x - to.x) / 2;
  const halfY = (from.y - to.y) / 2;
  const x1 = cos * halfX + sin * halfY;
  const y1 = -sin * halfX + cos * halfY;
  const excess = (x1 / rx) ** 2 + (y1 / ry) ** 2;
  if (excess > 1) {
    rx *= Math.sqrt(excess);
    ry *= Math.sqrt(excess);
  }

  const share = (rx * y1) ** 2 + (ry * x1) ** 2;
  const distance =
    Math.sqrt(Math.max(0, ((rx * ry) ** 2 - share) / share)) * (to.large === to.sweep ? -1 : 1);
  const centreX = (distance * rx * y1) / ry;
  const centreY = (-distance * ry * x1) / rx;
  const shiftX = cos * centreX - sin * centreY + (from.x + to.x) / 2;
  const shiftY = sin * centreX + cos * centreY + (from.y + to.y) / 2;

  const start = Math.atan2((y1 - centreY) / ry, (x1 - centreX) / rx);
  let turn = Math.atan2((-y1 - centreY) / ry, (-x1 - centreX) / rx) - start;
  if (to.sweep && turn < 0) turn += 2 * Math.PI;
  if (!to.sweep && turn > 0) turn -= 2 * Math.PI;

  const count = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9));
  const step = turn / count;
  const reach = (4 / 3) * Math.tan(step / 4);
  const point = (ux: number, uy: number): readonly [number, number] => [
    cos * rx * ux - sin * ry * uy + shiftX,
    sin * rx * ux + cos * ry * uy + shiftY,
  ];

  const cubics: PathCommand[] = [];
  for (let index = 0; index < count; index += 1) {
    const t1 = start + index * step;
    const t2 = t1 + step;
    const [c1x, c1y] = point(
      Math.cos(t1) - reach * Math.sin(t1),
      Math.sin(t1) + reach * Math.cos(t1),
    );
    const [c2x, c2y] = point(
      Math.cos(t2) + reach * Math.sin(t2),
      Math.sin(t2) - reach * Math.cos(t2),
    );
    // Uses the given end point, without rounding errors.
    const [endX, endY] = index === count - 1 ? [to.x, to.y] : point(Math.cos(t2), Math.sin(t2));
    cubics.push(['C', c1x, c1y, c2x, c2y, endX, endY]);
  }
  return cubics;
}
