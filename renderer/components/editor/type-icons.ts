/** The icon of an element type; its word stands beside it or in the name of what has it. */
import type { ElementType } from '../../../shared/renderscript/source.ts';
import type { IconName } from '../../lib/icons.ts';

/** By type. */
export const typeIcons = {
  text: 'text',
  image: 'picture',
  video: 'film',
  audio: 'music',
  shape: 'shape',
  composition: 'batch',
} as const satisfies Record<ElementType, IconName>;

/** The types in the order in which they are offered. */
// Object.keys only knows strings; these are the keys of the table.
export const addable = Object.keys(typeIcons) as readonly ElementType[];
