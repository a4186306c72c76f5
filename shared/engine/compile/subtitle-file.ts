/**
 * Captions as files that other programs read: SRT and WebVTT, on the clock of the film. Pure; `shared/engine` reads
 * them.
 */
import { endOf, startOf, type CaptionLine, type CaptionWord } from './caption-lines.ts';

/** A kind of subtitle file; also the end of its name. */
export type SubtitleKind = 'srt' | 'vtt';
/** All of them. */
export const subtitleKinds: readonly SubtitleKind[] = ['srt', 'vtt'];

/** A line of a film. */
export interface Cue {
  readonly line: CaptionLine;
  /** Seconds from the beginning of the film to that of the line's text. */
  readonly offset: number;
  /** Who says it; null: nobody else speaks. */
  readonly speaker: string | null;
}

/**
 * The file of some lines, in their order. WebVTT keeps the time of every word and who speaks, SRT the times of lines.
 */
export function subtitleFile(cues: readonly Cue[], kind: SubtitleKind): string {
  const parts = cues.map(({ line, offset, speaker }, index) => {
    const time = (seconds: number): string => stamp(seconds + offset, kind === 'srt' ? ',' : '.');
    const voice = speaker === null ? '' : `<v ${escaped(speaker)}>`;
    const body = kind === 'srt' ? escapedArrow(linedText(line)) : voice + timedText(line, time);
    const head = kind === 'srt' ? `${index + 1}\n` : '';
    return `${head}${time(startOf(line))} --> ${time(endOf(line))}\n${body}\n`;
  });
  return `${kind === 'vtt' ? 'WEBVTT\n\n' : ''}${parts.join('\n')}`;
}

/** What stands between a word and the one before it. */
const before = ({ glued, startsLine }: CaptionWord): string =>
  startsLine ? '\n' : glued ? '' : ' ';

/** The text of a line, in the lines that it is shown in. */
const linedText = (line: CaptionLine): string =>
  line.map((word, at) => (at === 0 ? '' : before(word)) + word.text).join('');

/** A line whose words but the first have their times before them. */
function timedText(line: CaptionLine, time: (seconds: number) => string): string {
  return line
    .map((word, at) => {
      const { text, start } = word;
      const mark = at === 0 ? '' : `${before(word)}<${time(start)}>`;
      return `${mark}${escaped(text)}`;
    })
    .join('');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What only the arrow of a cue's times may be. */
const escapedArrow = (text: string): string => text.replaceAll('-->', '→');

/** `01:02:03,045`. */
function stamp(seconds: number, point: string): string {
  const all = Math.max(0, Math.round(seconds * 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes, rest] = [
    Math.floor(all / 3_600_000),
    Math.floor(all / 60_000) % 60,
    Math.floor(all / 1000) % 60,
  ];
  const part = String(all % 1000).padStart(3, '0');
  return `${two(hours)}:${two(minutes)}:${two(rest)}${point}${part}`;
}
