/** The computer's microphone, by the browser. Window only. */
import { wavHead } from '../../../shared/wav.ts';

/**
 * Why there is none: `refused` by the person or the system; `none` is connected; `busy` with another program; `unsafe`:
 * browsers give it to no page of another computer without https.
 */
export type MicrophoneFault = 'refused' | 'none' | 'busy' | 'unsafe';

/** It can't be had. */
export class NoMicrophone extends Error {
  override readonly name = 'NoMicrophone';
  readonly fault: MicrophoneFault;

  constructor(fault: MicrophoneFault) {
    super(fault);
    this.fault = fault;
  }
}

/** What was recorded: a wav. */
export interface Take {
  readonly sound: Blob;
  readonly seconds: number;
}

/** An open microphone. */
export interface Microphone {
  /** How loud it is now, 0–1. */
  level(): number;
  /** Resolves once it records. */
  start(): Promise<void>;
  /** What was recorded since; null for nothing. */
  stop(): Promise<Take | null>;
  /** Lets it go. */
  close(): void;
}

/** Asks the person for it, if they did not allow it before. @throws NoMicrophone */
export async function openMicrophone(): Promise<Microphone> {
  const stream = await askForStream();
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 1024 });
  context.createMediaStreamSource(stream).connect(analyser);
  void context.resume();
  const moment = new Float32Array(analyser.fftSize);
  let recorder: MediaRecorder | null = null;
  let parts: Blob[] = [];
  return {
    level() {
      analyser.getFloatTimeDomainData(moment);
      return loudnessOf(moment);
    },
    async start() {
      const made = new MediaRecorder(stream);
      recorder = made;
      parts = [];
      made.ondataavailable = ({ data }) => void parts.push(data);
      const begun = new Promise<void>((resolve) => {
        made.onstart = () => resolve();
      });
      made.start();
      await begun;
    },
    async stop() {
      const made = recorder;
      recorder = null;
      if (!made) return null;
      if (made.state !== 'inactive') {
        const ended = new Promise<void>((resolve) => {
          made.onstop = () => resolve();
        });
        made.stop();
        await ended;
      }
      const bytes = await new Blob(parts).arrayBuffer();
      if (bytes.byteLength === 0) return null;
      // What browsers record has no length; a wav has, and every program reads it.
      const decoded = await context.decodeAudioData(bytes);
      const sides = Array.from({ length: decoded.numberOfChannels }, (_, side) =>
        decoded.getChannelData(side),
      );
      const sound = new Blob([wavOf(oneSide(sides), decoded.sampleRate)], { type: 'audio/wav' });
      return { sound, seconds: decoded.duration };
    },
    close() {
      for (const track of stream.getTracks()) track.stop();
      void context.close();
    },
  };
}

const faults: Readonly<Record<string, MicrophoneFault>> = {
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** @throws NoMicrophone */
async function askForStream(): Promise<MediaStream> {
  // The types promise what only safe pages have.
  const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices };
  if (!mediaDevices) throw new NoMicrophone('unsafe');
  try {
    return await mediaDevices.getUserMedia({ audio: true });
  } catch (reason) {
    throw new NoMicrophone((reason instanceof DOMException && faults[reason.name]) || 'refused');
  }
}

/**
 * A sound as a file that everything reads: wav, one side, 16 bits.
 *
 * @param samples −1 to 1; what is louder is cut off.
 * @param rate Samples a second.
 */
export function wavOf(samples: Float32Array, rate: number): ArrayBuffer {
  const head = wavHead(samples.length, { rate, channels: 1, sample: 'int16' });
  const bytes = new Uint8Array(head.length + samples.length * 2);
  bytes.set(head);
  const view = new DataView(bytes.buffer, head.length);
  samples.forEach((sample, index) => {
    const cut = Math.max(-1, Math.min(1, sample));
    view.setInt16(index * 2, Math.round(cut * 32_767), true);
  });
  return bytes.buffer;
}

/** The mean of all sides. */
export function oneSide(sides: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = sides;
  if (sides.length < 2) return first;
  return first.map(
    (_, index) => sides.reduce((sum, side) => sum + (side[index] ?? 0), 0) / sides.length,
  );
}

/** How loud a moment is for the eye: 0 (−60 dB or less) to 1 (as loud as can be). */
export function loudnessOf(samples: Float32Array): number {
  const most = samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
  const decibels = 20 * Math.log10(Math.max(most, 1e-6));
  return Math.max(0, Math.min(1, 1 + decibels / 60));
}
