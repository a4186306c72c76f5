/**
 * THE TABLE of settings: what each may be, how it is at first, what it means, and its control on the page. Store, API,
 * command line, help and window are made from it. Shared by window and server.
 */
import * as z from 'zod/mini';
import type { desktopSwitches } from './desktop.ts';
import {
  cacheLimit,
  pieceLimits,
  concurrencyLimit,
  mostPaintingThreads,
  outputLimits,
  requestLogLimits,
  versionLimits,
} from './limits.ts';
import * as forms from './setting-forms.ts';
import type { Form, Machine } from './setting-forms.ts';

/** How the window shows a setting. `none`: there is a word for null. */
type Control =
  /** `on`, `off`: other values than true and false. */
  | Readonly<{ kind: 'switch'; on?: string; off?: string }>
  /** A field. `unit`: the field has so many of them less. `isDecimal`: fractions are usual. */
  | Readonly<{ kind: 'number'; unit?: number; isDecimal?: true; none?: true }>
  /** The numbers from 1. */
  | Readonly<{ kind: 'select'; most: number; none?: true }>
  | Readonly<{ kind: 'text'; choose?: 'file' | 'folder'; example?: string; none?: true }>
  /** `isCut`: slashes at the end go, which address bars show. */
  | Readonly<{ kind: 'list'; choose?: 'folder'; example?: string; isCut?: true }>
  /** Its section draws it. */
  | Readonly<{ kind: 'own' }>
  /** Work rather than a setting: the page lacks it, and resetting leaves it. */
  | Readonly<{ kind: 'none' }>;

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
  /** Answers say only whether there is one (`hiddenSecret`). */
  readonly isSecret?: true;
  /** It takes effect in the desktop program alone. */
  readonly isDesktops?: true;
}

/** A row of the table. */
function row<Value, const More extends Facts<Value>>(
  form: Form<Value>,
  more: More,
): More & { readonly form: Form<Value> } {
  return { ...more, form };
}

const key = forms.line('a key in one line', 1000);

/** Settings of the server, in the order in which the API names them. */
export const serverSettings = {
  port: row(forms.count(1024, 65_535), {
    first: null,
    meaning: 'Port of the API.',
    control: { kind: 'number' },
    atStart: 'always',
  }),
  host: row(forms.listenAddress, {
    first: null,
    meaning:
      'Address that the API listens at: 127.0.0.1 for this computer alone, 0.0.0.0 for all networks.',
    control: { kind: 'own' },
    atStart: 'always',
  }),
  allowedHosts: row(forms.hosts, {
    first: [],
    meaning: 'Names that the API answers to beside its own, e.g. server.lan.',
    control: { kind: 'list', example: 'server.lan' },
    atStart: 'more',
  }),
  publicUrl: row(forms.publicAddress, {
    first: null,
    meaning:
      'The address that all links begin with, e.g. https://films.example.com/framewright; null: the one that each request used.',
    control: { kind: 'text', example: 'https://films.example.com' },
    atStart: 'perhaps',
    isOnlyThere: true,
  }),
  trustProxy: row(forms.flag, {
    first: null,
    meaning:
      'Whether X-Forwarded-Host and X-Forwarded-Proto are read: only behind a proxy that sets both itself.',
    control: { kind: 'switch' },
    atStart: 'always',
    isOnlyThere: true,
  }),
  allowPrivateAddresses: row(forms.flag, {
    first: null,
    meaning:
      'Whether media and webhooks may reach this computer and its network; null: while only this computer reaches the API.',
    control: { kind: 'own' },
    atStart: 'perhaps',
    isOnlyThere: true,
  }),
  outputFolder: row(forms.folder, {
    first: null,
    meaning: 'Where finished files go. Earlier ones are still found.',
    control: { kind: 'text', choose: 'folder' },
    atStart: 'always',
    isOnlyThere: true,
  }),
  copyFolder: row(forms.folder, {
    first: null,
    meaning: 'Where “Save a copy” of the desktop begins; null: where the system says.',
    control: { kind: 'text', choose: 'folder', none: true },
    isOnlyThere: true,
    isDesktops: true,
  }),
  backupFolder: row(forms.folder, {
    first: null,
    meaning: 'Where backups go that a person or program asks for; null: into the data folder.',
    control: { kind: 'text', choose: 'folder', none: true },
    isOnlyThere: true,
  }),
  mediaFolders: row(forms.folders, {
    first: [],
    meaning: 'Folders that `file:` and relative sources may lie in.',
    control: { kind: 'list', choose: 'folder' },
    atStart: 'more',
    isOnlyThere: true,
  }),
  ffmpegPath: row(forms.file, {
    first: null,
    meaning: 'The ffmpeg to use; null: the one that is found.',
    control: { kind: 'text', choose: 'file', none: true },
    atStart: 'perhaps',
    isOnlyThere: true,
  }),
  rateLimit: row(forms.flag, {
    first: null,
    meaning: 'Whether the number of requests is limited.',
    control: { kind: 'switch' },
    atStart: 'always',
  }),
  creditAllowance: row(forms.credits, {
    first: null,
    meaning: 'Credits for the renders of 30 days; null: unlimited.',
    control: { kind: 'number', isDecimal: true, none: true },
  }),
  concurrency: row(forms.count(1, concurrencyLimit), {
    first: null,
    meaning: 'Renders at the same time.',
    control: { kind: 'select', most: concurrencyLimit },
    atStart: 'always',
  }),
  queuePaused: row(forms.flag, {
    first: false,
    meaning: 'Renders stay planned.',
    control: { kind: 'none' },
  }),
  deletionPaused: row(forms.flag, {
    first: false,
    meaning: 'Nothing that has expired is removed.',
    control: { kind: 'none' },
  }),
  allowedOrigins: row(forms.origins, {
    first: [],
    meaning: 'Web pages that may call the API, e.g. http://localhost:3000.',
    control: { kind: 'list', example: 'http://localhost:3000', isCut: true },
  }),
  startApi: row(forms.flag, {
    first: true,
    meaning: 'Whether the API is on from the start of the program.',
    control: { kind: 'switch' },
  }),
  requestLogSize: row(forms.count(0, requestLogLimits.most), {
    first: requestLogLimits.usual,
    meaning: 'How many requests the list of requests in the window keeps.',
    control: { kind: 'number' },
  }),
  templateVersions: row(forms.count(0, versionLimits.most), {
    first: versionLimits.usual,
    meaning: 'How many earlier versions of each template are kept.',
    control: { kind: 'number' },
  }),
  pauseOnBattery: row(forms.flag, {
    first: true,
    meaning: 'Nothing starts while the battery is low.',
    control: { kind: 'switch' },
  }),
  freeSpaceLimit: row(forms.space, {
    first: outputLimits.freeBytes,
    meaning:
      'With fewer free bytes on the drive of the output folder, nothing starts; 0: no limit.',
    control: { kind: 'number', unit: 1e9, isDecimal: true },
  }),
  keepAwake: row(forms.flag, {
    first: true,
    meaning: 'The desktop program keeps the computer from sleeping while something renders.',
    control: { kind: 'switch' },
    isDesktops: true,
  }),
  paintingThreads: row(forms.count(1, mostPaintingThreads, ', or nothing for as many as pay'), {
    first: null,
    meaning: 'Threads that paint one film; null: as many as pay.',
    control: { kind: 'select', most: mostPaintingThreads, none: true },
  }),
  renderPriority: row(forms.priority, {
    first: 'low',
    meaning: 'low: rendering gives way to other programs; normal: it takes turns like all others.',
    control: { kind: 'switch', on: 'low', off: 'normal' },
  }),
  encodeWith: row(forms.encodeWith, {
    first: 'software',
    meaning:
      'What codes mp4 films: software, or hardware, which is tried first, and given up at a fault.',
    control: { kind: 'own' },
  }),
  cacheLimit: row(forms.space, {
    first: cacheLimit,
    meaning: 'Bytes of downloads that are kept between renders; 0: none.',
    control: { kind: 'number', unit: 1e9, isDecimal: true },
  }),
  piecesLimit: row(forms.space, {
    first: pieceLimits.kept,
    meaning:
      'Bytes of films’ pieces that are kept, so that only what changed is rendered again; 0: none.',
    control: { kind: 'number', unit: 1e9, isDecimal: true },
  }),
  renderIdle: row(forms.flag, {
    first: false,
    meaning:
      'Whether templates open in the editor are rendered while the queue is idle: exports then take no time.',
    control: { kind: 'switch' },
  }),
  transcriber: row(forms.file, {
    first: null,
    meaning: 'Program of whisper.cpp, for captions; null: as the environment says.',
    control: { kind: 'text', choose: 'file', none: true },
    isOnlyThere: true,
  }),
  transcriberModel: row(forms.file, {
    first: null,
    meaning: 'Its model; null: as the environment says.',
    control: { kind: 'text', choose: 'file', none: true },
    isOnlyThere: true,
  }),
  voices: row(forms.voices, {
    first: [],
    meaning:
      'Who speaks for a `provider` of audio elements, a line each: `elevenlabs: system` (a voice of this computer), `openai: http://localhost:8880/v1 voice=af_sky` (an address like OpenAI’s), `elevenlabs: service` (the service, with your key), `*: system` (any). None: as FRAMEWRIGHT_VOICES says.',
    control: { kind: 'own' },
    isOnlyThere: true,
  }),
  elevenlabsKey: row(key, {
    first: null,
    meaning:
      'Your key for ElevenLabs, which voices use; null: as ELEVENLABS_API_KEY says. Answers say only whether there is one.',
    control: { kind: 'text', none: true },
    isOnlyThere: true,
    isSecret: true,
  }),
  openaiKey: row(key, {
    first: null,
    meaning:
      'Your key for OpenAI, which voices use; null: as OPENAI_API_KEY says. Answers say only whether there is one.',
    control: { kind: 'text', none: true },
    isOnlyThere: true,
    isSecret: true,
  }),
  voiceKey: row(key, {
    first: null,
    meaning:
      'Your key for the addresses that `voices` name; null: as FRAMEWRIGHT_VOICE_KEY says. Answers say only whether there is one.',
    control: { kind: 'text', none: true },
    isOnlyThere: true,
    isSecret: true,
  }),
  speechModel: row(forms.line('the name of a speech model', 200), {
    first: null,
    meaning:
      'The speech model for captions, as `framewright models list` names it, or that of the service; null: the best one that is there.',
    control: { kind: 'text', example: 'small-q5_1', none: true },
  }),
  speechLanguage: row(forms.language, {
    first: null,
    meaning: 'The language that recordings are spoken in, e.g. de; null: recognised.',
    control: { kind: 'text', example: 'de', none: true },
  }),
  speechWords: row(forms.line('names and words in one line of at most 800 characters', 800), {
    first: null,
    meaning: 'Names and words that recordings may have and that are hard to know; null: none.',
    control: { kind: 'text', none: true },
  }),
  speechAddress: row(forms.service, {
    first: null,
    meaning:
      'A service that recognises speech as OpenAI’s `/v1/audio/transcriptions` does: recordings are sent there; null: none.',
    control: { kind: 'text', example: 'http://127.0.0.1:8000/v1', none: true },
    isOnlyThere: true,
  }),
  speechKey: row(key, {
    first: null,
    meaning:
      'Your key for that service; null: it takes none. Answers say only whether there is one.',
    control: { kind: 'text', none: true },
    isOnlyThere: true,
    isSecret: true,
  }),
  modelMirror: row(forms.service, {
    first: null,
    meaning:
      'Where speech models are fetched from, with the paths of huggingface.co; null: from there.',
    control: { kind: 'text', example: 'https://models.example.com', none: true },
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

/** What answers say in place of a secret; given back, it changes nothing. */
export const hiddenSecret = '••••••••';

/** Settings that are secrets. */
const secretSettings = settingNames.filter((name) => factsOf(name).isSecret);

/** Settings without their secrets. */
export function withoutSecrets<Values extends Partial<SettingValues>>(values: Values): Values {
  const hidden = secretSettings.filter((name) => typeof values[name] === 'string');
  return { ...values, ...Object.fromEntries(hidden.map((name) => [name, hiddenSecret])) };
}

/** The secrets themselves, to be kept out of what is told. */
export const secretsIn = (values: Partial<SettingValues>): readonly string[] =>
  secretSettings.flatMap((name) => {
    const value = values[name];
    return typeof value === 'string' ? [value] : [];
  });

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
export const ownSettings = [
  'theme',
  'language',
  'density',
  'photoSeconds',
  'notify',
  'filePattern',
] as const;
export type OwnSetting = (typeof ownSettings)[number];
/** Any setting of the page: also the window's own, and the switches of the desktop program. */
export type Setting = ShownSetting | OwnSetting | (typeof desktopSwitches)[number];

/** Sections of the page, each with its settings in order. */
export const settingSections = {
  general: [
    ...(['theme', 'language', 'density', 'photoSeconds'] as const),
    ...(['templateVersions', 'openAtLogin', 'keepRunning'] as const),
  ],
  output: ['outputFolder', 'freeSpaceLimit', 'copyFolder', 'filePattern'],
  rendering: [
    ...(['concurrency', 'paintingThreads', 'renderPriority', 'pauseOnBattery'] as const),
    ...(['keepAwake', 'piecesLimit', 'renderIdle', 'ffmpegPath', 'encodeWith'] as const),
  ],
  speech: [
    ...(['transcriber', 'transcriberModel', 'speechAddress', 'speechKey', 'speechModel'] as const),
    ...(['speechLanguage', 'speechWords', 'modelMirror'] as const),
    ...(['voices', 'elevenlabsKey', 'openaiKey', 'voiceKey'] as const),
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
