/** Making a template by hand: named sizes and the document that a new template begins with. */
import { describe, expect, test } from 'vitest';
import { formats, isStill } from '../../shared/renderscript/formats.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { newDocument, usualOf, wrongIn } from '../../renderer/editor/making/new-document.ts';
import { ratioOf, sizeGroups } from '../../renderer/editor/making/sizes.ts';

const sizes = sizeGroups.flatMap((group) => group.sizes);
const film = { ...usualOf('mp4'), format: 'mp4', background: '#ffffff' } as const;

describe('a new template by its size', () => {
  test.each(sizes)('$id begins without a problem', ({ width, height, format }) => {
    const chosen = { ...film, ...usualOf(format), width, height, format };
    expect(wrongIn(chosen)).toBeNull();
    const source = newDocument(chosen);
    expect(validate(source)).toEqual([]);
    expect(width % formats[format].sideStep).toBe(0);
    expect('duration' in source).toBe(!isStill(format));
  });

  test.each([
    [{ width: 15, height: 100 }, 'side'],
    [{ width: 100.5, height: 100 }, 'side'],
    [{ width: NaN, height: 100 }, 'side'],
    [{ width: 8193, height: 100 }, 'side'],
    [{ width: 8000, height: 8000 }, 'area'],
    [{ width: 100, height: 100, duration: 0 }, 'duration'],
    [{ width: 100, height: 100, duration: NaN }, 'duration'],
    [{ width: 100, height: 100, frameRate: 61 }, 'frameRate'],
    [{ width: 100, height: 100, format: 'gif', frameRate: 30 }, 'frameRate'],
    [{ width: 100, height: 100, format: 'png', frameRate: NaN, duration: NaN }, null],
  ] as const)('%j: %s', (chosen, what) => {
    expect(wrongIn({ ...film, ...chosen })?.what ?? null).toBe(what);
  });

  test.each([
    [1080, 1920, '9:16'],
    [2560, 1080, '2.37:1'],
    [1000, 1500, '2:3'],
    [1080, 1350, '4:5'],
    [1000, 1907, '1:1.91'],
    [1, 1, '1:1'],
  ])('%d × %d is %s', (width, height, ratio) => {
    expect(ratioOf(width, height)).toBe(ratio);
  });
});
