/**
 * Phase 1, captions: the words of every text that follows speech, wherever they come from: the document itself, a file of
 * subtitles, or a recording that is transcribed.
 */
import { mkdir } from 'node:fs/promises';
import type { Problem, Source } from '../../../shared/renderscript/source.ts';
import { RenderError } from '../errors.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import type { AssetOptions, Assets } from './assets.ts';
import { isCaption, nodesOf, problem, refusal, type Node } from './caption-texts.ts';
import type { TimedWord } from './transcript.ts';
import { filesOf, planOf, type Plan } from './transcript-sources.ts';
import { findTranscript, transcribe, type Transcriber } from './transcribe.ts';

/** Words of one recording, on the clock of its file. */
export interface Speech {
  /** The video or audio element that plays the file, e.g. `elements[0]`. */
  readonly elementPath: string;
  readonly words: readonly TimedWord[];
}

/** What a text says and when: on its own clock, or on those of the recordings that it follows. */
export type Transcript =
  | { readonly clock: 'text'; readonly words: readonly TimedWord[] }
  | { readonly clock: 'media'; readonly speeches: readonly Speech[] };

/** All transcripts of a document. */
export interface Transcripts {
  /** By the path of the text element. A text that is missing here shows its own `text`. */
  readonly byText: ReadonlyMap<string, Transcript>;
  readonly warnings: readonly Problem[];
}

/** What reading transcripts needs besides the document. */
export interface TranscriptOptions extends AssetOptions {
  readonly ffmpeg: Ffmpeg | null;
  readonly transcriber: Transcriber | null;
  /** True for a single picture: recordings that were never transcribed show the placeholder instead of taking minutes. */
  readonly preview: boolean;
  /** Share of all transcribing that is done, 0–1; called only when something is transcribed. */
  readonly onTranscribing: (share: number) => void;
}

/** A recording to be transcribed once, whoever asks for it. */
interface Recording {
  readonly file: string;
  /** The text that asks first, for messages. */
  readonly asking: Node;
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
      // The picture of an editor shows what it can: the placeholder.
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
export function spokenTexts({ byText }: Transcripts): string[] {
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

/** Transcribes files one after the other; in a preview only those whose transcript is kept from before. */
async function listen(
  recordings: readonly Recording[],
  options: TranscriptOptions,
): Promise<Map<string, readonly TimedWord[]>> {
  const { transcriber, ffmpeg, preview, onTranscribing, signal, cacheFolder, workFolder } = options;
  const heard = new Map<string, readonly TimedWord[]>();
  for (const [index, { file, asking }] of recordings.entries()) {
    signal.throwIfAborted();
    try {
      const kept = transcriber && (await findTranscript(file, transcriber, cacheFolder));
      if (kept) heard.set(file, kept);
      if (kept || preview) continue;
      if (!transcriber) throw new RenderError('transcriber_missing', howToSetUp);
      if (!ffmpeg) throw new Error('a recording is to be transcribed without ffmpeg');
      const tell = (share: number): void => onTranscribing((index + share) / recordings.length);
      tell(0);
      heard.set(
        file,
        await transcribe(file, {
          transcriber,
          ffmpeg,
          cacheFolder,
          workFolder,
          signal,
          onProgress: tell,
        }),
      );
    } catch (error) {
      if (!(error instanceof RenderError) || error.code === 'cancelled') throw error;
      throw refusal(asking, error.message, error.code);
    }
  }
  return heard;
}

const howToSetUp =
  'No speech recogniser is set up. Choose whisper.cpp’s program (whisper-cli) and a model in the settings, or in ' +
  'FRAMEWRIGHT_TRANSCRIBER and FRAMEWRIGHT_TRANSCRIBER_MODEL. Or supply the timings: a list of words, SRT or WebVTT';
