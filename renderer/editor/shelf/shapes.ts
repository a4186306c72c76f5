/** THE TABLE of shapes on the shelf: paths of our own, of one colour. Pure. */
import { closed, starPath, type ShelfId, type ShelfPiece } from './parts.ts';

const regular = (sides: number): string =>
  closed(
    Array.from({ length: sides }, (_, index) => {
      const angle = (index * 2 * Math.PI) / sides;
      const round = (value: number): number => Math.round(value * 100) / 100;
      return [round(50 + 50 * Math.sin(angle)), round(50 - 50 * Math.cos(angle))] as const;
    }),
  );

const shape = (id: ShelfId, path: string, width = 40, height = 40): ShelfPiece => ({
  id,
  size: [width, height],
  isShape: true,
  make: ({ accent }) => [{ type: 'shape', path, fill_color: accent }],
});

export const shapes: readonly ShelfPiece[] = [
  shape('arrowLeft', 'M 100 36 L 38 36 L 38 8 L 0 50 L 38 92 L 38 64 L 100 64 Z', 50, 32),
  shape('arrowUp', 'M 36 100 L 36 38 L 8 38 L 50 0 L 92 38 L 64 38 L 64 100 Z', 32, 50),
  shape('arrowDown', 'M 36 0 L 36 62 L 8 62 L 50 100 L 92 62 L 64 62 L 64 0 Z', 32, 50),
  shape(
    'arrowBoth',
    'M 0 50 L 24 8 L 24 36 L 76 36 L 76 8 L 100 50 L 76 92 L 76 64 L 24 64 L 24 92 Z',
    56,
    28,
  ),
  shape('arrowNotched', 'M 0 30 L 60 30 L 60 6 L 100 50 L 60 94 L 60 70 L 0 70 L 16 50 Z', 52, 30),
  shape(
    'arrowCurved',
    'M 0 100 C 0 52 26 30 62 30 L 62 4 L 100 44 L 62 84 L 62 58 C 38 58 18 68 0 100 Z',
    46,
    36,
  ),
  shape('chevron', 'M 0 0 L 62 0 L 100 50 L 62 100 L 0 100 L 38 50 Z', 30, 36),
  shape('pointer', 'M 0 0 L 80 0 L 100 50 L 80 100 L 0 100 Z', 54, 24),
  shape(
    'starFour',
    'M 50 0 C 54 34 66 46 100 50 C 66 54 54 66 50 100 C 46 66 34 54 0 50 C 34 46 46 34 50 0 Z',
  ),
  shape('starSix', starPath(6, 29)),
  shape('starEight', starPath(8, 36)),
  shape('starSlim', starPath(5, 13)),
  shape('burst', starPath(12, 39)),
  shape('burstFine', starPath(24, 44)),
  shape(
    'heart',
    'M 50 96 C 8 66 0 46 0 30 C 0 12 13 4 26 4 C 37 4 46 10 50 20 C 54 10 63 4 74 4 C 87 4 100 12 100 30 C 100 46 92 66 50 96 Z',
    42,
    38,
  ),
  shape(
    'drop',
    'M 50 0 C 66 26 88 44 88 66 C 88 86 71 100 50 100 C 29 100 12 86 12 66 C 12 44 34 26 50 0 Z',
    34,
    44,
  ),
  shape(
    'cloud',
    'M 24 92 C 8 92 0 80 0 68 C 0 54 10 46 20 45 C 20 24 34 10 52 10 C 67 10 78 20 81 34 C 92 36 100 46 100 62 C 100 80 90 92 76 92 Z',
    52,
    34,
  ),
  shape(
    'moon',
    'M 62 0 C 30 4 10 26 10 52 C 10 80 32 100 60 100 C 74 100 86 94 92 86 C 58 88 40 70 38 48 C 36 26 46 10 62 0 Z',
  ),
  shape('bolt', 'M 58 0 L 12 56 L 46 56 L 36 100 L 88 38 L 52 38 Z', 32, 46),
  shape(
    'bubble',
    'M 16 0 L 84 0 C 94 0 100 8 100 18 L 100 58 C 100 68 94 76 84 76 L 46 76 L 24 100 L 26 76 L 16 76 C 6 76 0 68 0 58 L 0 18 C 0 8 6 0 16 0 Z',
    54,
    40,
  ),
  shape(
    'bubbleRound',
    'M 50 0 C 78 0 100 17 100 40 C 100 63 78 80 50 80 C 45 80 40 79 36 78 L 12 100 L 18 70 C 7 63 0 52 0 40 C 0 17 22 0 50 0 Z',
    52,
    42,
  ),
  shape(
    'bubbleThought',
    'M 26 72 C 10 72 0 60 0 46 C 0 32 10 22 22 21 C 26 8 38 0 52 0 C 66 0 76 8 80 20 C 92 22 100 32 100 46 C 100 62 90 72 74 72 Z M 20 78 C 26 78 30 81 30 86 C 30 91 26 94 20 94 C 14 94 10 91 10 86 C 10 81 14 78 20 78 Z M 5 92 C 8 92 10 94 10 96 C 10 98 8 100 5 100 C 2 100 0 98 0 96 C 0 94 2 92 5 92 Z',
    52,
    44,
  ),
  shape(
    'ribbon',
    'M 0 14 L 14 14 L 14 0 L 86 0 L 86 14 L 100 14 L 91 57 L 100 100 L 78 100 L 78 86 L 22 86 L 22 100 L 0 100 L 9 57 Z',
    66,
    20,
  ),
  shape('flag', 'M 0 0 L 100 0 L 82 50 L 100 100 L 0 100 Z', 56, 22),
  shape('bookmark', 'M 0 0 L 100 0 L 100 100 L 50 74 L 0 100 Z', 26, 38),
  shape(
    'tag',
    'M 0 12 C 0 5 3 0 8 0 L 62 0 L 100 50 L 62 100 L 8 100 C 3 100 0 95 0 88 Z M 78 42 C 74 42 71 45 71 50 C 71 55 74 58 78 58 C 82 58 85 55 85 50 C 85 45 82 42 78 42 Z',
    50,
    26,
  ),
  shape(
    'ticket',
    'M 0 0 L 100 0 L 100 32 C 93 32 88 40 88 50 C 88 60 93 68 100 68 L 100 100 L 0 100 L 0 68 C 7 68 12 60 12 50 C 12 40 7 32 0 32 Z',
    58,
    28,
  ),
  shape('shield', 'M 50 0 L 94 16 L 94 48 C 94 74 76 91 50 100 C 24 91 6 74 6 48 L 6 16 Z', 38, 44),
  shape(
    'blobOne',
    'M 72 8 C 92 16 102 40 98 62 C 94 84 74 98 52 98 C 30 98 8 90 3 68 C -2 46 8 34 20 20 C 32 6 52 0 72 8 Z',
    46,
    44,
  ),
  shape(
    'blobTwo',
    'M 60 4 C 78 0 96 10 99 28 C 102 46 86 52 88 68 C 90 84 78 98 60 97 C 42 96 38 84 24 82 C 8 80 -2 64 2 46 C 6 30 22 32 32 22 C 42 12 46 7 60 4 Z',
    46,
    46,
  ),
  shape(
    'wave',
    'M 0 40 C 16 4 34 4 50 30 C 66 56 84 56 100 20 L 100 62 C 84 98 66 98 50 72 C 34 46 16 46 0 82 Z',
    60,
    18,
  ),
  shape(
    'brush',
    'M 2 34 C 18 22 40 26 60 16 C 76 8 90 4 99 12 C 96 26 100 30 92 40 C 98 52 90 66 72 72 C 52 78 30 84 8 92 C -2 84 10 74 4 64 C -2 54 0 44 2 34 Z',
    60,
    20,
  ),
  shape('pentagon', regular(5)),
  shape('hexagon', regular(6)),
  shape('octagon', regular(8)),
  shape('diamond', 'M 50 0 L 100 50 L 50 100 L 0 50 Z'),
  shape('slanted', 'M 22 0 L 100 0 L 78 100 L 0 100 Z', 54, 26),
  shape('trapezoid', 'M 22 0 L 78 0 L 100 100 L 0 100 Z', 52, 30),
  shape('halfCircle', 'M 0 100 C 0 45 22 0 50 0 C 78 0 100 45 100 100 Z', 48, 24),
  shape('quarterCircle', 'M 0 0 C 55 0 100 45 100 100 L 0 100 Z', 36, 36),
  shape(
    'ring',
    'M 50 0 C 77.6 0 100 22.4 100 50 C 100 77.6 77.6 100 50 100 C 22.4 100 0 77.6 0 50 C 0 22.4 22.4 0 50 0 Z M 50 18 C 32.3 18 18 32.3 18 50 C 18 67.7 32.3 82 50 82 C 67.7 82 82 67.7 82 50 C 82 32.3 67.7 18 50 18 Z',
  ),
  shape(
    'cross',
    'M 34 0 L 66 0 L 66 34 L 100 34 L 100 66 L 66 66 L 66 100 L 34 100 L 34 66 L 0 66 L 0 34 L 34 34 Z',
    36,
    36,
  ),
  shape('tick', 'M 0 54 L 16 38 L 38 60 L 84 10 L 100 26 L 39 94 Z', 42, 34),
  shape('arch', 'M 0 100 L 0 36 C 0 15 22 0 50 0 C 78 0 100 15 100 36 L 100 100 Z', 34, 46),
  shape(
    'capsule',
    'M 25 0 L 75 0 C 89 0 100 22 100 50 C 100 78 89 100 75 100 L 25 100 C 11 100 0 78 0 50 C 0 22 11 0 25 0 Z',
    56,
    28,
  ),
  shape(
    'flower',
    'M 50 18 C 52 -6 84 2 72 26 C 94 14 106 46 82 50 C 106 54 94 86 72 74 C 84 98 52 106 50 82 C 48 106 16 98 28 74 C 6 86 -6 54 18 50 C -6 46 6 14 28 26 C 16 2 48 -6 50 18 Z',
  ),
  shape(
    'bracketLeft',
    'M 100 0 L 100 10 L 40 10 L 40 90 L 100 90 L 100 100 L 0 100 L 0 0 Z',
    10,
    44,
  ),
  shape('bracketRight', 'M 0 0 L 100 0 L 100 100 L 0 100 L 0 90 L 60 90 L 60 10 L 0 10 Z', 10, 44),
];
