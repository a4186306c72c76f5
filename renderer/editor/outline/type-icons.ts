/** The icons of element types; a word beside the icon, or a name, says the type. */
import type { ElementType } from '../../../shared/renderscript/source.ts';
import type { IconName } from '../../ui/icons.ts';

/** Icons by element type. */
export const typeIcons = {
  text: 'text',
  image: 'picture',
  video: 'film',
  audio: 'music',
  shape: 'shape',
  composition: 'batch',
  lottie: 'spline',
} as const satisfies Record<ElementType, IconName>;

/** Those of files. */
export const fileIcons = { ...typeIcons, lut: 'palette' } as const;

/** The types in the order in which menus offer them. */
// Object.keys only knows strings; these are the keys of the table.
export const addable = Object.keys(typeIcons) as readonly ElementType[];
