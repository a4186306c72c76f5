/**
 * Makes the document to render from a document and a request's changes, with all facts about it. Pure; runs on the
 * API's thread for small documents and on the desk (desk.ts) for large ones.
 */
import { ApiError } from '../../../shared/errors.ts';
import { type Bounds, fullBounds, sizeOf } from '../../../shared/renderscript/budget.ts';
import {
  formatNamed,
  formatOf,
  isStill,
  type OutputFormat,
} from '../../../shared/renderscript/formats.ts';
import { documentLimits } from '../../../shared/renderscript/limits.ts';
import { hintProblems, type LocalAddress } from '../../../shared/renderscript/hints.ts';
import { applyModifications, excessReason } from '../../../shared/renderscript/modifications.ts';
import { brokenScaling, outputSize, type Scaling } from '../../../shared/renderscript/output.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Problem,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { markShared, validate } from '../../../shared/renderscript/validate.ts';
import { estimateCredits, isSubtitled } from '../credits.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';

/** A document and the changes to it. `Part` is the form of the objects: values, or texts that go to another thread. */
export interface DocumentOrder<Part = JsonObject> {
  readonly source: Part;
  readonly modifications?: Part;
  /** Subtitles by the name of the spoken element. */
  readonly transcripts?: Part;
  /** The next two replace the document's own. */
  readonly outputFormat?: OutputFormat;
  readonly frameRate?: number;
  readonly scaling: Scaling;
  /** True turns names that the language does not know into errors. */
  readonly strict?: boolean;
  /** False leaves out what `hints.ts` finds. Default: true. */
  readonly hints?: boolean;
}

/** A document ready to be stored and rendered. `Text` is the form of its JSON. */
export interface PreparedDocument<Text = string> {
  readonly text: Text;
  /** If it is wrong or missing, the language's default (the render then fails anyway). */
  readonly format: OutputFormat;
  /**
   * Scale of the file relative to the document; null when a maximum is given and the document's size is not yet known.
   */
  readonly scale: number | null;
  /** Credits; 0 when it is known to fail. */
  readonly cost: number;
  /** True when a text follows speech. */
  readonly subtitled: boolean;
  /** The first thousand errors and the first thousand warnings. */
  readonly problems: readonly Problem[];
  /** How many more of each there are. */
  readonly unlisted: Readonly<Record<Problem['severity'], number>>;
  /** Addresses that the server's settings may refuse. */
  readonly local: readonly LocalAddress[];
  readonly shown: ShownFacts;
  /** Seconds: the duration that it states, and the moment for its snapshot. */
  readonly times: { readonly duration?: number; readonly snapshot?: number };
  /** Its most prominent text; null if it has none. */
  readonly title: string | null;
}

/** What lists show of a document; only what it states itself. */
export interface ShownFacts {
  readonly outputFormat?: OutputFormat;
  readonly width?: number;
  readonly height?: number;
  /** Seconds, for a film. */
  readonly duration?: number;
}

/** Thrown when a document exceeds the bounds of the thread that tried. */
export class TooLargeHere extends Error {}

/**
 * @param bounds How much work this thread may do, if less than the full bounds. @throws TooLargeHere beyond them.
 * @throws ApiError `asks_too_much`, `too_many_elements`.
 */
export function prepareDocument(
  order: DocumentOrder,
  bounds: Bounds = fullBounds,
): PreparedDocument {
  const modified = applyModifications(order.source, order.modifications ?? {}, bounds);
  if (modified.excess) {
    if (bounds !== fullBounds) throw new TooLargeHere();
    const changed = Object.keys(order.modifications ?? {}).length > 0;
    throw new ApiError('asks_too_much', {
      name: changed ? 'modifications' : 'source',
      reason: excessReason(modified.excess, bounds),
    });
  }
  const transcribed = applyTranscripts(modified.source, order.transcripts ?? {});
  if (order.transcripts && sizeOf(transcribed.source, bounds.characters) > bounds.characters) {
    const excess = { of: 'characters', key: null } as const;
    throw new ApiError('asks_too_much', {
      name: 'transcripts',
      reason: excessReason(excess, bounds),
    });
  }
  const source: Source = {
    ...transcribed.source,
    ...(order.outputFormat !== undefined && { output_format: order.outputFormat }),
    ...(order.frameRate !== undefined && { frame_rate: order.frameRate }),
  };
  limitElements(source);
  const format = formatOf(source);
  const broken = brokenScaling({ ...order.scaling, format, width: 0, height: 0 });
  if (broken) throw new ApiError('invalid_parameter', { name: broken.property, what: broken.what });
  const others = [...modified.problems, ...transcribed.unused.map(unusedTranscript)];
  return describe(source, order, others);
}

function describe(
  source: Source,
  { scaling, strict, hints = true }: DocumentOrder,
  others: readonly Problem[],
): PreparedDocument {
  const local: LocalAddress[] = [];
  const found = [
    ...validate(source, scaling),
    ...(hints ? hintProblems(source, strict, (address) => local.push(address)) : []),
    ...others,
  ];
  const { problems: listed, unlisted } = shortened(found);
  const problems = markShared(source, listed);
  const format = formatOf(source);
  const fails = problems.some(({ severity }) => severity === 'error');
  return {
    text: JSON.stringify(source),
    format,
    scale: scaleOf(source, format, scaling),
    cost: fails ? 0 : estimateCredits(source, format, scaling),
    subtitled: isSubtitled(source),
    problems,
    unlisted,
    local: markShared(source, local),
    shown: shownOf(source),
    times: {
      ...(typeof source.duration === 'number' && { duration: source.duration }),
      ...(typeof source.snapshot_time === 'number' && { snapshot: source.snapshot_time }),
    },
    title: titleOf(source),
  };
}

/** How many problems of each kind to list; thousands of sentences help nobody. */
const mostProblems = 1_000;

function shortened(found: readonly Problem[]): Pick<PreparedDocument, 'problems' | 'unlisted'> {
  const count = { error: 0, warning: 0 };
  const problems = found.filter(({ severity }) => ++count[severity] <= mostProblems);
  const rest = (severity: Problem['severity']): number =>
    Math.max(0, count[severity] - mostProblems);
  return { problems, unlisted: { error: rest('error'), warning: rest('warning') } };
}

/** What lists show of a document. */
export function shownOf(source: Source): ShownFacts {
  const { width, height, duration } = source;
  const outputFormat = formatNamed(source.output_format);
  const isMoving = outputFormat !== undefined && !isStill(outputFormat);
  return {
    ...(outputFormat && { outputFormat }),
    ...(typeof width === 'number' && { width }),
    ...(typeof height === 'number' && { height }),
    ...(isMoving && typeof duration === 'number' && duration > 0 && { duration }),
  };
}

function unusedTranscript(key: string): Problem {
  const message = `No text follows the transcript '${key}'`;
  return {
    path: '',
    element: '',
    property: '',
    severity: 'warning',
    code: 'unused_transcript',
    message,
  };
}

function scaleOf(
  { width, height }: Source,
  format: OutputFormat,
  { renderScale, maxWidth, maxHeight }: Scaling,
): number | null {
  if (maxWidth === undefined && maxHeight === undefined) return renderScale ?? 1;
  if (typeof width !== 'number' || typeof height !== 'number' || width <= 0 || height <= 0)
    return null;
  return outputSize({ width, height, format, maxWidth, maxHeight }).scale;
}

/** @throws ApiError `too_many_elements`. */
export function limitElements(source: JsonObject): void {
  const count = countElements(source);
  if (count > documentLimits.elements)
    throw new ApiError('too_many_elements', { count, limit: documentLimits.elements });
}

/** Elements on all levels. The body's nesting is limited, so this does not go deep. */
function countElements(parent: JsonObject): number {
  const { elements } = parent;
  if (!Array.isArray(elements)) return 0;
  let count = 0;
  // Array.isArray widens read-only lists to any[].
  for (const element of elements as readonly unknown[]) {
    count += 1 + (isJsonObject(element) ? countElements(element) : 0);
  }
  return count;
}

/** Characters of a title that are kept. */
const longest = 80;
/** How many elements to examine for it, so that the cost is bounded. */
const mostElements = 500;

/** Names of elements that are meant to be read first. */
const titleName = /title|headline|heading|\bname\b/i;

/**
 * The most prominent text, which tells renders of the same template apart: of the element called title, headline or
 * the like; else of the first text marked as a field; else of the first text. On one line, without markup; null if
 * there is none.
 */
function titleOf(source: Source): string | null {
  const texts = textsOf(source);
  const named = texts.find(({ name }) => typeof name === 'string' && titleName.test(name));
  const element = named ?? texts.find(({ dynamic }) => dynamic === true) ?? texts[0];
  return element ? plainText(element.text) : null;
}

/** Elements with text, in document order. */
function textsOf(source: Source): JsonObject[] {
  const found: JsonObject[] = [];
  const waiting: unknown[] = [source];
  let looked = 0;
  while (waiting.length > 0 && looked < mostElements) {
    const one = waiting.pop();
    if (!isJsonObject(one)) continue;
    looked += 1;
    if (one.type === 'text' && plainText(one.text) !== null) found.push(one);
    const { elements } = one;
    // Array.isArray widens read-only lists to any[].
    const list: readonly unknown[] = Array.isArray(elements) ? elements : [];
    waiting.push(...list.slice(0, mostElements).reverse());
  }
  return found;
}

function plainText(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  // Bounds the work for a long text.
  const line = text
    .slice(0, 10 * longest)
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(line);
  if (letters.length === 0) return null;
  return letters.length <= longest ? line : `${letters.slice(0, longest - 1).join('')}…`;
}

// Transcripts that come with a request (v1): subtitles for spoken elements, moved to where the language keeps them.

/** An element that may contain speech, and its names. */
interface Speaker {
  /** The object whose list it stands in. */
  readonly parent: JsonObject;
  /** ID and name as compared; absent ones left out. */
  readonly names: readonly string[];
  /** Address of its file. */
  readonly address: string | null;
}

/**
 * Gives transcripts to the texts that follow speech: a text whose `transcript_source` says the name, the ID or the
 * media's address of an element that has a transcript gets that instead. Key and `transcript_source` may use different
 * ones of the three. All are compared as `transcript_source` compares names, without case.
 *
 * @param transcripts the name, ID or address of a video or audio element for each key.
 * @returns the document with them (a new one), and the keys that no text asked for.
 */
function applyTranscripts(
  source: Source,
  transcripts: JsonObject,
): { source: Source; unused: readonly string[] } {
  const unused = new Set(Object.keys(transcripts));
  if (unused.size === 0) return { source, unused: [] };
  const keys = new Map([...unused].map((key) => [looseName(key), key]));
  const speakers = speakersIn(source);

  const find = (spoken: string, parent: JsonObject): string | undefined => {
    const words = wordsFor(spoken, parent, speakers);
    const exact = words.find((word) => Object.hasOwn(transcripts, word));
    return exact ?? words.map((word) => keys.get(looseName(word))).find((key) => key !== undefined);
  };

  const visit = (element: JsonObject, parent: JsonObject): JsonObject => {
    const { elements, transcript_source: spoken } = element;
    const key = typeof spoken === 'string' ? find(spoken, parent) : undefined;
    if (key !== undefined) unused.delete(key);
    const given = key === undefined ? undefined : transcripts[key];
    return {
      ...element,
      ...(given !== undefined && { transcript_source: given }),
      ...(Array.isArray(elements) && {
        // Array.isArray widens read-only lists to any[].
        elements: (elements as readonly Json[]).map((child) =>
          isJsonObject(child) ? visit(child, element) : child,
        ),
      }),
    };
  };

  return { source: visit(source, source), unused: [...unused] };
}

/**
 * All names of a text's speaker, the one the text uses first: of the element it names, or of those that play the file
 * it names. If several elements share a name, the one beside the text counts, as in the language.
 */
function wordsFor(spoken: string, parent: JsonObject, speakers: readonly Speaker[]): string[] {
  const name = looseName(spoken);
  const named = speakers.filter(({ names }) => names.includes(name));
  const nearest = named.find((speaker) => speaker.parent === parent) ?? named[0];
  const meant = nearest ? [nearest] : speakers.filter(({ address }) => address === spoken);
  return [
    spoken,
    ...meant.flatMap(({ names }) => names),
    ...meant.flatMap(({ address }) => (address === null ? [] : [address])),
  ];
}

function speakersIn(parent: JsonObject): Speaker[] {
  const { elements } = parent;
  if (!Array.isArray(elements)) return [];
  // Array.isArray widens read-only lists to any[].
  return (elements as readonly Json[]).filter(isJsonObject).flatMap((element) => {
    const { type, id, name, source } = element;
    const speaks = type === 'video' || type === 'audio' || type === 'composition';
    if (!speaks) return speakersIn(element);
    const words = [id, name].flatMap((word) => (typeof word === 'string' ? [looseName(word)] : []));
    const speaker: Speaker = {
      parent,
      names: words.filter((word) => word !== ''),
      address: typeof source === 'string' && source !== '' ? source : null,
    };
    return [speaker, ...speakersIn(element)];
  });
}
