/**
 * Phase 1, captions: the words of every text that follows speech: from the document itself, a subtitle file, or a
 * transcribed recording.
 */
import { mkdir } from 'node:fs/promises';
import { noSpeechModel } from '../../../../shared/speech-models.ts';
import type { Problem, Source } from '../../../../shared/renderscript/source.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import type { Ffmpeg } from '../../ffmpeg.ts';
import type { AssetOptions, Assets } from '../assets.ts';
import {
  filesOf,
  isCaption,
  type Node,
  nodesOf,
  type Plan,
  planOf,
  problem,
  refusal,
} from './transcript-sources.ts';
import type { TimedWord, Transcript } from '../../../../shared/engine/transcript.ts';
import type { Transcriber } from './recognisers.ts';
import { findTranscript, transcribe, transcriptPlace } from './transcribe.ts';

/** All transcripts of a document. */
export interface Transcripts {
  /** By the path of the text element. A text without an entry shows its own `text`. */
  readonly byText: ReadonlyMap<string, Transcript>;
  readonly warnings: readonly Problem[];
}

/** What reading transcripts needs besides the document. */
export interface TranscriptOptions extends AssetOptions {
  readonly ffmpeg: Ffmpeg | null;
  readonly transcriber: Transcriber | null;
  /** True for a single picture: recordings not yet transcribed show the placeholder instead of taking minutes. */
  readonly preview: boolean;
  /** Called only if something is transcribed. */
  readonly onTranscribing: (progress: TranscribingProgress) => void;
}

/** Progress of transcribing. Cached recordings don't count. */
export interface TranscribingProgress {
  /** The current one, from 1. */
  readonly recording: number;
  readonly recordings: number;
  /** Share of all that is done, 0–1. */
  readonly share: number;
}

/** A recording to transcribe once, for all texts that need it. */
interface Recording {
  readonly file: string;
  /** The first text that needs it, for messages. */
  readonly asking: Node;
}

/** A task to transcribe: one recording, or several files with the same content. */
interface Unheard extends Pick<Recording, 'asking'> {
  readonly files: string[];
}

/**
 * Reads all transcripts of a document. Call it for moving pictures only; in stills nothing is spoken.
 *
 * @throws RenderError `invalid_source`, `transcriber_missing`, `transcriber_failed`, `media_…`, `cancelled`.
 */
export async function loadTranscripts(
  source: Source,
  assets: Assets,
  options: TranscriptOptions,
): Promise<Transcripts> {
  const nodes = nodesOf(source);
  const warnings: Problem[] = [];
  const plans = new Map<Node, Plan>();
  await mkdir(options.workFolder, { recursive: true });
  for (const text of nodes.filter(isCaption)) {
    try {
      plans.set(text, await planOf(text, nodes, { assets, options, warnings }));
    } catch (error) {
      if (!options.preview || !(error instanceof RenderError) || error.code === 'cancelled')
        throw error;
      // A preview shows what it can: the placeholder.
      const reason = error.message.replace(/^Source error: [^:]*: /, '');
      warnings.push(problem(text, 'no_transcript', reason));
    }
  }

  const recordings = new Map<string, Recording>();
  for (const [asking, planned] of plans)
    for (const file of filesOf(planned))
      if (!recordings.has(file)) recordings.set(file, { file, asking });
  const heard = await listen([...recordings.values()], options);

  const byText = new Map<string, Transcript>();
  for (const [text, planned] of plans) {
    const missing = filesOf(planned).some((file) => !heard.has(file));
    if (missing) {
      const message =
        'Captions show in the finished render; this picture has the placeholder in their place';
      warnings.push(problem(text, 'not_transcribed', message));
    } else byText.set(text.path, transcriptOf(planned, heard));
  }
  return { byText, warnings };
}

/** True when a document has a text that follows speech. */
export function followsSpeech(source: Source): boolean {
  return nodesOf(source).some(isCaption);
}

/** Every word of the transcripts, for the choice of fonts. */
export function spokenTexts({ byText }: Pick<Transcripts, 'byText'>): string[] {
  return [...byText.values()].flatMap((transcript) =>
    (transcript.clock === 'text'
      ? transcript.words
      : transcript.speeches.flatMap(({ words }) => words)
    ).map(({ text }) => text),
  );
}

function transcriptOf(planned: Plan, heard: ReadonlyMap<string, readonly TimedWord[]>): Transcript {
  switch (planned.kind) {
    case 'words':
      return { clock: 'text', words: planned.words };
    case 'file':
      return { clock: 'text', words: heard.get(planned.file) ?? [] };
    case 'elements':
      return {
        clock: 'media',
        speeches: planned.elements.map(({ path: elementPath, file }) => ({
          elementPath,
          words: heard.get(file) ?? [],
        })),
      };
  }
}

/** Transcribes what is not cached, one after the other; nothing in a preview. */
async function listen(
  recordings: readonly Recording[],
  options: TranscriptOptions,
): Promise<Map<string, readonly TimedWord[]>> {
  const { transcriber, preview, cacheFolder } = options;
  const heard = new Map<string, readonly TimedWord[]>();
  const unheard = new Map<string, Unheard>();
  for (const { file, asking } of recordings) {
    options.signal.throwIfAborted();
    // Without a recogniser there is no cache entry.
    const place = transcriber ? await transcriptPlace(file, transcriber, cacheFolder) : file;
    const kept = transcriber && (await findTranscript(place));
    const same = unheard.get(place);
    if (kept) heard.set(file, kept);
    else if (same) same.files.push(file);
    else unheard.set(place, { asking, files: [file] });
  }
  if (preview) return heard;
  for (const [index, [place, { asking, files }]] of [...unheard].entries()) {
    const count = { recording: index + 1, recordings: unheard.size };
    const tell = (share: number): void =>
      options.onTranscribing({ ...count, share: (index + share) / unheard.size });
    try {
      const words = await listenTo(files[0] ?? '', place, options, tell);
      for (const file of files) heard.set(file, words);
    } catch (error) {
      if (!(error instanceof RenderError) || error.code === 'cancelled') throw error;
      throw refusal(asking, error.message, error.code);
    }
  }
  return heard;
}

/** Transcribes one recording. */
function listenTo(
  file: string,
  place: string,
  { transcriber, ffmpeg, signal, workFolder }: TranscriptOptions,
  tell: (share: number) => void,
): Promise<readonly TimedWord[]> {
  signal.throwIfAborted();
  if (!transcriber) throw new RenderError('transcriber_missing', howToSetUp);
  if (!ffmpeg) throw new Error('a recording is to be transcribed without ffmpeg');
  tell(0);
  return transcribe(file, { transcriber, ffmpeg, place, workFolder, signal, onProgress: tell });
}

const howToSetUp = `${noSpeechModel}. Or supply the timings: a list of words, SRT or WebVTT`;
