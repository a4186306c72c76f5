/**
 * The messages between the server and a worker that answers one question (ask-worker.ts): what a file for the media
 * library is, what a font is, which fonts exist, how a document sounds, a small copy of a video, what is spoken in a
 * recording, or what a spreadsheet shows. Both sides parse what arrives (zod), because it comes from another process.
 */
import { z } from 'zod';
import { mediaFacts } from '../../../shared/api/media.ts';
import { engineSettings, sentDocument, transcriberChoice } from './engine-settings.ts';

/** One file to look at. */
export const inspectMessage = z.object({
  type: z.literal('inspect'),
  filePath: z.string(),
  /** Without its ending. */
  thumbnailPath: z.string(),
  workFolder: z.string(),
  fontFolder: engineSettings.fontFolder,
  ffmpegPath: engineSettings.ffmpegPath,
  limits: engineSettings.limits,
});

/** Asks for the font families. */
export const listFontsMessage = z.object({
  type: z.literal('list-fonts'),
  fontFolder: engineSettings.fontFolder,
});

/** A font file to look at. */
export const inspectFontMessage = z.object({
  type: z.literal('inspect-font'),
  filePath: z.string(),
  fontFolder: engineSettings.fontFolder,
});

/** Asks for a document's sound as a file. */
export const soundMessage = z.object({
  type: z.literal('sound'),
  /** The document after modifications. */
  source: sentDocument,
  soundPath: z.string(),
  /** Seconds. */
  longest: z.number(),
  workFolder: z.string(),
  ...engineSettings,
});

/** A small copy of a video, for browsers. */
export const proxyMessage = z.object({
  type: z.literal('proxy'),
  filePath: z.string(),
  /** Where copies are kept, by the content of what they are copies of. */
  folder: z.string(),
  workFolder: z.string(),
  ffmpegPath: engineSettings.ffmpegPath,
});

/** A sheet of a spreadsheet, whose rows are written as JSON. */
export const readSheetMessage = z.object({
  type: z.literal('read-sheet'),
  filePath: z.string(),
  rowsPath: z.string(),
  /** Its place, from 1. */
  sheet: z.number(),
});

/** The words of a recording, to be kept for renders. Says `progress` meanwhile, with an ID of no render. */
export const transcribeMessage = z.object({
  type: z.literal('transcribe'),
  filePath: z.string(),
  workFolder: z.string(),
  cacheFolder: engineSettings.cacheFolder,
  ffmpegPath: engineSettings.ffmpegPath,
  transcriber: transcriberChoice,
});

/** Worker → server, besides `ready`: the answers. */
export const inspectEvents = [
  z.object({
    type: z.literal('inspected'),
    facts: mediaFacts,
    isCutOff: z.boolean(),
    thumbnail: z.enum(['jpg', 'png']).nullable(),
  }),
  z.object({ type: z.literal('inspect-failed'), message: z.string() }),
  /** The answer to `inspect-font`; or `inspect-failed`. */
  z.object({
    type: z.literal('font-inspected'),
    family: z.string(),
    style: z.enum(['normal', 'italic']),
    minWeight: z.number(),
    maxWeight: z.number(),
    /** A shipped family has this name. */
    isShipped: z.boolean(),
  }),
  /** The answer to `list-fonts`. */
  z.object({
    type: z.literal('fonts'),
    bundled: z.array(z.string()),
    installed: z.array(z.string()),
  }),
  /** The answer to `sound`: seconds, or null if the document is silent. */
  z.object({ type: z.literal('sound-made'), duration: z.number().nullable() }),
  /** The answer to `proxy`: its name in the folder. */
  z.object({ type: z.literal('proxy-made'), name: z.string().regex(/^[0-9a-f]{64}\.mp4$/) }),
  z.object({ type: z.literal('proxy-failed'), message: z.string(), stack: z.string().optional() }),
  /** The answer to `read-sheet`: names of all sheets, and the one that was read. */
  z.object({ type: z.literal('sheet-read'), sheets: z.array(z.string()), sheet: z.number() }),
  z.object({ type: z.literal('sheet-refused'), message: z.string() }),
  /** The answer to `transcribe`: how many words there are. */
  z.object({ type: z.literal('transcribed'), words: z.number() }),
  z.object({
    type: z.literal('transcribe-failed'),
    message: z.string(),
    /** The recogniser's own end, or that of its recording; else something is wrong with the program. */
    known: z.boolean(),
    stack: z.string().optional(),
  }),
  z.object({ type: z.literal('sound-failed'), message: z.string(), stack: z.string().optional() }),
] as const;

export type InspectMessage = z.infer<typeof inspectMessage>;
export type SoundMessage = z.infer<typeof soundMessage>;
export type ProxyMessage = z.infer<typeof proxyMessage>;
export type ReadSheetMessage = z.infer<typeof readSheetMessage>;
export type TranscribeMessage = z.infer<typeof transcribeMessage>;
export type ListFontsMessage = z.infer<typeof listFontsMessage>;
export type InspectFontMessage = z.infer<typeof inspectFontMessage>;
export type InspectEvent = z.infer<(typeof inspectEvents)[number]>;
