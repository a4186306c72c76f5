/** Faults of the document itself, and of the files that it names. Pure. */
import { patchOf } from '../../../shared/renderscript/json-patch.ts';
import { valueAt, stepsOf } from '../../../shared/renderscript/fixes.ts';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { readProvider, readVoiceLine, voiceFor } from '../../../shared/renderscript/voices.ts';
import type { CheckFacts, CheckRow, Fault } from './facts.ts';

/** What to do about problems that say only what is wrong, by their code; the rest is mended where it is. */
const cures: Readonly<Record<string, string>> = {
  media_missing: 'Name a file that is there, or add this one to the media library.',
  media_refused:
    'Name an address that this computer may ask, or add the file to the media library.',
  media_unreadable: 'Use a file of the expected kind, saved anew if it is damaged.',
  limit_exceeded: 'Use a smaller file, or fewer of them.',
  file_cut_off: 'Fetch the file again: its end is missing.',
  wrong_length: 'Save the file again, or trim it to the length that it has.',
  sound_unread: 'Save the file with its sound as AAC or MP3.',
  picture_stands_still: 'Save the picture as a GIF, or as a video.',
  cached_copy: 'Check the address: an older copy is used as long as it can’t be reached.',
  font_unreadable: 'Use another file of the font: .ttf, .otf or .woff2.',
  no_transcript: 'Name subtitles or a recording that are there.',
  not_transcribed:
    'Fetch a speech model (framewright models get), or bring subtitles along in transcript_source.',
  voice_missing: 'Set a voice for this provider in the settings.',
  voice_failed: 'Look at the settings of the voice.',
  loudness_missed: 'Use a louder recording.',
  captions_not_animated:
    'Use transcript_effect to move words, or an animation of the whole element.',
  installed_font: 'Bring the font along in ‘fonts’, or use a shipped one.',
  no_size: 'Give the document a width and a height.',
};

/** What the checker of the language says, except where the files themselves say it. */
const problems = ({ source, problems: all, files }: CheckFacts): Fault[] => {
  const lost = new Set(files.problems.map(({ path }) => path));
  return all
    .filter(({ path }) => !lost.has(path))
    .map((problem) => faultOf(problem, problem.severity, source));
};

/** A problem of the engine as a fault; its repair is one where it is certain. */
function faultOf(problem: Problem, level: Fault['level'], source?: CheckFacts['source']): Fault {
  const { path, element, code, message } = problem;
  const patch = source ? patchOf(source, problem) : [];
  return {
    ...{ path, element, code, message, cure: cureOf(problem, patch.length > 0) },
    ...(level && { level }),
    ...(patch.length > 0 && { patch }),
  };
}

function cureOf({ code, instead, property }: Problem, isCertain: boolean): string {
  const known = cures[code];
  if (known !== undefined) return known;
  if (instead !== undefined) return `Write '${instead}'.`;
  if (isCertain) return 'Write it with its unit.';
  return property === ''
    ? 'Change it, or leave the element out.'
    : `Change '${property}', or leave it out.`;
}

/** Files that a render would not get. A text is spoken when it is rendered, if there is a voice: each may cost. */
const lostFiles = ({ source, files, voices }: CheckFacts): Fault[] => {
  const lines = voices.flatMap((line) => readVoiceLine(line) ?? []);
  return files.problems.flatMap((problem): Fault[] => {
    const { path, code } = problem;
    const provider = valueAt(source, [...stepsOf(path).slice(0, -1), 'provider']);
    const speaks = typeof provider === 'string' && voiceFor(readProvider(provider), lines) !== null;
    if (code !== 'voice_missing') return [faultOf(problem, 'error')];
    return speaks
      ? []
      : [faultOf({ ...problem, path: path.replace(/source$/, 'provider') }, 'error')];
  });
};

/** What ends a render that has all its files: a picture that can't be decoded, a frame that takes too much memory. */
const failing = ({ failures, files }: CheckFacts): Fault[] => {
  const lost = new Set(files.problems.map(({ path }) => path));
  return failures.filter(({ path }) => !lost.has(path)).map((problem) => faultOf(problem, 'error'));
};

/** Captions that a render would not get: of a lost file, or because no one hears what is said. */
const lostCaptions = ({ film, isHeard }: CheckFacts): Fault[] =>
  (film?.warnings ?? []).flatMap((problem): Fault[] => {
    if (problem.code === 'no_transcript') return [faultOf(problem, 'error')];
    if (problem.code !== 'not_transcribed' || isHeard) return [];
    const message = 'Expected someone who writes down what is said, found no one';
    return [{ ...faultOf({ ...problem, message }, 'error'), code: 'transcriber_missing' }];
  });

/** What is odd about files that it would get. */
const oddFiles = ({ files }: CheckFacts): Fault[] =>
  files.assets.warnings.map((problem) => faultOf(problem, 'warning'));

/** What compiling and drawing said that no other row says. */
const ownRows: ReadonlySet<string> = new Set([
  'unknown_font',
  'missing_characters',
  'installed_font',
  'no_transcript',
  'not_transcribed',
]);

const drawn = ({ film }: CheckFacts): Fault[] =>
  (film?.warnings ?? [])
    .filter(({ code }) => !ownRows.has(code))
    .map((problem) => faultOf(problem, 'warning'));

/** By how much a picture may be enlarged before it looks soft. */
const mostEnlarged = 2;

/** Pictures and videos that have too few pixels for their place, at the size they are given in the document. */
const enlarged = ({ film, source }: CheckFacts): Fault[] =>
  (film?.elements ?? []).flatMap(({ element }): Fault[] => {
    const { type, path, name, file } = element;
    if (!film || !file || (type !== 'image' && type !== 'video')) return [];
    const { width, height, format } = file.info;
    const isWhole = ['width', 'height'].every((side) => {
      const value = valueAt(source, [...stepsOf(path), side]);
      return value === undefined || value === null || value === '100%';
    });
    const isTop = /^elements\[\d+\]$/.test(path);
    const { timeline } = film;
    const factor = Math.min(timeline.width / width, timeline.height / height);
    if (format === 'svg' || !isWhole || !isTop || factor <= mostEnlarged) return [];
    const message = `Expected a file of about ${timeline.width} × ${timeline.height} pixels, found ${width} × ${height}: it is drawn ${factor.toFixed(1)} times as large, and looks soft`;
    const cure = 'Use a larger file, or show it smaller.';
    return [{ path: `${path}.source`, element: name, message, cure }];
  });

/** The rows. */
export const documentChecks: readonly CheckRow[] = [
  { code: 'document', level: 'error', find: problems },
  { code: 'file', level: 'error', find: lostFiles },
  { code: 'captions', level: 'error', find: lostCaptions },
  { code: 'render', level: 'error', find: failing },
  { code: 'odd_file', level: 'warning', find: oddFiles },
  { code: 'drawing', level: 'warning', find: drawn },
  { code: 'media_enlarged', level: 'hint', find: enlarged },
];
