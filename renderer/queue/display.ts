/**
 * A render in the window's words: status, icon, colour role, progress line, name, facts. Pure; the only place where the
 * API's words become the window's.
 */
import type { RenderProgress, RenderStatus, WindowRender } from '../../shared/api.ts';
import { isSequence, isSound, isStill } from '../../shared/renderscript/formats.ts';
import type { IconName } from '../ui/icons.ts';
import {
  clockTime,
  daysUntil,
  fileSize,
  filmLength,
  ordinal,
  partOfSize,
  percent,
  pixelSize,
  remainingTime,
  shortId,
} from '../ui/format.ts';
import { type MessageKey, say } from '../ui/say.ts';

/** Colour role of a status; see styles/tokens.css. */
export type Tone = 'neutral' | 'info' | 'accent' | 'success' | 'danger';

/** A displayed status: always icon and word together. */
export interface Look {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: Tone;
}

interface LookRow {
  readonly word: MessageKey & `status.${string}`;
  readonly icon: IconName;
  readonly tone: Tone;
}

const looks: Record<RenderStatus, LookRow> = {
  planned: { word: 'status.planned', icon: 'clock', tone: 'neutral' },
  waiting: { word: 'status.waiting', icon: 'fetch', tone: 'info' },
  transcribing: { word: 'status.transcribing', icon: 'speech', tone: 'info' },
  rendering: { word: 'status.rendering', icon: 'play', tone: 'accent' },
  succeeded: { word: 'status.succeeded', icon: 'tick', tone: 'success' },
  failed: { word: 'status.failed', icon: 'alert', tone: 'danger' },
};
const cancelled: LookRow = { word: 'status.cancelled', icon: 'slashed', tone: 'neutral' };

const paused: LookRow = { word: 'status.paused', icon: 'pause', tone: 'neutral' };

/** Word, icon and colour of a render's state. @param halted nothing new is begun */
export function lookOf(render: WindowRender, halted = false): Look {
  const { status } = render.record;
  const ended = render.cancelled ? cancelled : looks[status];
  const row = halted && status === 'planned' ? paused : ended;
  return { ...row, word: wordOf(row.word) };
}

// These texts have no placeholders, which the type can't express.
const wordOf = say as (key: LookRow['word']) => string;

/** The stage of a render, for filters and the order of the list. */
export type Stage = 'active' | 'queued' | 'done' | 'failed' | 'cancelled';

export function stageOf(render: WindowRender): Stage {
  if (render.cancelled) return 'cancelled';
  const { status } = render.record;
  if (status === 'planned') return 'queued';
  if (status === 'succeeded') return 'done';
  return status === 'failed' ? 'failed' : 'active';
}

/** Template name with its title, e.g. `Promo – Only today`; without a template its title, or what it is. */
export function nameOf(render: WindowRender): string {
  const { title } = render;
  const name = render.name ?? render.record.template_name;
  if (name === undefined) return title ?? say('render.direct');
  const says = title !== undefined && title.toLowerCase() !== name.toLowerCase();
  return says ? say('render.titled', { name, title }) : name;
}

/** Where it came from, with the short ID: `Template · 7f3a9c1e`. */
export function originOf(render: WindowRender): string {
  const id = shortId(render.id);
  if (render.batch) return say('render.fromFeed', { name: render.batch.name, id });
  if (render.isDraft) return say('render.fromDraft', { id });
  return render.record.template_id === undefined
    ? say('render.fromRequest', { id })
    : say('render.fromTemplate', { id });
}

/**
 * The status line: `Rendering 43 %`, `Queued · 2nd`, `Done in 0:41`.
 * @param place 1 = the next to run; undefined for renders that don't wait
 * @param halted nothing new is begun
 */
export function statusLine(render: WindowRender, place?: number, halted = false): string {
  const { word } = lookOf(render, halted);
  const stage = stageOf(render);
  if (stage === 'active' && render.progress && !isSinglePicture(render)) {
    return say('status.withPercent', { word, percent: percent(render.progress.percent) });
  }
  if (stage === 'queued' && place !== undefined) {
    return say(halted ? 'status.pausedPosition' : 'status.position', { place: ordinal(place) });
  }
  const time = workTime(render);
  if (stage !== 'done' || time === null) return word;
  return say('status.doneIn', { time: time < 1 ? say('time.underSecond') : clockTime(time) });
}

/** Seconds that the newest attempt took; null while it is not known. */
function workTime({ startedAt, finishedAt }: WindowRender): number | null {
  return startedAt === undefined || finishedAt === undefined
    ? null
    : (finishedAt - startedAt) / 1000;
}

/** True if there is only one frame to draw: a bar would jump from nothing to full. */
export function isSinglePicture({ record }: WindowRender): boolean {
  return isStill(record.output_format);
}

/** True if nothing of it can be seen: its file is heard. */
export function isOnlyHeard({ record }: WindowRender): boolean {
  return isSound(record.output_format);
}

/** True if its file is for other programs: nothing here plays it. */
export function isSequenceFile({ record }: WindowRender): boolean {
  return isSequence(record.output_format);
}

/** True if its file moves: while it is made, its frames can be looked at. */
export function isMoving(render: WindowRender): boolean {
  return !isSinglePicture(render) && !isOnlyHeard(render);
}

/** The icon of a kind of files. @param format its `output_format` */
export function kindIcon(format: string | undefined): IconName {
  if (isSound(format)) return 'music';
  return isStill(format) ? 'picture' : 'film';
}

/** The current work: `Drawing frames 194 of 450 · 31/s`. */
export function workLine(render: WindowRender): string {
  const { progress } = render;
  if (!progress) return '';
  const { phase, frame, frames, framesPerSecond } = progress;
  if (phase === 'finishing') return say('progress.finishing');
  if (phase === 'transcribing') {
    return frames > 0
      ? say('progress.transcribingOf', { frame, frames })
      : say('progress.transcribing');
  }
  if (phase === 'waiting') {
    const line =
      frames > 0 ? say('progress.waitingFor', { frame, frames }) : say('progress.waiting');
    const amount = fetchedAmount(progress);
    return amount === '' ? line : say('progress.fetched', { line, amount });
  }
  if (isSinglePicture(render)) return say('progress.picture');
  if (isOnlyHeard(render)) return say('progress.sound');
  return framesPerSecond === undefined
    ? say('progress.frames', { frame, frames })
    : say('progress.framesWithSpeed', { frame, frames, speed: Math.round(framesPerSecond) });
}

/** `34 of 120 MB`; '' before the first byte. */
function fetchedAmount({ bytes, bytesTotal }: RenderProgress): string {
  if (bytes === undefined) return '';
  return bytesTotal === undefined ? fileSize(bytes) : partOfSize(bytes, bytesTotal);
}

/**
 * The text beside the status in a row: the time left, or details that the status lacks. `secondsLeft` is the value to
 * show, if there is one.
 */
export function besideStatus(render: WindowRender, secondsLeft: number | undefined): string {
  const { progress } = render;
  const counts = progress?.phase === 'waiting' || progress?.phase === 'transcribing';
  if (!counts || isSinglePicture(render)) return remainingLine(render, secondsLeft);
  const { frame, frames } = progress;
  const amount = fetchedAmount(progress);
  if (amount !== '' || frames === 0) return amount;
  return say('progress.part', { done: frame, total: frames });
}

/** Time left in words, or that it is unknown. `secondsLeft` is the value to show, if there is one. */
export function remainingLine(render: WindowRender, secondsLeft: number | undefined): string {
  const { progress } = render;
  if (!progress) return say('progress.estimating');
  if (progress.phase === 'finishing') return say('progress.finishing');
  if (isSinglePicture(render)) return workLine(render);
  if (secondsLeft !== undefined && progress.secondsLeft !== undefined) {
    return remainingTime(secondsLeft);
  }
  if (progress.phase !== 'rendering') return workLine(render);
  // The server names no speed before the first frames and after 10 s without one; some way in, it must be the latter.
  const stalled = progress.framesPerSecond === undefined && progress.frame > 0.02 * progress.frames;
  if (stalled) return isOnlyHeard(render) ? workLine(render) : say('progress.nextFrame');
  // A new attempt starts from zero; until there is more to say, name the attempt.
  return attemptWords(render) ?? say('progress.estimating');
}

/** `Second attempt`; null during the first one. */
export function attemptWords({ attempts }: WindowRender): string | null {
  if (attempts < 2) return null;
  if (attempts > 3) return say('progress.attempt', { place: ordinal(attempts) });
  return say(attempts === 2 ? 'progress.secondAttempt' : 'progress.thirdAttempt');
}

/** Format and size of the picture: `mp4 · 1080×1080`. */
export function formatFacts({ record }: WindowRender): string {
  const { output_format: format, width, height } = record;
  return width === undefined || height === undefined
    ? format
    : `${format} · ${pixelSize(width, height)}`;
}

/** Length and size of the file: `15 s · 8.4 MB`; empty before the end. */
export function fileFacts({ record }: WindowRender): string {
  const { duration, file_size: size } = record;
  return [
    duration === undefined ? [] : [filmLength(duration)],
    size === undefined ? [] : [fileSize(size)],
  ]
    .flat()
    .join(' · ');
}

/** Format and size of the file, as far as they are known, for a line that is short: `mp4 · 8.4 MB`. */
export function shortFacts(render: WindowRender): string {
  const { output_format: format, file_size: size } = render.record;
  return size === undefined ? formatFacts(render) : `${format} · ${fileSize(size)}`;
}

/** Whole days until record and file go. @param now ms since 1970; may be a little behind the clock of the server */
export function daysLeft({ expiresAt, createdAt }: WindowRender, now: number): number {
  return daysUntil(expiresAt, Math.max(now, createdAt));
}

export function canCancel(render: WindowRender): boolean {
  const stage = stageOf(render);
  return stage === 'active' || stage === 'queued';
}

/** A setting that can be what is wrong. */
type WantedSetting = 'mediaFolders' | 'outputFolder' | 'allowPrivateAddresses';

/** Words under the message of a failed render. */
export interface Hint {
  readonly text: string;
  /** The setting that the words name, to be offered as a button. */
  readonly setting?: WantedSetting;
}

/** What the words depend on beyond the message. */
export interface FailedPlace {
  /** The element that made it fail; undefined: none did, or the document as a whole. */
  readonly element: string | undefined;
  /** Its template is still there to be opened. */
  readonly hasTemplate: boolean;
}

type Row = readonly [RegExp, (place: FailedPlace) => string, WantedSetting?];

const table: readonly Row[] = [
  [/^Source error: .*\.source: The server answered 404/, notFound],
  [
    /^Source error: .*\.source: This address is not allowed/,
    () => say('hint.notAllowed'),
    'allowPrivateAddresses',
  ],
  [
    /^Source error: .*\.source: Files outside the media folders/,
    () => say('hint.outside'),
    'mediaFolders',
  ],
  [/^Source error: .*\.source: No data for 30 seconds/, () => say('hint.silent')],
  [/^Source error: .*\.source: /, () => say('hint.file')],
  [/^Source error: /, wrongValue],
  [/^Render error: The disk is full/, () => say('hint.disk'), 'outputFolder'],
  [/^Render error: The renderer stopped/, () => say('hint.stopped')],
  [/^Render error: The renderer ran out of memory/, () => say('hint.memory')],
  [/^Render error: The encoder stopped/, () => say('hint.encoder')],
];

function notFound({ element, hasTemplate }: FailedPlace): string {
  return hasTemplate && element !== undefined
    ? say('hint.notFound', { element })
    : say('hint.notFound.direct');
}

function wrongValue({ element, hasTemplate }: FailedPlace): string {
  if (!hasTemplate) return say('hint.value.direct');
  return element === undefined ? say('hint.value.whole') : say('hint.value', { element });
}

/** The hint for a message of a failed render; null where the message says it all. */
export function hintFor(message: string, place: FailedPlace): Hint | null {
  const row = table.find(([begin]) => begin.test(message));
  if (!row) return null;
  const [, words, setting] = row;
  return { text: words(place), ...(setting && { setting }) };
}
