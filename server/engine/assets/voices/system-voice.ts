/**
 * The computer's own voice: `say` of macOS, the voices of Windows, espeak-ng elsewhere. Runs in the worker. Text and
 * file never become part of a command line that a shell reads.
 */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { voiceLimits } from '../../../../shared/limits.ts';
import { environmentWith, runProgram } from '../../../system/programs.ts';
import { renameOver } from '../../../system/files.ts';

/** A voice of the computer. */
export interface SystemVoice {
  /** What chooses it: its name, or for espeak-ng its language. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** BCP 47, e.g. `en-GB`; null if the system does not say. */
  readonly language: string | null;
}

/** A program that speaks a text file into a wav. */
export interface SystemProgram {
  /** Tried in this order. */
  readonly names: readonly string[];
  /** The package that has it; null: it is part of the system. */
  readonly package: string | null;
  readonly args: (files: VoiceFiles) => readonly string[];
  /** Variables for it. */
  readonly environment: (files: VoiceFiles) => Readonly<Record<string, string>>;
  /** Has it list its voices, and reads a line of that; null: it names none. */
  readonly list: {
    readonly args: readonly string[];
    readonly read: (line: string) => SystemVoice | null;
  };
}

/** What is spoken where to. */
export interface VoiceFiles {
  readonly textPath: string;
  readonly wavPath: string;
  /** As the system calls it; null: its usual one. */
  readonly voice: string | null;
}

const noVariables = (): Record<string, string> => ({});

/** Reads all that differs from its environment, so that nothing has to be quoted. */
const windowsScript = [
  'Add-Type -AssemblyName System.Speech',
  '$s = New-Object System.Speech.Synthesis.SpeechSynthesizer',
  'if ($env:VOICE_NAME) { $s.SelectVoice($env:VOICE_NAME) }',
  '$s.SetOutputToWaveFile($env:VOICE_WAV)',
  '$s.Speak([IO.File]::ReadAllText($env:VOICE_TEXT))',
  '$s.Dispose()',
].join('; ');

const windowsList = [
  'Add-Type -AssemblyName System.Speech',
  '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
  '$s = New-Object System.Speech.Synthesis.SpeechSynthesizer',
  '$s.GetInstalledVoices() | ForEach-Object { $_.VoiceInfo.Culture.Name + " " + $_.VoiceInfo.Name }',
].join('; ');

const programs: Readonly<Record<'darwin' | 'win32' | 'other', SystemProgram>> = {
  darwin: {
    names: ['/usr/bin/say'],
    package: null,
    args: ({ textPath, wavPath, voice }) => [
      ...(voice === null ? [] : ['-v', voice]),
      ...['--file-format=WAVE', '--data-format=LEI16@22050', '-o', wavPath, '-f', textPath],
    ],
    environment: noVariables,
    list: {
      args: ['-v', '?'],
      // `Anna (Premium)      de_DE    # Hallo! Ich heiße Anna.`
      read(line) {
        const [, name, language] = /^(\S.*?)\s+([a-z]{2,3}[_-]\w+)\s+#/.exec(line) ?? [];
        if (name === undefined || language === undefined) return null;
        return { name, label: name, language: language.replace('_', '-') };
      },
    },
  },
  win32: {
    names: ['powershell.exe'],
    package: null,
    args: () => ['-NoProfile', '-NonInteractive', '-Command', windowsScript],
    environment: ({ textPath, wavPath, voice }) => ({
      ...{ VOICE_TEXT: textPath, VOICE_WAV: wavPath, VOICE_NAME: voice ?? '' },
    }),
    list: {
      args: ['-NoProfile', '-NonInteractive', '-Command', windowsList],
      // `en-US Microsoft Zira Desktop`
      read(line) {
        const [, language, name] = /^(\S+) (\S.*)$/.exec(line) ?? [];
        return name === undefined || language === undefined
          ? null
          : { name, label: name, language };
      },
    },
  },
  other: {
    names: ['espeak-ng', 'espeak'],
    package: 'espeak-ng',
    // One word with its option: a voice that begins with a hyphen is none.
    args: ({ textPath, wavPath, voice }) => [
      ...(voice === null ? [] : [`-v${voice}`]),
      ...['-b', '1', '-w', wavPath, '-f', textPath],
    ],
    environment: noVariables,
    list: {
      args: ['--voices'],
      // ` 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)`
      read(line) {
        const [, name, label] = /^\s*\d+\s+(\S+)\s+\S+\s+(\S+)/.exec(line) ?? [];
        if (name === undefined || label === undefined) return null;
        return { name, label: label.replaceAll('_', ' '), language: name };
      },
    },
  },
};

/** The program of a system. */
export function systemProgram(platform: NodeJS.Platform): SystemProgram {
  return programs[platform === 'darwin' || platform === 'win32' ? platform : 'other'];
}

/**
 * Speaks a text into a wav.
 *
 * @throws RenderError `voice_missing` without a program, `voice_failed`, `cancelled`
 */
export async function speakHere(
  text: string,
  filePath: string,
  { voice, signal }: { readonly voice: string | null; readonly signal: AbortSignal },
): Promise<void> {
  const program = systemProgram(process.platform);
  const files = { textPath: `${filePath}.txt`, wavPath: `${filePath}.wav`, voice };
  try {
    await writeFile(files.textPath, text);
    for (const name of program.names) {
      if (!(await run(name, program, files, signal))) continue;
      await renameOver(files.wavPath, filePath).catch((cause: unknown) => {
        throw new RenderError('voice_failed', `The voice ${name} wrote no sound`, { cause });
      });
      return;
    }
    const help = program.package === null ? 'repair the system' : `install ${program.package}`;
    const message = `This computer has no voice: ${help}, or name another one in the setting 'voices'`;
    throw new RenderError('voice_missing', message);
  } finally {
    await Promise.all([files.textPath, files.wavPath].map((file) => rm(file, { force: true })));
  }
}

/** The voices of this computer, as it lists them; null if no program speaks here. */
export async function listSystemVoices(): Promise<readonly SystemVoice[] | null> {
  const { names, list } = systemProgram(process.platform);
  for (const name of names) {
    const said = await promisify(execFile)(name, list.args, {
      env: environmentWith('HOME', 'LD_LIBRARY_PATH'),
      timeout: voiceLimits.listTime,
      windowsHide: true,
    }).catch(() => null);
    if (!said) continue;
    const found = said.stdout.split(/\r?\n/).flatMap((line) => list.read(line) ?? []);
    // Of espeak-ng's voices, the first one of a language is the one that its name chooses.
    return [...new Map(found.toReversed().map((voice) => [voice.name, voice])).values()].reverse();
  }
  return null;
}

/** Runs a program to its end. @returns false if it is not installed. @throws RenderError, or as the signal says */
async function run(
  name: string,
  { args, environment }: SystemProgram,
  files: VoiceFiles,
  signal: AbortSignal,
): Promise<boolean> {
  const { code, killer, said, fault } = await runProgram(name, args(files), {
    environment: { ...environmentWith('HOME', 'LD_LIBRARY_PATH'), ...environment(files) },
    signal,
    time: voiceLimits.time,
  });
  if (fault?.code === 'ENOENT') return false;
  if (code === 0) return true;
  const last = said.trim().split('\n').at(-1);
  const why =
    fault?.message ?? (killer === null ? last || `code ${code ?? 'unknown'}` : 'it took too long');
  throw new RenderError('voice_failed', `The voice ${name} stopped: ${why}`);
}
