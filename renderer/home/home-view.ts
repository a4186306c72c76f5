/** What the Home page offers to begin with, and which templates it shows. Pure. */
import { isFinal, type WindowRender, type WindowTemplate } from '../../shared/api.ts';
import { type NewDocument, usualOf } from '../editor/making/new-document.ts';
import type { IconName } from '../ui/icons.ts';

/** What a press begins. */
export interface Beginning {
  /** Its text is `home.new.ID`. */
  readonly id: 'vertical' | 'wide' | 'square' | 'portrait' | 'gif' | 'picture';
  readonly icon: IconName;
  readonly width: number;
  readonly height: number;
  readonly format: NewDocument['format'];
}

/** The sizes that most people make; the dialog has all of them. */
export const beginnings: readonly Beginning[] = [
  { id: 'vertical', icon: 'play', width: 1080, height: 1920, format: 'mp4' },
  { id: 'wide', icon: 'play', width: 1920, height: 1080, format: 'mp4' },
  { id: 'square', icon: 'play', width: 1080, height: 1080, format: 'mp4' },
  { id: 'portrait', icon: 'play', width: 1080, height: 1350, format: 'mp4' },
  { id: 'gif', icon: 'loop', width: 480, height: 480, format: 'gif' },
  { id: 'picture', icon: 'picture', width: 1920, height: 1080, format: 'png' },
];

/** What a new template of it is to be. */
export function chosenFor({ width, height, format }: Beginning): NewDocument {
  return { width, height, format, ...usualOf(format), background: '#ffffff' };
}

/**
 * A person's latest templates: those of a project, the last changed first, without the samples that the program brought
 * and nobody has changed.
 *
 * @param samples Their names. @param project The ID of a project; undefined: all of them.
 */
export function recentTemplates(
  templates: readonly WindowTemplate[],
  samples: readonly string[],
  project: string | undefined,
): readonly WindowTemplate[] {
  return templates
    .filter((one) => project === undefined || one.project === project)
    .filter(({ name, createdAt, updatedAt }) => updatedAt > createdAt || !samples.includes(name))
    .sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Cards to show: whole rows, and at least three cards where a row has fewer. @param perRow Cards of a row. */
export function cardsToShow(perRow: number): number {
  const row = Math.max(1, perRow);
  return row * Math.ceil(3 / row);
}

/** For so long after a script's last render the window opens with the queue, in ms: a week. */
const scriptedFor = 7 * 24 * 3_600_000;

/**
 * The one rule: the queue comes first while something waits or runs, and for those whose scripts have asked the API for
 * a render within a week; else Home does.
 *
 * @param renders In any order. @param now ms since 1970.
 */
export function firstPage(
  renders: readonly Pick<WindowRender, 'record' | 'fromApi' | 'createdAt'>[],
  now: number,
): 'home' | 'queue' {
  const isWatched = renders.some(
    ({ record, fromApi, createdAt }) =>
      !isFinal(record.status) || (fromApi === true && now - createdAt < scriptedFor),
  );
  return isWatched ? 'queue' : 'home';
}
