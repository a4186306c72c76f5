/**
 * A cut as an edit decision list, CMX 3600: one picture track, cuts, dissolves, speeds and markers. Everything else is
 * listed as lost. Pure.
 */
import { lossLines, type Loss } from '../../handover.ts';
import type { MarkerColor } from '../../markers.ts';
import type { Cut, CutClip, CutTrack } from './cut.ts';
import { noAddress, type FilmFacts } from './otio.ts';

/** How a rate is counted in timecode. */
export interface Timecode {
  /** Frames that a second of timecode has. */
  readonly base: number;
  /** True: numbers are left out so that it keeps up with the clock. */
  readonly dropsFrames: boolean;
}

/** Most frames that two digits count. */
const mostFrames = 99;

/** How a rate is counted; null for one that timecode can't count. */
export function timecodeOf(rate: number): Timecode | null {
  const base = Math.round(rate);
  if (base < 1 || base > mostFrames) return null;
  if (Math.abs(rate - base) < 1e-6) return { base, dropsFrames: false };
  // Television's rates, also where they are written with two decimals.
  const isTelevision = base % 6 === 0 && Math.abs(rate - (base * 1000) / 1001) < 0.005;
  return isTelevision ? { base, dropsFrames: base % 30 === 0 } : null;
}

/** The rate in which a film's list is counted: its own, or the nearest that timecode can count. */
export const listRate = (rate: number): number =>
  timecodeOf(rate) ? rate : Math.min(60, Math.max(1, Math.round(rate)));

/** `01:00:02:03`; with `;` before the frames where numbers are left out. */
export function timecode(frames: number, { base, dropsFrames }: Timecode): string {
  let count = frames;
  if (dropsFrames) {
    // Two of 30 numbers (four of 60) at each minute but the tenth ones.
    const dropped = base / 15;
    const inMinute = base * 60 - dropped;
    const inTen = inMinute * 10 + dropped;
    const rest = count % inTen;
    const minutes = rest < base * 60 ? 0 : 1 + Math.floor((rest - base * 60) / inMinute);
    count += Math.floor(count / inTen) * 9 * dropped + minutes * dropped;
  }
  const seconds = Math.floor(count / base);
  const parts = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${parts.map(two).join(':')}${dropsFrames ? ';' : ':'}${two(count % base)}`;
}

/** An hour, where lists begin by custom. */
const startOf = ({ base, dropsFrames }: Timecode): number =>
  base * 3600 - (dropsFrames ? (base / 15) * 54 : 0);

/** The format's own limit. */
const mostEvents = 999;

/** One line of the list. */
interface Event {
  readonly clip: CutClip;
  /** Frames of the film, and of the file. */
  recordIn: number;
  recordOut: number;
  sourceIn: number;
  /** What it dissolves from, and for how many frames. */
  readonly dissolve: { readonly from: Event; readonly frames: number } | null;
}

/**
 * The whole file, and what it doesn't say.
 *
 * @param cut Of the pictures alone, counted in `listRate`. @param rate The film's own.
 */
export function edlOf(
  cut: Cut,
  { name, markers, addressOf }: Pick<FilmFacts, 'name' | 'markers' | 'addressOf'>,
  rate: number,
): { readonly text: string; readonly lost: readonly Loss[] } {
  const counted = timecodeOf(cut.frameRate) ?? { base: 25, dropsFrames: false };
  const chosen = chosenTrack(cut.tracks);
  // One that is dissolved from its first frame on is not seen alone.
  const all = (chosen ? eventsOf(chosen) : []).filter((one) => one.recordOut > one.recordIn);
  const events = all.slice(0, mostEvents);
  const lost = lossesOf(cut, chosen, { rate, all, addressOf });
  const record = (frames: number): string => timecode(startOf(counted) + frames, counted);
  const source = (frames: number): string => timecode(frames, counted);
  const reels = reelsOf(events);
  const reelOf = (clip: CutClip): string =>
    (clip.content.kind === 'file' ? reels.get(clip.content.source) : undefined) ?? 'AX';

  const line = (number: string, { clip }: Event, kind: string, times: readonly string[]): string =>
    `${number}  ${reelOf(clip).padEnd(8)} V     ${kind.padEnd(8)} ${times.join(' ')}`;
  const lines = events.flatMap((event, index) => {
    const number = String(index + 1).padStart(3, '0');
    const { clip, dissolve, recordIn, recordOut, sourceIn } = event;
    const recorded = [record(recordIn), record(recordOut)];
    const played = [source(sourceIn), source(sourceIn + playedFrames(event))];
    const kind = dissolve ? `D    ${String(dissolve.frames).padStart(3, '0')}` : 'C';
    const from = dissolve?.from;
    const out = from && source(from.sourceIn + playedFrames(from));
    return [
      ...(from && out !== undefined
        ? [line(number, from, 'C', [out, out, record(recordIn), record(recordIn)])]
        : []),
      line(number, event, kind, [...played, ...recorded]),
      ...speedLine(clip, reelOf(clip), played[0] ?? '', cut.frameRate),
      ...(from ? [`* FROM CLIP NAME: ${plain(from.clip.name)}`] : []),
      `* ${from ? 'TO' : 'FROM'} CLIP NAME: ${plain(clip.name)}`,
      ...fileLine(clip, addressOf),
      ...markers
        .map((marker) => ({ ...marker, frame: Math.round(marker.time * cut.frameRate) }))
        .filter(({ frame }) => frame >= recordIn && frame < recordOut)
        .map(
          ({ frame, color, name: own }) =>
            `* LOC: ${record(frame).replace(';', ':')} ${locatorColors[color].padEnd(7)} ${plain(own)}`,
        ),
    ];
  });
  const head = [
    `TITLE: ${plain(name) || 'Untitled'}`,
    `FCM: ${counted.dropsFrames ? 'DROP FRAME' : 'NON-DROP FRAME'}`,
  ];
  // At the end: some readers take remarks after events alone.
  const remarks = [
    `* FRAME RATE: ${Number(cut.frameRate.toFixed(3))}`,
    ...lossLines(lost).map((loss) => `* NOT IN THIS LIST: ${plain(loss)}`),
  ];
  return { text: `${[...head, '', ...lines, ...remarks].join('\r\n')}\r\n`, lost };
}

/** The colours of Avid's locators. */
const locatorColors: Readonly<Record<MarkerColor, string>> = {
  ...{ red: 'RED', orange: 'YELLOW', yellow: 'YELLOW', green: 'GREEN', blue: 'BLUE' },
  ...{ purple: 'MAGENTA', grey: 'WHITE' },
};

/** The first track that shows a file; without one, the first. */
function chosenTrack(tracks: readonly CutTrack[]): CutTrack | undefined {
  const hasFile = ({ items }: CutTrack): boolean =>
    items.some((item) => item.kind === 'clip' && item.content.kind === 'file');
  return tracks.find(hasFile) ?? tracks[0];
}

/** In lists a dissolve begins with its event; so the clip after it begins earlier than the cut. */
function eventsOf({ items }: CutTrack): Event[] {
  const events: Event[] = [];
  let at = 0;
  items.forEach((item, index) => {
    if (item.kind === 'transition') return;
    if (item.kind === 'clip') {
      const over = items[index - 1];
      const before = events.at(-1);
      const isOver = over?.kind === 'transition' && before !== undefined;
      const earlier = isOver ? over.before : 0;
      if (isOver) before.recordOut -= earlier;
      const { content } = item;
      const from = content.kind === 'file' ? content.from : 0;
      const speed = content.kind === 'file' ? content.speed : 1;
      events.push({
        clip: item,
        recordIn: at - earlier,
        recordOut: at + item.length,
        sourceIn: content.kind === 'file' ? Math.max(0, Math.round(from - earlier * speed)) : 0,
        dissolve: isOver ? { from: before, frames: over.before + over.after } : null,
      });
    }
    at += item.length;
  });
  return events;
}

/** Frames of its file that an event plays. */
function playedFrames({ clip: { content }, recordIn, recordOut }: Event): number {
  const speed = content.kind === 'file' ? content.speed : 1;
  return speed === 0 ? 1 : Math.round((recordOut - recordIn) * speed);
}

/** Up to eight letters and digits for each file, from its name. */
function reelsOf(events: readonly Event[]): ReadonlyMap<string, string> {
  const reels = new Map<string, string>();
  const taken = new Set(['AX', 'BL', '']);
  for (const { clip } of events) {
    if (clip.content.kind !== 'file' || reels.has(clip.content.source)) continue;
    const { source } = clip.content;
    const file = source.startsWith('data:') ? '' : (source.split(/[?#]/)[0] ?? '');
    const stem = (file.split(/[/\\:]/).at(-1) ?? '').replace(/\.[^.]*$/, '');
    const short = stem
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .slice(0, 8);
    let reel = short;
    for (let next = 2; taken.has(reel); next++) {
      const number = String(next);
      reel = `${(short || 'FILE').slice(0, 8 - number.length)}${number}`;
    }
    taken.add(reel);
    reels.set(source, reel);
  }
  return reels;
}

function speedLine({ content }: CutClip, reel: string, from: string, rate: number): string[] {
  if (content.kind !== 'file' || content.speed === 1) return [];
  const frames = (rate * content.speed).toFixed(1).padStart(5, '0');
  const line = `M2   ${reel.padEnd(8)}       ${frames}                ${from}`;
  return content.speed === 0 ? [line, '* FREEZE FRAME'] : [line];
}

function fileLine({ content }: CutClip, addressOf: FilmFacts['addressOf']): string[] {
  const address = content.kind === 'file' ? addressOf(content.source) : null;
  return address === null ? [] : [`* SOURCE FILE: ${plain(address)}`];
}

/** One line of text. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** What stands for a clip without a file. */
const kinds = {
  text: 'its words',
  color: 'its colour',
  shape: 'its shape',
  inner: 'the elements in it',
  nothing: 'its file',
} as const;

function lossesOf(
  { tracks, lost, frameRate }: Cut,
  chosen: CutTrack | undefined,
  {
    rate,
    all,
    addressOf,
  }: { readonly rate: number; readonly all: readonly Event[] } & Pick<FilmFacts, 'addressOf'>,
): readonly Loss[] {
  const loss = ({ path, name }: CutClip, what: string): Loss => ({ path, element: name, what });
  const others = tracks
    .filter((track) => track !== chosen)
    .flatMap(({ items }) => items.filter((item) => item.kind === 'clip'))
    .map((clip) => loss(clip, 'all of it, as the list has one track'));
  const own = all.flatMap(({ clip }, index): Loss[] => {
    if (index >= mostEvents) return [loss(clip, `all of it, as a list has ${mostEvents} events`)];
    const { content } = clip;
    if (content.kind !== 'file') return [loss(clip, kinds[content.kind])];
    return addressOf(content.source) === null ? [loss(clip, noAddress)] : [];
  });
  // What is lost as a whole needs no list of its parts.
  const whole = new Set(others.map(({ path }) => path));
  const isPart = (path: string): boolean => whole.has(path) || /\]\.elements\[/.test(path);
  const counting =
    rate === frameRate
      ? []
      : [
          {
            ...{ path: 'frame_rate', element: '' },
            what: `its ${Number(rate.toFixed(3))} frames a second, which timecode can't count: times are rounded to ${frameRate} a second`,
          },
        ];
  return [...counting, ...lost.filter(({ path }) => !isPart(path)), ...own, ...others];
}
