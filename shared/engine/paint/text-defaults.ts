/** Settings of text that hold for measuring, drawing and outlining alike. Phase 4. */
import { surface, type Context } from '../surface.ts';

/** Sets them, so that all agree and no setting of the computer gets in. */
export function setTextDefaults(ctx: Context): void {
  ctx.lang = 'en';
  ctx.direction = 'ltr';
  // Runs name their left edge; "start" would be the right one where a run reads from the right.
  ctx.textAlign = 'left';
  ctx.fontOpticalSizing = 'none';
  surface().placeLettersExactly?.(ctx, true);
}
