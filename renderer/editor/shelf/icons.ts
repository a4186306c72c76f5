/** The icons of the shelf: lines of one colour, from the set that the window's own are from (Lucide). Pure. */
import { parsePath } from '../../../shared/renderscript/path.ts';
import type { ShelfItem } from './parts.ts';

/** An icon as the set has it: outlines of SVG on a square of 24 units. */
export type IconNode = readonly (readonly [
  tag: string,
  attributes: Readonly<Record<string, string>>,
])[];

/** Side of the square, and width of its lines, in the set's units. */
const grid = { side: 24, line: 2 } as const;
/** Side of an icon in hundredths of the frame's smaller side. */
export const iconSide = 24;

type Outline = (attributes: Readonly<Record<string, string>>) => string;

const numbers = (attributes: Readonly<Record<string, string>>, ...names: string[]): number[] =>
  names.map((name) => Number(attributes[name] ?? 0));

/** From the left end around. */
const ellipse = (x: number, y: number, across: number, down: number): string => {
  const half = `a ${across} ${down} 0 1 0`;
  return `M ${x - across} ${y} ${half} ${2 * across} 0 ${half} ${-2 * across} 0 Z`;
};

/** THE TABLE of outlines: the path that each draws. */
const outlines: Readonly<Record<string, Outline>> = {
  path: ({ d = '' }) => d,
  line: ({ x1 = '', y1 = '', x2 = '', y2 = '' }) => `M ${x1} ${y1} L ${x2} ${y2}`,
  polyline: ({ points = '' }) => `M ${points}`,
  polygon: ({ points = '' }) => `M ${points} Z`,
  circle(attributes) {
    const [x = 0, y = 0, radius = 0] = numbers(attributes, 'cx', 'cy', 'r');
    return ellipse(x, y, radius, radius);
  },
  ellipse(attributes) {
    const [x = 0, y = 0, across = 0, down = 0] = numbers(attributes, 'cx', 'cy', 'rx', 'ry');
    return ellipse(x, y, across, down);
  },
  rect(attributes) {
    const [x = 0, y = 0, width = 0, height = 0] = numbers(attributes, 'x', 'y', 'width', 'height');
    const radius = Number(attributes['rx'] ?? attributes['ry'] ?? 0);
    const [across, down] = [width - 2 * radius, height - 2 * radius];
    const turn = (right: number, below: number): string =>
      radius === 0 ? '' : `a ${radius} ${radius} 0 0 1 ${right * radius} ${below * radius}`;
    return [
      `M ${x + radius} ${y} h ${across} ${turn(1, 1)} v ${down} ${turn(-1, 1)}`,
      `h ${-across} ${turn(-1, -1)} v ${-down} ${turn(1, -1)} Z`,
    ].join(' ');
  },
};

/**
 * One path in percent of its box.
 *
 * @throws Error for an outline that can't be read
 */
export function iconPath(node: IconNode): string {
  const percent = (units: number): number => Math.round((units / grid.side) * 10_000) / 100;
  return node
    .flatMap(([tag, attributes]) => {
      const path = outlines[tag]?.(attributes) ?? '';
      const commands = parsePath(path);
      if (path === '' || !commands)
        throw new Error(`An icon has <${tag}> with the path “${path}”.`);
      return commands;
    })
    .map(([letter, ...points]) => [letter, ...points.map(percent)].join(' '))
    .join(' ');
}

/** An icon as an element. @param name in the set: `arrow-up` */
export const iconPiece = (name: string, node: IconNode): ShelfItem => ({
  id: `icon:${name}`,
  size: [iconSide, iconSide],
  isShape: true,
  make: ({ accent, unit }) => [
    {
      type: 'shape',
      path: iconPath(node),
      stroke_color: accent,
      stroke_width: unit((iconSide * grid.line) / grid.side),
      stroke_cap: 'round',
      stroke_join: 'round',
    },
  ],
});

/** Those that are shown before anything is searched: what videos need most. */
export const firstIcons = [
  'arrow-right arrow-down arrow-up-right check circle-check x plus star heart thumbs-up',
  'bell message-circle share-2 bookmark eye search play pause volume-2 mic audio-lines headphones',
  'camera video image film phone mail globe link map-pin calendar clock alarm-clock timer',
  'house building store shopping-cart shopping-bag tag percent gift credit-card wallet',
  'trending-up chart-column chart-pie trophy award user users face-slightly-smiling lightbulb rocket flame',
  'zap sun moon leaf coffee',
].flatMap((row) => row.split(' '));
