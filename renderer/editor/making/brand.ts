/** A project's brand in the window. Pure. */
import type { Brand } from '../../../shared/api.ts';

/** Of a project for which none was chosen. */
export const noBrand: Brand = { colors: [], titleFont: '', textFont: '', logo: '' };
