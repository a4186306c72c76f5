/** What settings may be: as they are stored, and as they are given. For the rows of settings.ts. */
import * as z from 'zod/mini';
import { encodeChoices, type EncodeChoice } from './hardware.ts';
import { readVoiceLine } from './renderscript/voices.ts';
import { allowedHostForm, publicUrlWords } from './listen-address.ts';

/** `low`: renders wait for the server and for other programs; `normal`: they take turns like all others. */
export const renderPriorities = ['low', 'normal'] as const;
export type RenderPriority = (typeof renderPriorities)[number];

/** What of a value only the server's computer can tell. Null: not one. */
export interface Machine {
  readonly isWholePath: (text: string) => boolean;
  /** True for an address as in `Origin`: only scheme, host and port. */
  readonly isOrigin: (text: string) => boolean;
  readonly listenAddress: (text: string) => string | null;
  readonly publicAddress: (text: string) => string | null;
}

/** What a value may be: as it is stored, which older versions wrote, too, and as it is given. */
export interface Form<Value> {
  readonly stored: z.ZodMiniType<Value>;
  readonly given: (machine: Machine) => z.ZodMiniType<Value>;
}

const text = (given: Form<string>['given']): Form<string> => ({ stored: z.string(), given });

const atLeastNothing = (words: string): Form<number> => ({
  stored: z.number(),
  given: () => z.number(words).check(z.minimum(0, words)),
});

/** @param words What it accepts, after "Expected"; so below. */
const list = (words: string, most: number, of: Form<string>): Form<readonly string[]> => ({
  stored: z.readonly(z.array(z.string())),
  given: (machine) =>
    z.array(of.given(machine), words).check(
      z.maxLength(most, words),
      z.overwrite((values: string[]) => [...new Set(values)]),
    ),
});

/** An address that is kept as the server writes it. */
const address = (words: string, read: 'listenAddress' | 'publicAddress'): Form<string> =>
  text((machine) =>
    z.string(words).check(
      z.refine((given: string) => machine[read](given) !== null, words),
      z.overwrite((given: string) => machine[read](given) ?? given),
    ),
  );

/** A whole number in a range. @param orNone What null means. */
export const count = (least: number, most: number, orNone = ''): Form<number> => {
  const words = `a whole number from ${least} to ${most}${orNone}`;
  const range = [z.minimum(least, words), z.maximum(most, words)] as const;
  return { stored: z.number(), given: () => z.int(words).check(...range) };
};

export const flag: Form<boolean> = {
  stored: z.boolean(),
  given: () => z.boolean('true or false'),
};

/** Bytes. */
export const space = atLeastNothing('a size that is at least 0');

export const credits = atLeastNothing(
  'a number of credits that is at least 0, or nothing for no limit',
);

export const priority: Form<RenderPriority> = {
  stored: z.enum(renderPriorities),
  given: () => z.enum(renderPriorities, 'low or normal'),
};

export const encodeWith: Form<EncodeChoice> = {
  stored: z.enum(encodeChoices),
  given: () =>
    z.enum(encodeChoices, `${encodeChoices.slice(0, -1).join(', ')} or ${encodeChoices.at(-1)}`),
};

const fileWords = 'the path of a file';
export const file = text(() => z.string(fileWords).check(z.maxLength(4096, fileWords)));

/** A short text of one line. */
export const line = (words: string, most: number): Form<string> =>
  text(() =>
    z.string(words).check(
      z.maxLength(most, words),
      z.refine((given: string) => !/[\r\n]/.test(given), words),
    ),
  );

const languageWords = 'a language such as de, or nothing to have it recognised';
export const language = text(() =>
  z.string(languageWords).check(z.regex(/^[a-z]{2,3}$/, languageWords)),
);

const serviceWords = 'the address of a service, e.g. http://127.0.0.1:8000/v1';
export const service = text(() =>
  z
    .string(serviceWords)
    .check(z.maxLength(1000, serviceWords), z.regex(/^https?:\/\/[^\s/]+/, serviceWords)),
);

const folderWords = 'the whole path of a folder';
export const folder = text(({ isWholePath }) =>
  z.string(folderWords).check(
    z.maxLength(4096, folderWords),
    z.refine((path: string) => isWholePath(path), folderWords),
  ),
);

export const folders = list('at most 50 whole paths of folders', 50, folder);

export const listenAddress = address(
  'an IP address of this computer, e.g. 127.0.0.1 for this computer alone or 0.0.0.0 for all networks',
  'listenAddress',
);

export const publicAddress = address(
  `${publicUrlWords}, or nothing for the address of each request`,
  'publicAddress',
);

const hostWords = 'at most 20 names without http://, e.g. server.lan';
const host = text(() =>
  z.string(hostWords).check(
    z.regex(allowedHostForm, hostWords),
    z.overwrite((name: string) => name.toLowerCase()),
  ),
);
export const hosts = list(hostWords, 20, host);

const originWords =
  'at most 20 addresses of web pages without a path and of at most 300 characters, e.g. http://localhost:3000';
const origin = text(({ isOrigin }) =>
  z.string(originWords).check(
    z.maxLength(300, originWords),
    z.refine((given: string) => isOrigin(given), originWords),
  ),
);
const voiceWords =
  'at most 50 lines that say who speaks, e.g. elevenlabs: system, or openai: http://localhost:8880/v1 voice=af_sky';
const voice = text(() =>
  z.string(voiceWords).check(
    z.maxLength(500, voiceWords),
    z.refine((line: string) => readVoiceLine(line) !== null, voiceWords),
  ),
);
export const voices = list(voiceWords, 50, voice);

export const origins = list(originWords, 20, origin);
