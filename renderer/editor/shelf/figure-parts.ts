/** What counters, countdowns and charts are built of: a dark panel, numbers and labels on it. Pure. */
import { say } from '../../ui/say.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import type { PieceContext } from '../making/pieces.ts';
import { box, fading, seenAccent, words, type Area } from './parts.ts';

export const panel = 'rgba(12,14,20,0.9)';
export const white = '#ffffff';
export const track = 'rgba(255,255,255,0.18)';
const soft = '#c6ccd8';

/** On a dark panel a dark accent would not be seen. */
export const onPanel = (accent: string): string => seenAccent({ accent, ink: white });

/** The panel, as large as the piece. */
export const ground = (unit: PieceContext['unit']): JsonObject =>
  box(panel, undefined, { border_radius: unit(2.4), ...fading() });

/** A number. @param size of its letters at most */
export const number = (text: string, area: Area, size: string, more: JsonObject): JsonObject =>
  words(say('shelf.part.number'), text, area, size, {
    font_weight: '800',
    text_wrap: false,
    fill_color: white,
    ...more,
  });

/** What a number says. @param size of its letters at most */
export const label = (text: string, area: Area, size: string, more: JsonObject = {}): JsonObject =>
  words(say('piece.label'), text, area, size, {
    font_family: 'Inter',
    font_weight: '500',
    fill_color: soft,
    ...more,
  });

/** Its numbers count. */
export const counting = (seconds = 1.6, direction: 'up' | 'down' = 'up'): JsonObject => ({
  animations: [
    {
      type: 'text-counter',
      time: 0,
      duration: seconds,
      direction,
      easing: direction === 'up' ? 'cubic-out' : 'linear',
      fade: false,
    },
  ],
});
