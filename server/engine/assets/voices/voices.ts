/**
 * Phase 1, voices: a text to a sound, by whom the settings name. Runs in the worker. What was spoken once is kept,
 * named by text, voice and settings.
 */
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { voiceLimits } from '../../../../shared/limits.ts';
import {
  readProvider,
  readVoiceLine,
  voiceFor,
  type Provider,
  type SpokenText,
  type VoiceTarget,
} from '../../../../shared/renderscript/voices.ts';
import { renameOver } from '../../../system/files.ts';
import { keptFiles } from '../../../system/kept-files.ts';
import { voiceFolder } from '../../../system/voice-folder.ts';
import { askVoice, type VoiceKeys } from './voice-service.ts';
import { speakHere, systemProgram } from './system-voice.ts';

/** Who may speak. */
export interface Voices {
  /** Lines of the setting `voices`. */
  readonly lines: readonly string[];
  readonly keys: VoiceKeys;
}

/** What speaking needs. */
export interface SpeakOptions {
  readonly voices?: Voices | undefined;
  /** A preview: only the computer itself speaks anew, because others cost money or time at every letter typed. */
  readonly isTrial?: boolean | undefined;
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
}

/** Raise it when the same text would sound otherwise. */
const version = 1;

/**
 * Speaks a text into a file, whose content tells its format.
 *
 * @throws RenderError `voice_missing`, `voice_failed`, `limit_exceeded`, `cancelled`; the message is only the reason.
 */
export async function speak(
  { provider: written, text }: SpokenText,
  filePath: string,
  { voices, isTrial = false, cacheFolder, signal }: SpeakOptions,
): Promise<void> {
  const { length: letters } = text;
  if (letters > voiceLimits.letters) {
    const message = `The text has ${letters} characters; a voice speaks at most ${voiceLimits.letters}`;
    throw new RenderError('limit_exceeded', message);
  }
  const provider = readProvider(written);
  const lines = (voices?.lines ?? []).flatMap((line) => readVoiceLine(line) ?? []);
  const target = voiceFor(provider, lines);
  if (!target) throw new RenderError('voice_missing', withoutVoice(provider));
  const kept = path.join(voiceFolder(cacheFolder), keptName(provider, target, text));
  if (await takeKept(kept, filePath)) return;
  if (isTrial && target.kind !== 'system') {
    const message =
      'The preview is silent here: this voice speaks when it is rendered, or once Hear is pressed';
    throw new RenderError('voice_missing', message);
  }
  const keys = voices?.keys ?? {};
  try {
    if (target.kind === 'system') await speakHere(text, filePath, { voice: target.voice, signal });
    else await askVoice(text, filePath, { provider, target, keys, signal });
  } catch (error) {
    await rm(filePath, { force: true });
    throw error;
  }
  await keep(filePath, kept);
}

/** What to do where no one speaks for a provider. */
function withoutVoice({ name }: Provider): string {
  const line = `add a line such as '${name}: system' to the setting 'voices' (Settings, Speech and voices)`;
  const { package: program } = systemProgram(process.platform);
  return `No voice is set for '${name}': ${line}${program === null ? '' : ` and install ${program}`}`;
}

function keptName(provider: Provider, target: VoiceTarget, text: string): string {
  // Of the document's options, a voice of the computer has none.
  const options = target.kind === 'system' ? null : provider;
  const told = JSON.stringify([version, process.platform, target, options, text]);
  return createHash('sha256').update(told).digest('hex').slice(0, 40);
}

/** True if it was there. */
async function takeKept(kept: string, filePath: string): Promise<boolean> {
  try {
    await copyFile(kept, filePath);
    const now = new Date();
    await utimes(kept, now, now).catch(() => undefined);
    return true;
  } catch {
    return false;
  }
}

/** A full or read-only disk is no reason to fail a render whose words are spoken. */
async function keep(filePath: string, kept: string): Promise<void> {
  const part = `${kept}.${randomUUID()}.part`;
  try {
    await mkdir(path.dirname(kept), { recursive: true });
    await copyFile(filePath, part);
    await renameOver(part, kept);
    await tidy(path.dirname(kept));
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Those that were heard longest ago go. */
async function tidy(folder: string): Promise<void> {
  if ((await readdir(folder)).length <= voiceLimits.kept) return;
  const files = await keptFiles(folder);
  for (const { name } of files.slice(0, -voiceLimits.kept))
    await rm(path.join(folder, name), { force: true });
}
