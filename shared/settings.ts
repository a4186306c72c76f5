/**
 * THE TABLE of settings: what each may be, how it is at first, what it means, and its control on the page. Store, API,
 * command line, help and window are made from it. Shared by window and server.
 */
import * as z from 'zod/mini';
import type { desktopSwitches } from './desktop.ts';
import {
  cacheLimit,
  concurrencyLimit,
  mostPaintingThreads,
  outputLimits,
  requestLogLimits,
  versionLimits,
} from './limits.ts';
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
interface Form<Value> {
  readonly stored: z.ZodMiniType<Value>;
  readonly given: (machine: Machine) => z.ZodMiniType<Value>;
}

/** How the window shows a setting. `none`: there is a word for null. */
type Control =
  /** `on`, `off`: other values than true and false. */
  | { readonly kind: 'switch'; readonly on?: string; readonly off?: string }
  /** A field. `unit`: the field has so many of them less. `isDecimal`: fractions are usual. */
  | {
      readonly kind: 'number';
      readonly unit?: number;
      readonly isDecimal?: true;
      readonly none?: true;
    }
  /** The numbers from 1. */
  | { readonly kind: 'select'; readonly most: number; readonly none?: true }
  | {
      readonly kind: 'text';
      readonly choose?: 'file' | 'folder';
      readonly example?: string;
      readonly none?: true;
    }
  /** `isCut`: slashes at the end go, which address bars show. */
  | {
      readonly kind: 'list';
      readonly choose?: 'folder';
      readonly example?: string;
      readonly isCut?: true;
    }
  /** Its section draws it. */
  | { readonly kind: 'own' }
  /** Work rather than a setting: the page lacks it, and resetting leaves it. */
  | { readonly kind: 'none' };

/** What is known of a setting beside its form. */
interface Facts<Value> {
  /** At first. Null: may be null, which is what `meaning` says, else: as given at the start of the program. */
  readonly first: Value | null;
  /** For the API's documents. */
  readonly meaning: string;
  readonly control: Control;
  /**
   * Whether the start of the program may name it, which then holds: `always` has a value there, `perhaps` none. `more`:
   * the start adds to a list.
   */
  readonly atStart?: 'always' | 'perhaps' | 'more';
  /** Which files, programs and addresses of the computer the server uses: no key changes it from elsewhere. */
  readonly isOnlyThere?: true;
  /** It takes effect in the desktop program alone. */
  readonly isDesktops?: true;
}

/** What a setting accepts, after "Expected". */
const words = {
  credits: 'a number of credits that is at least 0, or nothing for no limit',
  flag: 'true or false',
  path: 'the path of a file',
  folder: 'the whole path of a folder',
  folders: 'at most 50 whole paths of folders',
  space: 'a size that is at least 0',
  priority: 'low or normal',
  host: 'an IP address of this computer, e.g. 127.0.0.1 for this computer alone or 0.0.0.0 for all networks',
  hosts: 'at most 20 names without http://, e.g. server.lan',
  publicUrl: `${publicUrlWords}, or nothing for the address of each request`,
  origins:
    'at most 20 addresses of web pages without a path and of at most 300 characters, e.g. http://localhost:3000',
};

/** A text. @param given its further checks */
const text = (said: string, ...given: readonly z.core.$ZodCheck<string>[]): Form<string> => ({
  stored: z.string(),
  given: () => z.string(said).check(...given),
});
/** A whole number in a range. */
const count = (least: number, most: number, orNone = ''): Form<number> => {
  const said = `a whole number from ${least} to ${most}${orNone}`;
  const range = [z.minimum(least, said), z.maximum(most, said)] as const;
  return { stored: z.number(), given: () => z.int(said).check(...range) };
};
const atLeastNothing = (said: string): Form<number> => ({
  stored: z.number(),
  given: () => z.number(said).check(z.minimum(0, said)),
});
const list = (said: string, most: number, of: Form<string>): Form<readonly string[]> => ({
  stored: z.readonly(z.array(z.string())),
  given: (machine) =>
    z.array(of.given(machine), said).check(
      z.maxLength(most, said),
      z.overwrite((values: string[]) => [...new Set(values)]),
    ),
});
const flag: Form<boolean> = { stored: z.boolean(), given: () => z.boolean(words.flag) };
const space = atLeastNothing(words.space);
const file = text(words.path, z.maxLength(4096, words.path));
const folder: Form<string> = {
  stored: z.string(),
  given: ({ isWholePath }) =>
    z.string(words.folder).check(
      z.maxLength(4096, words.folder),
      z.refine((path: string) => isWholePath(path), words.folder),
    ),
};
/** An address that is kept as the server writes it. */
const address = (said: string, form: 'listenAddress' | 'publicAddress'): Form<string> => ({
  stored: z.string(),
  given: (machine) =>
    z.string(said).check(
      z.refine((given: string) => machine[form](given) !== null, said),
      z.overwrite((given: string) => machine[form](given) ?? given),
    ),
});
const origin: Form<string> = {
  stored: z.string(),
  given: ({ isOrigin }) =>
    z.string(words.origins).check(
      z.maxLength(300, words.origins),
      z.refine((given: string) => isOrigin(given), words.origins),
    ),
};
const host = text(
  words.hosts,
  z.regex(allowedHostForm, words.hosts),
  z.overwrite((name: string) => name.toLowerCase()),
);

/** A row of the table. */
function row<Value, const More extends Facts<Value>>(
  form: Form<Value>,
  more: More,
): More & { readonly form: Form<Value> } {
  return { ...more, form };
}

/** Settings of the server, in the order in which the API names them. */
export const serverSettings = {
  port: row(count(1024, 65_535), {
    first: null,
    meaning: 'Port of the API.',
    control: { kind: 'number' },
    atStart: 'always',
  }),
  host: row(address(words.host, 'listenAddress'), {
    first: null,
    meaning:
      'Address that the API listens at: 127.0.0.1 for this computer alone, 0.0.0.0 for all networks.',
    control: { kind: 'own' },
    atStart: 'always',
  }),
  allowedHosts: row(list(words.hosts, 20, host), {
    first: [],
    meaning: 'Names that the API answers to beside its own, e.g. server.lan.',
    control: { kind: 'list', example: 'server.lan' },
    atStart: 'more',
  }),
  publicUrl: row(address(words.publicUrl, 'publicAddress'), {
    first: null,
    meaning:
      'The address that all links begin with, e.g. https://films.example.com/framewright; null: the one that each request used.',
    control: { kind: 'text', example: 'https://films.example.com' },
    atStart: 'perhaps',
    isOnlyThere: true,
  }),
  trustProxy: row(flag, {
    first: null,
    meaning:
      'Whether X-Forwarded-Host and X-Forwarded-Proto are read: only behind a proxy that sets both itself.',
    control: { kind: 'switch' },
    atStart: 'always',
    isOnlyThere: true,
  }),
  allowPrivateAddresses: row(flag, {
    first: null,
    meaning:
      'Whether media and webhooks may reach this computer and its network; null: while only this computer reaches the API.',
    control: { kind: 'own' },
    atStart: 'perhaps',
    isOnlyThere: true,
  }),
  outputFolder: row(folder, {
    first: null,
    meaning: 'Where finished files go. Earlier ones are still found.',
    control: { kind: 'text', choose: 'folder' },
    atStart: 'always',
    isOnlyThere: true,
  }),
  copyFolder: row(folder, {
    first: null,
    meaning: 'Where “Save a copy” of the desktop begins; null: where the system says.',
    control: { kind: 'text', choose: 'folder', none: true },
    isOnlyThere: true,
    isDesktops: true,
  }),
  backupFolder: row(folder, {
    first: null,
    meaning: 'Where backups go that a person or program asks for; null: into the data folder.',
    control: { kind: 'text', choose: 'folder', none: true },
    isOnlyThere: true,
  }),
  mediaFolders: row(list(words.folders, 50, folder), {
    first: [],
    meaning: 'Folders that `file:` and relative sources may lie in.',
    control: { kind: 'list', choose: 'folder' },
    atStart: 'more',
    isOnlyThere: true,
  }),
  ffmpegPath: row(file, {
    first: null,
    meaning: 'The ffmpeg to use; null: the one that is found.',
    control: { kind: 'text', choose: 'file', none: true },
    atStart: 'perhaps',
    isOnlyThere: true,
  }),
  rateLimit: row(flag, {
    first: null,
    meaning: 'Whether the number of requests is limited.',
    control: { kind: 'switch' },
    atStart: 'always',
  }),
  creditAllowance: row(atLeastNothing(words.credits), {
    first: null,
    meaning: 'Credits for the renders of 30 days; null: unlimited.',
    control: { kind: 'number', isDecimal: true, none: true },
  }),
  concurrency: row(count(1, concurrencyLimit), {
    first: null,
    meaning: 'Renders at the same time.',
    control: { kind: 'select', most: concurrencyLimit },
    atStart: 'always',
  }),
  queuePaused: row(flag, {
    first: false,
    meaning: 'Renders stay planned.',
    control: { kind: 'none' },
  }),
  deletionPaused: row(flag, {
    first: false,
    meaning: 'Nothing that has expired is removed.',
    control: { kind: 'none' },
  }),
  allowedOrigins: row(list(words.origins, 20, origin), {
    first: [],
    meaning: 'Web pages that may call the API, e.g. http://localhost:3000.',
    control: { kind: 'list', example: 'http://localhost:3000', isCut: true },
  }),
  startApi: row(flag, {
    first: true,
    meaning: 'Whether the API is on from the start of the program.',
    control: { kind: 'switch' },
  }),
  requestLogSize: row(count(0, requestLogLimits.most), {
    first: requestLogLimits.usual,
    meaning: 'How many requests the list of requests in the window keeps.',
    control: { kind: 'number' },
  }),
  templateVersions: row(count(0, versionLimits.most), {
    first: versionLimits.usual,
    meaning: 'How many earlier versions of each template are kept.',
    control: { kind: 'number' },
  }),
  pauseOnBattery: row(flag, {
    first: true,
    meaning: 'Nothing starts while the battery is low.',
    control: { kind: 'switch' },
  }),
  freeSpaceLimit: row(space, {
    first: outputLimits.freeBytes,
    meaning:
      'With fewer free bytes on the drive of the output folder, nothing starts; 0: no limit.',
    control: { kind: 'number', unit: 1e9, isDecimal: true },
  }),
  keepAwake: row(flag, {
    first: true,
    meaning: 'The desktop program keeps the computer from sleeping while something renders.',
    control: { kind: 'switch' },
    isDesktops: true,
  }),
  paintingThreads: row(count(1, mostPaintingThreads, ', or nothing for as many as pay'), {
    first: null,
    meaning: 'Threads that paint one film; null: as many as pay.',
    control: { kind: 'select', most: mostPaintingThreads, none: true },
  }),
  renderPriority: row(
    {
      stored: z.enum(renderPriorities),
      given: () => z.enum(renderPriorities, words.priority),
    },
    {
      first: 'low',
      meaning:
        'low: rendering gives way to other programs; normal: it takes turns like all others.',
      control: { kind: 'switch', on: 'low', off: 'normal' },
    },
  ),
  cacheLimit: row(space, {
    first: cacheLimit,
    meaning: 'Bytes of downloads that are kept between renders; 0: none.',
    control: { kind: 'number', unit: 1e9, isDecimal: true },
  }),
  transcriber: row(file, {
    first: null,
    meaning: 'Program of whisper.cpp, for captions; null: as the environment says.',
    control: { kind: 'text', choose: 'file', none: true },
    isOnlyThere: true,
  }),
  transcriberModel: row(file, {
    first: null,
    meaning: 'Its model; null: as the environment says.',
    control: { kind: 'text', choose: 'file', none: true },
    isOnlyThere: true,
  }),
} as const;

type Rows = typeof serverSettings;
/** A setting of the server. */
export type SettingName = keyof Rows;
/** All of them. */
export const settingNames = Object.keys(serverSettings) as SettingName[]; // the table's own

type ValueOf<Name extends SettingName> =
  z.output<Rows[Name]['form']['stored']> | Extract<Rows[Name]['first'], null>;
/** The settings as they are stored. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<Name> };

type NamesWith<Fact> = {
  [Name in SettingName]: Rows[Name] extends Fact ? Name : never;
}[SettingName];
/** A setting that can be named at the program's start. */
export type FixedSetting = NamesWith<{ readonly atStart: 'always' | 'perhaps' }>;
type AlwaysSet = NamesWith<{ readonly atStart: 'always' }>;
/** A setting with such a control. */
export type SettingWith<Kind extends Control['kind']> = NamesWith<{
  readonly control: { readonly kind: Kind };
}>;
/** A setting that the page shows. */
export type ShownSetting = Exclude<SettingName, SettingWith<'none'>>;
/** The settings as they are in force: what the start said has a value. */
export type SettingsInForce = {
  readonly [Name in SettingName]: Name extends AlwaysSet
    ? NonNullable<ValueOf<Name>>
    : ValueOf<Name>;
};

/** Whether a setting has such a control. */
export function hasControl<Kind extends Control['kind']>(
  name: SettingName,
  kind: Kind,
): name is SettingWith<Kind> {
  return serverSettings[name].control.kind === kind;
}

/** What is known of a setting, whichever it is. */
export const factsOf = (name: SettingName): Facts<unknown> => serverSettings[name];

/** Whether there is a word for null. */
export function hasNone(
  name: SettingName,
): name is NamesWith<{ readonly control: { readonly none: true } }> {
  const { control } = serverSettings[name];
  return 'none' in control;
}

/** Settings that can be named at the program's start. */
export const fixedSettings = settingNames.filter((name): name is FixedSetting =>
  ['always', 'perhaps'].includes(factsOf(name).atStart ?? ''),
);

/** Those that the page shows. */
export const shownSettings = settingNames.filter(
  (name): name is ShownSetting => !hasControl(name, 'none'),
);

const mayBeNull = (name: SettingName): boolean => factsOf(name).first === null;
/** Whether null is ever in force: else the start says something. */
export const mayBeNone = (name: SettingName): boolean =>
  mayBeNull(name) && factsOf(name).atStart !== 'always';

/** A schema for each of some settings. */
type Schemas<Values> = { readonly [Name in keyof Values]: z.ZodMiniType<Values[Name]> };

function orNull(form: z.ZodMiniType, isNull: boolean): z.ZodMiniType {
  return isNull ? z.nullable(form) : form;
}

/** As they are stored; what is missing is as at first. */
export const storedForms = Object.fromEntries(
  settingNames.map((name): [SettingName, z.ZodMiniType] => {
    const { form, first } = serverSettings[name];
    return [name, z._default(orNull(form.stored, mayBeNull(name)), first)];
  }),
) as Schemas<SettingValues>; // by the names of the table

/** What the window is told of those that it shows. */
export const shownForms = Object.fromEntries(
  shownSettings.map((name) => [name, orNull(serverSettings[name].form.stored, mayBeNone(name))]),
) as Schemas<Pick<SettingsInForce, ShownSetting>>; // by the names of the table

/** What is accepted. */
export const givenForms = (machine: Machine): Schemas<SettingValues> =>
  Object.fromEntries(
    settingNames.map((name) => [
      name,
      orNull(serverSettings[name].form.given(machine), mayBeNull(name)),
    ]),
  ) as Schemas<SettingValues>; // by the names of the table

/** What the window keeps itself. */
export const ownSettings = ['theme', 'language', 'density', 'notify', 'filePattern'] as const;
export type OwnSetting = (typeof ownSettings)[number];
/** Any setting of the page: also the window's own, and the switches of the desktop program. */
export type Setting = ShownSetting | OwnSetting | (typeof desktopSwitches)[number];

/** Sections of the page, each with its settings in order. */
export const settingSections = {
  general: ['theme', 'language', 'density', 'templateVersions', 'openAtLogin', 'keepRunning'],
  output: ['outputFolder', 'freeSpaceLimit', 'copyFolder', 'filePattern'],
  rendering: [
    ...(['concurrency', 'paintingThreads', 'renderPriority', 'pauseOnBattery'] as const),
    ...(['keepAwake', 'ffmpegPath', 'transcriber', 'transcriberModel'] as const),
  ],
  api: [
    ...(['port', 'startApi', 'rateLimit'] as const),
    ...(['creditAllowance', 'requestLogSize', 'allowedOrigins'] as const),
  ],
  network: ['host', 'allowedHosts', 'publicUrl', 'trustProxy', 'allowPrivateAddresses'],
  sources: ['mediaFolders', 'cacheLimit'],
  notifications: ['notify', 'notifyFinished', 'notifyBatches', 'notifyFailures', 'notifySound'],
  data: ['backupFolder'],
} as const satisfies Readonly<Record<string, readonly Setting[]>>;
/** The name of a section. */
export type SettingSection = keyof typeof settingSections;
