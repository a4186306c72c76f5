/**
 * A font file that someone adds: what it is, and whether the drawing library can use it. Runs in a worker process, like
 * everything that opens files of unknown origin.
 */
import { readFileSync } from 'node:fs';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { RenderError } from '../../shared/engine/errors.ts';
import { looseName } from '../../shared/renderscript/same-name.ts';
import { readFontFacts, type FontFacts } from './assets/fonts/font-file.ts';
import { shippedFamilies } from './assets/fonts/font-list.ts';

/** The font, and whether a shipped family has its name. */
export interface FontInspection extends FontFacts {
  readonly isShipped: boolean;
}

/**
 * Finds out what a font file is, and draws with it.
 *
 * @throws RenderError whose message is only the reason, without a full stop.
 */
export function inspectFont(filePath: string, fontFolder: string): FontInspection {
  const facts = readFontFacts(readFileSync(filePath));
  // Its tables may be in order and its letters not.
  const alias = 'fw inspected';
  if (GlobalFonts.registerFromPath(filePath, alias) === null)
    throw new RenderError('media_unreadable', 'its letters are damaged, so nothing can be drawn');
  const context = createCanvas(400, 60).getContext('2d');
  context.font = `${facts.minWeight} 30px "${alias}"`;
  context.fillText(facts.family, 0, 40);
  return { ...facts, isShipped: shippedFamilies(fontFolder).has(looseName(facts.family)) };
}
