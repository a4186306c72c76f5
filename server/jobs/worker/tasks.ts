/**
 * What a worker can do, as rows: what is sent and what is answered, what its process is ended for (vitals.ts), and what
 * a person is told when there is no answer (task-faults.ts). A new one is a row here and one in
 * server/processes/worker-tasks.ts, which does it; who asks goes through ask-worker.ts.
 */
import { z } from 'zod';
import { checkReport } from '../../../shared/api/check.ts';
import { handedOver } from '../../../shared/api/handover.ts';
import { libraryFacts } from '../../../shared/api/media.ts';
import { mediaKinds } from '../../../shared/renderscript/source.ts';
import { handoverNames } from '../../../shared/handover.ts';
import { hardwareCodecs, hardwareFamilies } from '../../../shared/hardware.ts';
import { markerList } from '../../../shared/markers.ts';
import {
  checkLimits,
  fileTrialLimits,
  fontLibraryLimits,
  hardwareLimits,
  mediaLibraryLimits,
  proxyLimits,
  soundLimits,
  spreadsheetLimits,
  voiceLimits,
  workLimits,
} from '../../../shared/limits.ts';
import { engineSettings, sentDocument, transcriberChoice } from './engine-settings.ts';
import { build, renderInput, renderOutput, renderProgress } from './render-protocol.ts';
import type { VitalLimits } from './vitals.ts';

/** Everything needed for one picture. */
const previewInput = z.object({
  /** The document after modifications. */
  source: sentDocument,
  /** Paths of elements that are left out of the picture, e.g. `elements[2]`. */
  hidden: z.array(z.string()),
  /** Seconds. */
  time: z.number(),
  /** Longest side of the picture in pixels; smaller documents are not made larger. */
  side: z.number(),
  /** True to also get what a page needs to draw the document itself. */
  kit: z.boolean(),
  /** Media stay here between questions. */
  workFolder: z.string(),
  ...engineSettings,
});

const problem = z.object({
  path: z.string(),
  element: z.string(),
  property: z.string(),
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  instead: z.string().exactOptional(),
});

const plane = z.object({
  corners: z.array(z.number()).readonly(),
  width: z.number(),
  height: z.number(),
});

/** What was drawn; see `PreviewFacts` in shared/preview.ts. */
const previewFacts = z.object({
  width: z.number(),
  height: z.number(),
  documentWidth: z.number(),
  documentHeight: z.number(),
  scale: z.number(),
  time: z.number(),
  frame: z.number(),
  frameCount: z.number(),
  frameRate: z.number(),
  duration: z.number(),
  elements: z.array(
    z.object({
      path: z.string(),
      name: z.string(),
      type: z.string(),
      track: z.number(),
      start: z.number(),
      duration: z.number(),
    }),
  ),
  lengths: z.record(z.string(), z.number()),
  outlines: z.record(
    z.string(),
    plane.extend({ inside: plane.exactOptional(), picture: plane.exactOptional() }),
  ),
  overflows: z.array(problem).readonly(),
  warnings: z.array(problem).readonly(),
});

/** A `LiveKit` of shared/engine/live-kit.ts as text, which only pages read, and the files that it lists. */
const kit = z.object({ text: z.string(), files: z.array(z.string()).readonly() });

/** The picture, a jpg or png in base64. */
const previewOutput = z.object({
  facts: previewFacts,
  picture: z.base64(),
  kit: kit.nullable(),
});

const { fontFolder, ffmpegPath, limits, cacheFolder, voices } = engineSettings;

interface TaskRow {
  readonly input: z.ZodType;
  /** What it reports on the way. Absent: signs of life alone. */
  readonly progress?: z.ZodType;
  readonly output: z.ZodType;
  /** What its process is ended for; null: nobody watches, because it has other work. */
  readonly limits: Partial<VitalLimits> | null;
  readonly words: TaskWords | null;
}

/** What is said when there is no output. */
export interface TaskWords {
  /** Where the log has the rest. */
  readonly log: string;
  /** No answer in time. */
  readonly late: string;
  /** The process ended; absent: how. */
  readonly ended?: string;
  /** A bug; absent: what the worker says. */
  readonly bug?: string;
}

/** A question has a process of its own, which is ended as soon as it takes more memory than it may. */
const question = (time: number): Partial<VitalLimits> => ({ time, burst: 1 });

/** What transcribing hours of speech takes on a slow computer, in ms. */
const hoursOfSpeech = 12 * 3_600_000;

/** The rows, by name. */
export const tasks = {
  /** A file from a document. */
  render: {
    input: renderInput,
    progress: renderProgress,
    output: renderOutput,
    limits: {
      silence: workLimits.silence,
      step: workLimits.step,
      frameless: workLimits.frameless,
      idle: workLimits.idle,
      time: workLimits.renderTime,
      cancel: workLimits.cancelTime,
    },
    words: null,
  },
  /** Facts of a file for the media library. */
  inspect: {
    input: z.object({
      filePath: z.string(),
      /** Without its ending. */
      thumbnailPath: z.string(),
      workFolder: z.string(),
      fontFolder,
      ffmpegPath,
      limits,
    }),
    output: z.object({
      facts: libraryFacts,
      isCutOff: z.boolean(),
      thumbnail: z.enum(['jpg', 'png']).nullable(),
    }),
    limits: question(mediaLibraryLimits.inspectTime),
    words: {
      log: 'media',
      late: 'It took too long to look at the file',
      ended: 'The file ends the program that looks at it',
      bug: "The file can't be read",
    },
  },
  /** Facts of a font file. */
  'inspect-font': {
    input: z.object({ filePath: z.string(), fontFolder }),
    output: z.object({
      family: z.string(),
      style: z.enum(['normal', 'italic']),
      minWeight: z.number(),
      maxWeight: z.number(),
      /** A shipped family has this name. */
      isShipped: z.boolean(),
    }),
    limits: question(fontLibraryLimits.inspectTime),
    words: {
      log: 'fonts',
      late: 'it took too long to look at it',
      ended: 'it ends the program that looks at it',
      bug: "it can't be read",
    },
  },
  /** The font families that texts can use. */
  'list-fonts': {
    input: z.object({ fontFolder }),
    output: z.object({ bundled: z.array(z.string()), installed: z.array(z.string()) }),
    limits: question(workLimits.startTime),
    words: { log: 'fonts', late: 'it gave no answer' },
  },
  /** A document's sound as a file. */
  sound: {
    input: z.object({
      /** The document after modifications. */
      source: sentDocument,
      soundPath: z.string(),
      /** Seconds. */
      longest: z.number(),
      workFolder: z.string(),
      ...engineSettings,
    }),
    /** Seconds, or null if the document is silent. */
    output: z.object({ duration: z.number().nullable() }),
    limits: question(soundLimits.time),
    words: {
      log: 'sound',
      late: 'It took too long to mix the sound',
      ended: 'The sound ends the program that mixes it',
    },
  },
  /** A small copy of a video, for browsers. */
  proxy: {
    input: z.object({
      filePath: z.string(),
      /** Where copies are kept, by the content of what they are copies of. */
      folder: z.string(),
      workFolder: z.string(),
      ffmpegPath,
    }),
    /** Its name in the folder. */
    output: z.object({ name: z.string().regex(/^[0-9a-f]{64}\.mp4$/) }),
    limits: question(proxyLimits.time),
    words: {
      log: 'proxy',
      late: 'It took too long to copy',
      ended: 'The video ends the program that copies it',
    },
  },
  /** A sheet of a spreadsheet, whose rows are written as JSON. */
  'read-sheet': {
    input: z.object({
      filePath: z.string(),
      rowsPath: z.string(),
      /** Its place, from 1. */
      sheet: z.number(),
    }),
    /** Names of all sheets, and the one that was read. */
    output: z.object({ sheets: z.array(z.string()), sheet: z.number() }),
    limits: question(spreadsheetLimits.time),
    /** Its reader refuses the file in words of its own. */
    words: null,
  },
  /** Whether renders can use files. */
  'try-files': {
    input: z.object({
      files: z.array(
        z.object({
          /** As a document names it. */
          source: z.string(),
          kind: z.enum([...mediaKinds, 'font', 'lut']),
          /** The element that wants it. */
          element: z.string(),
          smartCrop: z.boolean(),
        }),
      ),
      atOnce: z.number(),
      workFolder: z.string(),
      ...engineSettings,
    }),
    /** One by one: the place of a file in the list, and why renders can't use it. */
    progress: z.object({
      index: z.number(),
      fault: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
    output: z.object({}),
    limits: question(fileTrialLimits.time),
    words: {
      log: 'feeds',
      late: 'It took too long to look at the files',
      ended: 'The file ends the program that looks at it',
    },
  },
  /** Everything that can go wrong with a document's render, and what it will take. */
  check: {
    input: z.object({
      /** The document after modifications. */
      source: sentDocument,
      /** What the language's own checker says of it. */
      problems: z.array(problem),
      /** How the render would be scaled. */
      scaling: z.object({
        renderScale: z.number().optional(),
        maxWidth: z.number().optional(),
        maxHeight: z.number().optional(),
      }),
      workFolder: z.string(),
      ...engineSettings,
    }),
    output: z.object({ report: checkReport }),
    limits: question(checkLimits.time),
    words: {
      log: 'check',
      late: 'it took too long to look at its files',
    },
  },
  /** A document as a file for editing programs or players. */
  'hand-over': {
    input: z.object({
      /** The document after modifications, without errors. */
      source: sentDocument,
      form: z.enum(handoverNames),
      /** Of the film; '' = none. */
      name: z.string(),
      markers: markerList,
      /** True to have recordings transcribed for captions; false: their words must be known. */
      transcribes: z.boolean(),
      longest: z.number().exactOptional(),
      workFolder: z.string(),
      ...engineSettings,
    }),
    output: z.object({ file: handedOver }),
    limits: question(hoursOfSpeech),
    words: {
      log: 'hand-over',
      late: 'it took too long to look at its files',
    },
  },
  /** The words of a recording, to be kept for renders. */
  transcribe: {
    input: z.object({
      /** A file that is there, or one as documents name it, with what may be read. */
      recording: z.union([
        z.object({ filePath: z.string() }),
        z.object({
          source: z.string(),
          mediaFolders: engineSettings.mediaFolders,
          hiddenMedia: engineSettings.hiddenMedia,
          allowPrivateAddresses: engineSettings.allowPrivateAddresses,
          ownPorts: engineSettings.ownPorts,
          cacheLimit: engineSettings.cacheLimit,
          limits,
        }),
      ]),
      workFolder: z.string(),
      cacheFolder,
      ffmpegPath,
      transcriber: transcriberChoice,
    }),
    /** The share that is done, 0–1. */
    progress: z.number(),
    /** How many words there are, in which language, and the file that has them. */
    output: z.object({ words: z.number(), language: z.string().nullable(), place: z.string() }),
    limits: question(hoursOfSpeech),
    words: {
      log: 'transcribe',
      late: 'It took too long',
      ended: 'The recording ends the program that transcribes it',
    },
  },
  /** A text as a sound, which is kept for previews and renders. */
  speak: {
    input: z.object({
      /** As a document writes it. */
      provider: z.string(),
      text: z.string(),
      /** In the work folder. */
      soundPath: z.string(),
      workFolder: z.string(),
      cacheFolder,
      voices,
    }),
    output: z.object({}),
    /** A little more than the voice has. */
    limits: question(voiceLimits.time + workLimits.startTime),
    words: {
      log: 'voices',
      late: 'it took too long',
      ended: 'it ends the program that asks for it',
      bug: "it can't be asked",
    },
  },
  /** The voices of this computer. */
  'list-voices': {
    input: z.object({}),
    output: z.object({
      /** Null: no program speaks here. */
      found: z
        .array(z.object({ name: z.string(), label: z.string(), language: z.string().nullable() }))
        .readonly()
        .nullable(),
      /** The package that would; null: it is part of the system. */
      package: z.string().nullable(),
    }),
    limits: question(voiceLimits.listTime + workLimits.startTime),
    words: { log: 'voices', late: 'it gave no answer' },
  },
  /** Which encoders of hardware work. */
  'try-hardware': {
    input: z.object({
      /** Null: all that ffmpeg lists. */
      family: z.enum(hardwareFamilies).nullable(),
      /** Tries what is known, too. */
      again: z.boolean(),
      workFolder: z.string(),
      cacheFolder,
      ffmpegPath,
    }),
    output: z.object({
      found: z.array(
        z.object({
          family: z.enum(hardwareFamilies),
          codecs: z.array(
            z.object({ codec: z.enum(hardwareCodecs), reason: z.string().nullable() }),
          ),
        }),
      ),
    }),
    // Where each of them hangs.
    limits: question(
      hardwareFamilies.length * hardwareCodecs.length * hardwareLimits.trialTime +
        workLimits.startTime,
    ),
    words: {
      log: 'hardware',
      late: 'it took too long to try its encoders',
      ended: 'an encoder ends the program that tries it',
      bug: 'its encoders can’t be tried',
    },
  },
  /** One picture for the editor. While it draws it does not hear a cancel. */
  preview: {
    input: previewInput,
    output: previewOutput,
    limits: {
      silence: workLimits.silence,
      step: workLimits.previewStep,
      time: 120_000,
      deaf: workLimits.cancelTime,
    },
    words: null,
  },
  /** Draws the known picture (server/engine/known-picture.ts), to test whether the worker can draw at all. */
  prove: {
    input: z.object({
      fontFolder,
      /** For its files. That it can't be made is a problem as any other. */
      folder: z.string(),
    }),
    /** Null if the picture is right. */
    output: z.object({ problem: z.string().nullable() }),
    limits: { time: workLimits.startTime },
    words: { log: 'worker', late: 'it did not draw its own picture in time' },
  },
  /** Finds ffmpeg, without which no film starts. */
  'find-encoder': {
    input: z.object({
      ffmpegPath,
      /** Also tell what films follow from; with the folder of shipped fonts. Absent: no. */
      fontFolder: fontFolder.optional(),
    }),
    output: z.object({
      found: z.object({
        path: z.string(),
        version: z.string(),
        ownFilesOnly: z.boolean(),
        cage: z.enum(['network and limits', 'network', 'limits', 'none']),
        endsWithWorker: z.boolean(),
      }),
      build: build.exactOptional(),
    }),
    limits: null,
    words: null,
  },
} as const satisfies Record<string, TaskRow>;

/** What can be asked at any time, also during other work. */
export const asides: ReadonlySet<string> = new Set<TaskName>(['find-encoder']);

export type TaskName = keyof typeof tasks;
export type TaskInput<Name extends TaskName> = z.infer<(typeof tasks)[Name]['input']>;
export type TaskProgress<Name extends TaskName> = (typeof tasks)[Name] extends {
  progress: infer Schema extends z.ZodType;
}
  ? z.infer<Schema>
  : never;
export type TaskOutput<Name extends TaskName> = z.infer<(typeof tasks)[Name]['output']>;
