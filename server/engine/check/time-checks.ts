/** Elements whose time does not fit the film, and files that are shorter than their time. Pure. */
import { timePlayed } from '../../../shared/engine/compile/speed.ts';
import { stepsOf } from '../../../shared/renderscript/fixes.ts';
import { pointerOf } from '../../../shared/renderscript/json-patch.ts';
import { isPlayed } from '../../../shared/renderscript/source.ts';
import { parseSeconds } from '../../../shared/renderscript/units.ts';
import type { CheckFacts, CheckRow, Fault, PlacedElement } from './facts.ts';

/** Seconds that nobody sees or hears. */
const tolerance = 0.12;

const seconds = (value: number): string => `${Math.round(value * 100) / 100} s`;

const faultsOf =
  (look: (placed: PlacedElement) => Fault | null) =>
  ({ film }: CheckFacts): Fault[] =>
    // A picture has no time.
    film && film.timeline.duration > 0 ? film.elements.flatMap((placed) => look(placed) ?? []) : [];

const late = faultsOf(({ element: { path, name, start }, room, within }) => {
  if (start < room - 1e-6) return null;
  return {
    path: `${path}.time`,
    element: name,
    message: `Expected a beginning before the end of ${within} at ${seconds(room)}, found ${seconds(start)}: it is never there`,
    cure: `Let it begin earlier, or make ${within} longer.`,
  };
});

/** Only where a length is written: what is as long as its file may well be cut. */
const overlong = faultsOf(({ element: { path, name, json, start, duration }, room, within }) => {
  const written = parseSeconds(json.duration);
  const over = start + duration - room;
  if (written === null || start >= room || over <= tolerance) return null;
  const left = Math.round((room - start) * 1000) / 1000;
  return {
    path: `${path}.duration`,
    element: name,
    message: `Expected an end before that of ${within} at ${seconds(room)}, found ${seconds(start + duration)}: ${seconds(over)} are cut off`,
    cure: `Make it ${seconds(left)} long, or ${within} longer.`,
    patch: [{ op: 'replace', path: pointerOf(stepsOf(`${path}.duration`)), value: left }],
  };
});

const empty = faultsOf(({ element: { path, name, start, duration, cut }, room }) => {
  if (duration > 0 || cut || start >= room) return null;
  return {
    path: `${path}.duration`,
    element: name,
    message: `Expected a length, found ${seconds(duration)}: it is never there`,
    cure: 'Give it a duration, or leave it out to fill the time.',
  };
});

const short = faultsOf(({ element: { path, name, type, file, start, duration }, room }) => {
  if (!file || !isPlayed(type) || file.clip.loop) return null;
  const plays = timePlayed(file.clip, file.clip.trimDuration);
  const needed = Math.min(duration, room - start);
  if (plays <= 0 || needed - plays <= tolerance) return null;
  const then = type === 'audio' ? 'it is silent' : 'its last picture stands still';
  return {
    path,
    element: name,
    time: start + plays,
    message: `Expected a file that lasts ${seconds(needed)}, found ${seconds(plays)}: then ${then}`,
    cure: 'Let it loop, play it slower, or make the element as short as its file.',
    patch: [{ op: 'add', path: pointerOf(stepsOf(`${path}.loop`)), value: true }],
  };
});

const trims = faultsOf(({ element: { path, name, json, file } }) => {
  if (!file) return null;
  const { duration } = file.info;
  const start = parseSeconds(json.trim_start) ?? 0;
  const length = parseSeconds(json.trim_duration);
  if (start >= duration && start > 0)
    return {
      path: `${path}.trim_start`,
      element: name,
      message: `Expected a beginning within the ${seconds(duration)} of the file, found ${seconds(start)}`,
      cure: 'Begin earlier in the file, or leave trim_start out.',
      patch: [{ op: 'remove', path: pointerOf(stepsOf(`${path}.trim_start`)) }],
    };
  if (length === null || start + length - duration <= tolerance) return null;
  return {
    path: `${path}.trim_duration`,
    element: name,
    message: `Expected a part of the file, which ends at ${seconds(duration)}, found one until ${seconds(start + length)}`,
    cure: `Play ${seconds(duration - start)} of it, to its end.`,
    patch: [
      {
        op: 'replace',
        path: pointerOf(stepsOf(`${path}.trim_duration`)),
        value: Math.round((duration - start) * 1000) / 1000,
      },
    ],
  };
});

/** The rows. */
export const timeChecks: readonly CheckRow[] = [
  { code: 'begins_after_end', level: 'warning', find: late },
  { code: 'without_time', level: 'warning', find: empty },
  { code: 'trimmed_beyond_end', level: 'warning', find: trims },
  { code: 'media_too_short', level: 'warning', find: short },
  { code: 'cut_by_end', level: 'hint', find: overlong },
];
