/** What a gesture on the timeline would do to the document, at each of its moments. Pure. */
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import { say } from '../../ui/say.ts';
import { clock } from '../preview/time.ts';
import { handleOf, regionsOf, stretched } from './animations.ts';
import { noChange, type Change } from './change.ts';
import { endOf, type Clip, type Clips } from './clips.ts';
import { entryOf } from './cuts.ts';
import { boundedKeys, movedKeys } from './keys.ts';
import { boundedWay, movedClips, type Target } from './move.ts';
import { faded, fadeEnd, loudest, loudnessKeys, pulledKey, turnedClip } from './sound.ts';
import { pulledTransition } from './transitions.ts';
import { shortestOf } from './rows.ts';
import { boundedTrim, rolledCut, trimmedClip, type Edge } from './trim.ts';

/** What a gesture does to the clips that it began with. */
export type ClipGesture =
  | { readonly kind: 'move' }
  | { readonly kind: 'trim'; readonly edge: Edge }
  /** The length of an animation, by its index. */
  | { readonly kind: 'animation'; readonly index: number }
  /** The keyframes at some moments, in seconds of the element's clock; the first is that which is held. */
  | { readonly kind: 'keys'; readonly at: readonly number[] }
  /** How long a sound comes, or goes. */
  | { readonly kind: 'fade'; readonly edge: Edge }
  /** How loud it is: at a keyframe, by its index, or all of it. */
  | { readonly kind: 'loudness'; readonly key: number | null };

/** What the pointer asks for. */
export interface Asked {
  /** Seconds. */
  readonly by: number;
  /** How far up, as a share of the clip's height. Default: 0. */
  readonly rise?: number;
  readonly target: Target | null;
  readonly ripples: boolean;
  /** A trimmed edge takes the clip that touches it along. */
  readonly rolls: boolean;
  /** Seconds of a frame. */
  readonly frame: number;
}

/** The edges that a gesture moves, in seconds of the document's clock. */
export function edgesOf(what: ClipGesture, held: readonly Clip[]): readonly number[] {
  const [clip] = held;
  if (!clip) return [];
  switch (what.kind) {
    case 'move':
      return held.flatMap((one) => [one.start, endOf(one)]);
    case 'trim':
      return [what.edge === 'start' ? clip.start : endOf(clip)];
    case 'animation': {
      const region = regionsOf(clip).find(({ index }) => index === what.index);
      return region ? [clip.start + handleOf(region)] : [];
    }
    case 'keys':
      return what.at.map((at) => clip.start + at);
    case 'fade':
      return [clip.start + fadeEnd(clip, what.edge)];
    case 'loudness': {
      const key = what.key === null ? undefined : loudnessKeys(clip)[what.key];
      return key ? [clip.start + key.at] : [];
    }
  }
}

export interface Tried {
  readonly change: Change;
  /** Its numbers in words. */
  readonly readout: string;
  /** Where the keyframes that it holds would be, in seconds of the element's clock. Default: it holds none. */
  readonly keys?: readonly number[];
}

export function tried(
  what: ClipGesture,
  clips: Clips,
  held: readonly Clip[],
  { by, rise = 0, target, ripples, rolls, frame }: Asked,
): Tried {
  const [clip] = held;
  if (!clip) return { change: noChange, readout: '' };
  switch (what.kind) {
    case 'move': {
      const way = boundedWay(held, by);
      const change = movedClips(clips, held, way, target);
      return { change, readout: clock(clip.start + way) };
    }
    case 'trim': {
      const rolled = rolls ? rolledCut(clips, clip, what.edge, by, frame) : null;
      const shortest = shortestOf(clips, clip, frame);
      const way = rolled?.by ?? boundedTrim(clip, what.edge, by, shortest, ripples);
      const change = rolled?.change ?? trimmedClip(clips, clip, what.edge, way, ripples);
      const isStart = what.edge === 'start';
      const length = clip.duration + (isStart ? -way : way);
      const edge = (isStart ? clip.start : endOf(clip)) + way;
      return { change, readout: `${clock(edge)} · ${clock(length)}` };
    }
    case 'animation': {
      const isTransition = entryOf(clip)?.index === what.index;
      const change =
        (isTransition ? pulledTransition(clips, clip, by, frame) : null) ??
        stretched(clip, what.index, by, frame);
      const [length] = Object.values(change.values);
      const seconds = parseSeconds(length);
      return {
        change,
        readout: seconds === null ? '' : say('amount.seconds', { amount: seconds }),
      };
    }
    case 'keys': {
      const way = boundedKeys(clip, what.at, by, frame);
      const keys = what.at.map((at) => at + way);
      const change = movedKeys(clip, what.at, way);
      return { change, keys, readout: clock(clip.start + (keys[0] ?? 0)) };
    }
    case 'fade': {
      const change = faded(clip, what.edge, by);
      const [length] = Object.values(change.values);
      return { change, readout: say('amount.seconds', { amount: parseSeconds(length) ?? 0 }) };
    }
    case 'loudness': {
      const percent = rise * loudest;
      const change =
        what.key === null
          ? turnedClip(clip, percent)
          : pulledKey(clip, what.key, { percent, seconds: by }, frame);
      const [value] = Object.values(change.values);
      return { change, readout: `${parseAmount(value)?.value ?? 100}%` };
    }
  }
}
