/** Text settings for measuring, drawing and outlining alike. Phase 4. */
import { surface, type Context } from '../surface.ts';

/** Sets them, so that all agree and no setting of the computer interferes. */
export function setTextDefaults(ctx: Context): void {
  ctx.lang = 'en';
  ctx.direction = 'ltr';
  // Runs specify their left edge; "start" would be the right one in right-to-left runs.
  ctx.textAlign = 'left';
  ctx.fontOpticalSizing = 'none';
  surface().placeLettersExactly?.(ctx, true);
}
