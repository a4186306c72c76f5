/** Pictures of fonts: the document that shows the names of some families in themselves. Pure. */
import type { Source } from '../../../shared/renderscript/source.ts';

/** Families of one picture, and the pixels of the page that each has. */
export const fontSheet = { families: 12, width: 230, height: 36 } as const;
/** Pixels of the picture for one of the page. */
const scale = 2;

/**
 * The document of such a picture.
 *
 * @param color Of the letters.
 * @param fonts Those that the template brings.
 */
export function fontSheetOf(
  families: readonly string[],
  color: string,
  fonts: Source['fonts'],
): Source {
  const { width, height } = fontSheet;
  return {
    output_format: 'png',
    width: width * scale,
    height: fontSheet.families * height * scale,
    ...(fonts !== undefined && { fonts }),
    elements: families.map((family, index) => ({
      type: 'text',
      text: family,
      font_family: family,
      font_size: 17 * scale,
      fill_color: color,
      text_wrap: false,
      x: 0,
      y: (index + 0.5) * height * scale,
      x_anchor: '0%',
      y_anchor: '50%',
    })),
  };
}
