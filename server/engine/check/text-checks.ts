/** Texts that can't be read: too large for their place, too small, too pale, too fast, too close to the edge. Pure. */
import type { Rect } from '../../../shared/engine/geometry.ts';
import { stepsOf, valueAt } from '../../../shared/renderscript/fixes.ts';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import { pointerOf, type PatchStep } from '../../../shared/renderscript/json-patch.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { safeAreas } from '../../../shared/safe-areas.ts';
import type { CheckFacts, CheckRow, Fault } from './facts.ts';
import type { SeenText } from './seen-texts.ts';

const faultsOf =
  (look: (text: SeenText, facts: CheckFacts) => Fault | null) =>
  (facts: CheckFacts): Fault[] =>
    (facts.film?.texts ?? []).flatMap((text) => look(text, facts) ?? []);

/** What a finding about a text begins with. */
function at(
  { element, time }: SeenText,
  property: string,
): Pick<Fault, 'path' | 'element' | 'time'> {
  return { path: `${element.path}${property}`, element: element.name, time };
}

/** Sets a property, whether it is there or not. */
function setting(path: string, value: unknown): readonly PatchStep[] {
  return [{ op: 'add', path: pointerOf(stepsOf(path)), value }];
}

/** A text that is too large for its box: with both sides given it can fit itself to them. */
const overflowing = faultsOf((text, { source }) => {
  const found = text.overflows.find(({ code }) => code === 'text_overflows');
  if (!found) return null;
  const json = (side: string): unknown => valueAt(source, stepsOf(`${text.element.path}.${side}`));
  const size = json('font_size');
  const fits = typeof size === 'number' || typeof size === 'string';
  const hasBox = [json('width'), json('height')].every(
    (side) => side !== undefined && side !== null,
  );
  const steps = [
    ...setting(`${text.element.path}.font_size`, null),
    ...(json('font_size_maximum') === undefined
      ? setting(`${text.element.path}.font_size_maximum`, size)
      : []),
  ];
  return {
    ...at(text, '.text'),
    message: `Expected a text that fits its box, found more. ${found.message}`,
    cure:
      fits && hasBox
        ? 'Let it fit itself to its box, with this size at most; or shorten it.'
        : 'Make its box larger, its letters smaller, or shorten it.',
    ...(fits && hasBox && !Array.isArray(size) && { patch: steps }),
  };
});

/** Moves a text back into the picture, where it stands by a plain share or number. */
function moved(
  { element: { path }, bounds }: SeenText,
  { source, film }: CheckFacts,
  { x: left, y: top, width: wide, height: high }: Rect,
): readonly PatchStep[] | null {
  if (!bounds || !film || !/^elements\[\d+\]$/.test(path)) return null;
  if (bounds.width > wide || bounds.height > high) return null;
  const { timeline } = film;
  const sides = [
    {
      name: 'x',
      from: bounds.x,
      length: bounds.width,
      least: left,
      room: wide,
      whole: timeline.width,
    },
    {
      name: 'y',
      from: bounds.y,
      length: bounds.height,
      least: top,
      room: high,
      whole: timeline.height,
    },
  ] as const;
  const steps: PatchStep[] = [];
  for (const { name, from, length, least, room, whole } of sides) {
    const to = Math.min(Math.max(from, least), least + room - length);
    if (Math.abs(to - from) < 0.5) continue;
    const given = valueAt(source, stepsOf(`${path}.${name}`)) ?? '50%';
    const amount = parseAmount(given);
    if (amount === null || !['', 'px', '%'].includes(amount.unit)) return null;
    const shift = amount.unit === '%' ? ((to - from) / whole) * 100 : to - from;
    const value = Math.round((amount.value + shift) * 100) / 100;
    steps.push(...setting(`${path}.${name}`, amount.unit === '%' ? `${value}%` : value));
  }
  return steps.length > 0 ? steps : null;
}

const leaving = faultsOf((text, facts) => {
  const found = text.overflows.find(({ code }) => code === 'text_leaves_picture');
  if (!found || !facts.film) return null;
  const { width, height } = facts.film.timeline;
  const patch = moved(text, facts, { x: 0, y: 0, width, height });
  return {
    ...at(text, ''),
    message: `Expected all of the text in the picture. ${found.message}`,
    cure: patch ? 'Move it into the picture.' : 'Move it into the picture, or make it smaller.',
    ...(patch && { patch }),
  };
});

/**
 * Share of the picture's shorter side that letters must have. Television asks for more of what must be read
 * (Clearcast: 30 of 1080 lines for legal text); on a phone, whose picture is about 65 mm wide, a fiftieth is 1.3 mm,
 * the size of the smallest print on packages.
 */
const leastSize = 0.02;

const tiny = faultsOf((text, { film }) => {
  if (!film || text.size === 0) return null;
  const shorter = Math.min(film.timeline.width, film.timeline.height);
  if (text.size >= shorter * leastSize * 0.995) return null;
  const least = Math.ceil(shorter * leastSize);
  return {
    ...at(text, '.font_size'),
    message: `Expected letters of at least ${least} pixels (2 % of the picture's shorter side), found ${Math.round(text.size * 10) / 10}`,
    cure: `Make the letters at least ${least} pixels large, i.e. 2 vmin.`,
    ...(/^elements\[\d+\]$/.test(text.element.path) && {
      patch: setting(`${text.element.path}.font_size`, '2 vmin'),
    }),
  };
});

/** Of letters and what is behind them: WCAG 2.2 asks for 3:1 of large letters. */
const leastContrast = 3;

const pale = faultsOf((text) => {
  const { contrast } = text;
  if (contrast === null || contrast >= leastContrast) return null;
  return {
    ...at(text, '.fill_color'),
    message: `Expected a contrast of at least 3:1 to what is behind the text, found ${contrast.toFixed(1)}:1 for a part of it`,
    cure: 'Use a lighter or darker color, or put a background, an outline or a shadow behind the letters.',
  };
});

/** Subtitles are read at 15 to 20 characters a second (Netflix: at most 20 for adults). */
const mostSpeed = 20;
/** A page that is shorter than this is not counted alone: nobody measures one word. */
const leastLetters = 10;

const fast = faultsOf((text) => {
  const pages = text.element.captions?.pages ?? [];
  const speeds = pages
    .filter(({ text: words }) => words.trim().length >= leastLetters)
    .map((page) => ({
      page,
      speed: page.text.trim().length / Math.max(0.1, page.end - page.start),
    }))
    .toSorted((a, b) => b.speed - a.speed);
  const [fastest] = speeds;
  if (!fastest || fastest.speed <= mostSpeed) return null;
  const count = speeds.filter(({ speed }) => speed > mostSpeed).length;
  const more = count > 1 ? `, and in ${count - 1} more` : '';
  return {
    ...at(text, '.transcript_source'),
    message: `Expected at most 20 characters a second, found ${Math.round(fastest.speed)} in "${shortened(fastest.page.text.trim())}"${more}`,
    cure: 'Show these words for longer, or say it in fewer.',
  };
});

function shortened(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/** Characters of a text that is read and not only seen. */
const sentence = 25;
/**
 * Characters a second of a text that stands alone. Nobody listens or waits for the next one meanwhile, so it is read as
 * print is: silently, at 238 words of 6 characters a minute on average, and a quarter faster by those who read fast
 * (Brysbaert 2019).
 */
const mostSilent = 30;

/** A sentence that is gone before it is read. */
const brief = faultsOf((text, { film }) => {
  const { element } = text;
  if (!film || film.timeline.duration === 0 || element.captions) return null;
  const [page] = film.elements.filter((one) => one.element.path === element.path);
  const written = page?.element.json.text;
  if (typeof written !== 'string' || !page) return null;
  const letters = written
    .replace(/\[[^[\]]*\]/g, '')
    .replace(/\s+/g, ' ')
    .trim().length;
  const seconds = Math.min(element.duration, page.room - element.start);
  if (letters < sentence || seconds <= 0 || letters / seconds <= mostSilent) return null;
  return {
    ...at(text, '.duration'),
    message: `Expected at least ${(letters / mostSilent).toFixed(1)} s for ${letters} characters (30 a second), found ${seconds.toFixed(1)} s`,
    cure: 'Show it for longer, or say it in fewer words.',
  };
});

/**
 * The area that every screen shows and no player covers with its edge: 90 % of each side (SMPTE ST 2046-1, EBU R 95).
 * What platforms lay over their films is larger, and another one for each: the guides of the editor show it. A document
 * does not say where it is going, so only the area of all of them counts here.
 */
const [, safe] = safeAreas.broadcast.margins;
/** Pixels of 1080 that nobody sees. */
const tolerance = 4 / 1080;

const unsafe = faultsOf((text, facts) => {
  const { film } = facts;
  const { bounds } = text;
  if (!film || !bounds || !isFilm(film.timeline.output.format)) return null;
  if (text.overflows.some(({ code }) => code === 'text_leaves_picture')) return null;
  const { width, height } = film.timeline;
  const room = {
    x: width * safe.left,
    y: height * safe.top,
    width: width * (1 - safe.left - safe.right),
    height: height * (1 - safe.top - safe.bottom),
  };
  const outside = [
    ['on the left', room.x - bounds.x],
    ['on the right', bounds.x + bounds.width - room.x - room.width],
    ['at the top', room.y - bounds.y],
    ['at the bottom', bounds.y + bounds.height - room.y - room.height],
  ] as const;
  const over = outside.filter(([, pixels]) => pixels > Math.min(width, height) * tolerance);
  if (over.length === 0) return null;
  const patch = moved(text, facts, room);
  const where = over.map(([side, pixels]) => `${Math.round(pixels)} pixels ${side}`).join(' and ');
  return {
    ...at(text, ''),
    message: `Expected texts inside of 90 % of the picture (title safe), found one that is beyond it by ${where}`,
    cure: 'Move it away from the edge: screens and players cut and cover edges.',
    ...(patch && { patch }),
  };
});

/** The rows. */
export const textChecks: readonly CheckRow[] = [
  { code: 'text_overflows', level: 'warning', find: overflowing },
  { code: 'text_leaves_picture', level: 'warning', find: leaving },
  { code: 'low_contrast', level: 'warning', find: pale },
  { code: 'captions_too_fast', level: 'warning', find: fast },
  { code: 'text_too_brief', level: 'hint', find: brief },
  { code: 'text_too_small', level: 'hint', find: tiny },
  { code: 'outside_safe_area', level: 'hint', find: unsafe },
];
