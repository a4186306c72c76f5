/**
 * Transitions on the cuts of a track. The language overlaps the two clips: the one before is shown longer if its file
 * allows it, so that nothing else moves; what then is still missing, the clips that follow come earlier. Pure.
 */
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import { transitionLength } from '../../../shared/renderscript/tracks.ts';
import { changedSource, type Change } from './change.ts';
import { clipsOf, endOf, type Clip, type Clips } from './clips.ts';
import { cutBefore, cutsOf, entryOf, type Cut } from './cuts.ts';
import { rowOf } from './rows.ts';
import { secondsLike, tidySeconds } from './seconds.ts';
import { joined, type Placed } from './tracks.ts';
import { boundedTrim, rippled, trimmedClip } from './trim.ts';
import { isAutomatic, lengthKind, mediaObstacleOf, obstacleOf, type Obstacle } from './wishes.ts';

/** What also fades shows half of both pictures, or what lies behind them: on a cut they shall be whole. */
const whole = { fade: false };

const rows = [
  ['fade', { type: 'fade' }],
  ['slideLeft', { type: 'slide', direction: '180°' }],
  ['slideRight', { type: 'slide', direction: '0°' }],
  ['slideUp', { type: 'slide', direction: '90°' }],
  ['slideDown', { type: 'slide', direction: '270°' }],
  ['cover', { type: 'slide', direction: '180°', fixed: 'first-only', ...whole }],
  ['uncover', { type: 'slide', direction: '180°', fixed: 'second-only', ...whole }],
  ['wipe', { type: 'wipe', ...whole }],
  ['wipeDown', { type: 'wipe', start_angle: '270°', ...whole }],
  ['open', { type: 'wipe', x_anchor: '50%', ...whole }],
  ['circle', { type: 'circular-wipe', ...whole }],
  ['colorBar', { type: 'color-wipe' }],
  ['stripes', { type: 'stripe' }],
  ['zoom', { type: 'scale', ...whole }],
  ['squash', { type: 'squash', ...whole }],
  ['filmRoll', { type: 'film-roll' }],
] as const satisfies readonly (readonly [string, JsonObject])[];

/** Name of a transition that is offered; its text is `transition.ID`. */
export type TransitionId = (typeof rows)[number][0];

/** What is offered, in the order shown: what each writes beside its times. */
export const transitionKinds: readonly {
  readonly id: TransitionId;
  readonly values: JsonObject & { readonly type: string };
}[] = rows.map(([id, values]) => ({ id, values }));

/** The one that an entry is; null for one of another make. */
export function kindOf(entry: JsonObject): TransitionId | null {
  const fitting = transitionKinds.filter(({ values }) =>
    Object.entries(values).every(([name, value]) => entry[name] === value),
  );
  // The one that says most.
  const [best] = fitting.toSorted(
    (a, b) => Object.keys(b.values).length - Object.keys(a.values).length,
  );
  return best?.id ?? null;
}

/** Seconds of a new one, where there is room. */
export const usualLength = 1;

/** What becomes of a transition: another kind, another length, or none. */
export interface Wish {
  /** What it writes beside its times; null: none any more; undefined: as before. */
  readonly values?: JsonObject | null;
  /** Seconds; undefined: as before, or the usual length. */
  readonly length?: number;
}

/** Why there can be none: a key of the messages `editor.timeline.why.…`, about a clip. */
export interface NoTransition {
  readonly why: Obstacle | 'between' | 'short';
  readonly name: string;
}

/** The changes one after the other, or why there are none. */
export type Transitioned = { readonly changes: readonly Change[] } | NoTransition;

/**
 * A transition on a cut, changed or taken away. Clips without a track of their own are put on one.
 *
 * @param after Path of the second clip.
 * @param frame Seconds.
 */
export function withTransition(
  placed: Placed,
  after: string,
  wish: Wish,
  frame: number,
): Transitioned {
  const clips = clipsOf(placed.source, placed.lengths);
  const clip = clips?.byPath.get(after);
  const cut = clips && clip ? cutBefore(clips, clip, frame) : null;
  if (!clips || !cut) return { changes: [] };
  for (const one of [cut.before, cut.after]) {
    const why = obstacleOf(one, one.element.locked === true);
    if (why) return { why, name: one.name };
  }
  const isOnOne = cut.before.track !== null && cut.before.track === cut.after.track;
  if (!isOnOne) {
    const change = joined(placed, clips, membersOf(clips, cut));
    if (!change) return { why: 'between', name: cut.after.name };
    const source = changedSource(placed.source, change);
    const made = withTransition({ ...placed, source }, after, wish, frame);
    return 'why' in made ? made : { changes: [change, ...made.changes] };
  }
  if (longest(clips, cut, frame) < frame) return { why: 'short', name: cut.after.name };
  return { changes: [changed(clips, cut, wish, frame)] };
}

/** All that are seen on the row of both, else the two. */
function membersOf(clips: Clips, { before, after }: Cut): readonly Clip[] {
  const row = rowOf(clips, after).filter(({ type }) => type !== 'audio');
  return row.includes(before) ? row : [before, after];
}

/**
 * The same for every cut of the row of a clip.
 *
 * @returns why there are none, if there are none at all.
 */
export function withAllTransitions(
  placed: Placed,
  path: string,
  wish: Wish,
  frame: number,
): Transitioned {
  const clips = clipsOf(placed.source, placed.lengths);
  const clip = clips?.byPath.get(path);
  if (!clips || !clip) return { changes: [] };
  let { source } = placed;
  let refused: NoTransition | null = null;
  const changes: Change[] = [];
  for (const { after } of cutsOf(rowOf(clips, clip), frame)) {
    const made = withTransition({ ...placed, source }, after.path, wish, frame);
    if ('why' in made) {
      refused ??= made;
      continue;
    }
    source = made.changes.reduce(changedSource, source);
    changes.push(...made.changes);
  }
  return changes.length === 0 && refused ? refused : { changes };
}

/** The longest transition that a cut has room for, in seconds: each clip is also seen alone for a frame. */
export function longest(clips: Clips, { before, after }: Cut, frame: number): number {
  const row = rowOf(clips, after);
  const next = row[row.indexOf(after) + 1];
  const after2 = next && next.start < endOf(after) ? endOf(after) - next.start : 0;
  const alone = after.start - before.start - before.overlap;
  // Pulled over the clip before, it takes of that one what is seen alone now.
  const had = Math.max(0, endOf(before) - after.start);
  return Math.max(0, Math.min(after.duration - after2 - frame, alone + had - frame));
}

/** The transition of a clip made longer by some seconds; null where it comes in over no other clip. */
export function pulledTransition(
  clips: Clips,
  clip: Clip,
  by: number,
  frame: number,
): Change | null {
  const cut = cutsOf(rowOf(clips, clip), frame).find(({ after }) => after === clip);
  const entry = entryOf(clip);
  if (!cut || !entry || clip.track === null) return null;
  return changed(clips, cut, { length: transitionLength(entry.values) + by }, frame);
}

/** One change of two clips on one track. */
function changed(clips: Clips, cut: Cut, { values, length }: Wish, frame: number): Change {
  const { after } = cut;
  const entry = entryOf(after);
  const most = longest(clips, cut, frame);
  const wished = length ?? (entry ? transitionLength(entry.values) : usualLength);
  // A usual length leaves as much of both clips alone as it takes.
  const room = length === undefined && !entry ? Math.min(most, halfOf(cut)) : most;
  const seconds = values === null ? 0 : tidySeconds(Math.max(frame, Math.min(room, wished)));
  const list: readonly unknown[] = Array.isArray(after.element.animations)
    ? after.element.animations
    : [];
  const animations = `${after.path}.animations`;
  const place = `${animations}[${entry?.index ?? list.length}]`;
  return {
    values: { ...entryValues(), ...overlapped(clips, cut, seconds, frame) },
    order: null,
  };

  function entryValues(): Record<string, Json | undefined> {
    if (values === null)
      return list.length < 2 ? { [animations]: undefined } : { [place]: undefined };
    const duration = secondsLike(entry?.values.duration, seconds, 0);
    if (values === undefined) return { [`${place}.duration`]: duration };
    const easing = entry?.values.easing;
    const made: JsonObject = {
      time: 'start',
      duration,
      ...(easing !== undefined && { easing }),
      transition: true,
      ...values,
    };
    return list.length === 0 ? { [animations]: [made] } : { [place]: made };
  }
}

const halfOf = ({ before, after }: Cut): number => Math.min(before.duration, after.duration) / 2;

/** The times with which two clips of one track overlap for so many seconds. */
function overlapped(
  clips: Clips,
  { before, after }: Cut,
  seconds: number,
  frame: number,
): Record<string, Json | undefined> {
  // What is cut by the next one, or fills its room, is shown up to the end of the transition.
  if (before.cut || lengthKind(before) === 'room') return {};
  const follows = isAutomatic(after);
  const end = follows ? endOf(before) - after.overlap + seconds : after.start + seconds;
  const by = end - endOf(before);
  const isWhole = isPlayedWhole(before);
  const way = isWhole || mediaObstacleOf(before) ? 0 : boundedTrim(before, 'end', by, frame);
  const rest = by - way;
  const longer = trimmedClip(clips, before, 'end', way, false).values;
  if (Math.abs(rest) < 0.0015) return longer;
  const pulled = rippled(clips, after, -rest);
  const time = `${after.path}.time`;
  const own = after.start - after.offset - rest;
  return {
    ...longer,
    ...pulled,
    ...(!follows && { [time]: secondsLike(after.element.time, own, after.whole) }),
  };
}

/** It shows its file up to its end: it can't be longer, and a transition that goes gives back what it took. */
function isPlayedWhole({ media, duration, element }: Clip): boolean {
  if (!media || media.clip.loop || media.length <= 0) return false;
  if (element.duration !== undefined && element.duration !== 'media') return false;
  return media.clip.trimDuration / media.clip.speed - duration < 0.0015 && hasAll(media);
}

const hasAll = ({ clip, length }: NonNullable<Clip['media']>): boolean =>
  clip.trimStart + clip.trimDuration > length - 0.0015;
