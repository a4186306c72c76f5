/** A project's brand in the window. Pure. */
import type { Brand } from '../../../shared/api.ts';

/** Of a project for which none was chosen. */
export const noBrand: Brand = { colors: [], titleFont: '', textFont: '', logo: '' };

/** Whether nothing of it was chosen. */
export const isUnset = ({ colors, titleFont, textFont, logo }: Brand): boolean =>
  colors.length === 0 && titleFont === '' && textFont === '' && logo === '';
