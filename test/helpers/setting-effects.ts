/**
 * For each setting the test of what it does (not of its being kept). The types ask for a row for each setting of the
 * server; test/settings.test.ts asks for the others, and whether each test exists. A new setting is a row.
 */
import type { SettingsFile } from '../../main/settings.ts';
import type { ServerSettings } from '../../server/store/settings.ts';
import type { DesktopSwitches } from '../../shared/desktop.ts';
import type { OwnSetting } from '../../shared/settings.ts';

/** A test: its file below test/, and its title. */
export type EffectTest = readonly [file: string, title: string];

const here = 'api/settings-effects.test.ts';

/** Of the server. */
export const serverEffects: Readonly<Record<keyof ServerSettings, EffectTest>> = {
  creditAllowance: [here, 'creditAllowance: what costs more than is left is refused'],
  concurrency: [here, 'concurrency: as many renders run at once'],
  queuePaused: [here, 'queuePaused: nothing starts, also after a restart, until it is taken back'],
  deletionPaused: [
    'jobs/retention.test.ts',
    'F38: a jump is told before anything goes, and deletion can be paused',
  ],
  allowedOrigins: [
    'api/web-page.test.ts',
    'a page whose address was allowed may ask, and no other',
  ],
  transcriber: [
    'api/window-transcript.test.ts',
    'says how far it is; the next picture’s kit has the words, and none is heard twice',
  ],
  transcriberModel: [
    'api/window-transcript.test.ts',
    'says how far it is; the next picture’s kit has the words, and none is heard twice',
  ],
  elevenlabsKey: [
    'api/voices.test.ts',
    'elevenlabsKey, openaiKey: the service gets the key, which no answer and no log has',
  ],
  openaiKey: [
    'api/voices.test.ts',
    'elevenlabsKey, openaiKey: the service gets the key, which no answer and no log has',
  ],
  voiceKey: ['api/voices.test.ts', 'voiceKey: the address of a voice gets it'],
  voices: [here, 'voices: who is named there speaks; without a line the render says so'],
  speechModel: [
    'engine/transcribe.test.ts',
    'of several models the best one, or the one that is named',
  ],
  speechLanguage: [
    'engine/transcribe.test.ts',
    'a named address comes before a program, and a program before the models that are there',
  ],
  speechWords: [
    'engine/transcribe.test.ts',
    'a named address comes before a program, and a program before the models that are there',
  ],
  speechAddress: [
    'engine/recogniser.test.ts',
    'is sent the sound with key, words and language, and its words have their marks',
  ],
  speechKey: ['api/transcriber-setting.test.ts', 'a key is kept, and never shown'],
  modelMirror: [
    'api/speech-models.test.ts',
    'the window has one fetched from the mirror of the settings',
  ],
  port: [
    'api/window-pages.test.ts',
    'the API moves to another port; a taken one leaves it where it is',
  ],
  host: [
    'api/links.test.ts',
    'the setting for another address moves the listener, and an address of others is refused',
  ],
  allowedHosts: ['api/links.test.ts', 'links carry the name that was asked'],
  publicUrl: ['api/public-url.test.ts', 'publicUrl: the setting holds at once, and is taken back'],
  trustProxy: [
    'api/public-url.test.ts',
    'trustProxy: the setting lets a proxy say what was asked, and is taken back',
  ],
  allowPrivateAddresses: [
    'jobs/own-ports.test.ts',
    'once others reach the API, this computer and its network are refused until a setting allows them',
  ],
  outputFolder: [
    here,
    'outputFolder, earlierOutputFolders: new files go there, old ones are found',
  ],
  earlierOutputFolders: [
    here,
    'outputFolder, earlierOutputFolders: new files go there, old ones are found',
  ],
  copyFolder: [
    'desktop/shell.test.ts',
    'a copy begins in the chosen folder while that is there, and says why it could not be',
  ],
  mediaFolders: [here, 'mediaFolders: a file in one is read, and no more once it is taken away'],
  ffmpegPath: ['jobs/encoder.test.ts', 'the setting names another one: films go on by themselves'],
  rateLimit: [here, 'rateLimit: the 31st request in ten seconds is refused, or answered'],
  startApi: [
    'api/api-switch.test.ts',
    'it is not started with the program when the settings say so',
  ],
  requestLogSize: [here, 'requestLogSize: the log keeps so many requests'],
  pauseOnBattery: [
    'jobs/power.test.ts',
    'goes on when a person says so, and when the setting is switched off',
  ],
  freeSpaceLimit: [
    'jobs/output-watch.test.ts',
    'too little space: the queue waits until there is more, or the limit is lower',
  ],
  keepAwake: ['desktop/work.test.ts', 'nothing keeps the computer awake when it is switched off'],
  templateVersions: [
    'store/template-versions.test.ts',
    'as many are kept as the setting says, those with names the longest',
  ],
  encodeWith: [
    'jobs/hardware.test.ts',
    'encodeWith: tried at the choice, named in the record, and back to software at a fault',
  ],
  paintingThreads: [
    'engine/painters.test.ts',
    'paintingThreads: so many paint, from the first frame on',
  ],
  renderPriority: [
    'jobs/priority.test.ts',
    'renderPriority: worker and ffmpeg give way, or take turns like all others',
  ],
  renderIdle: [
    here,
    'renderIdle: a template that is edited is rendered while nothing else is to do',
  ],
  piecesLimit: [here, 'piecesLimit: a film that changes makes only what changed, up to it'],
  cacheLimit: [here, 'cacheLimit: downloads are kept up to it, and cleared at once'],
  backupFolder: [
    'store/backups.test.ts',
    'each kind is bounded, and a folder that the user chose is left to the user',
  ],
};

/** Of the window. */
export const windowEffects: Readonly<Record<OwnSetting, EffectTest>> = {
  theme: ['ui/pages.spec.ts', 'settings are checked beside their field, kept, and used'],
  language: [
    'ui/languages.spec.ts',
    'the language is the system’s until one is chosen, for every window',
  ],
  density: [
    'ui/queue-columns.spec.ts',
    'rows have two heights, chosen at the list and in the settings, and remembered',
  ],
  photoSeconds: [
    'ui/new-template.spec.ts',
    'a new photo lasts as long as the settings say, from the next one on',
  ],
  notify: ['ui/notify.spec.ts', 'an ended render is told while the window is in the background'],
  filePattern: ['ui/files.spec.ts', 'saved files are named by a pattern; several are one archive'],
};

/** Fields of the desktop's file that no user sets: what the program remembers for itself. */
type Remembered =
  'places' | 'lastDisplay' | 'language' | 'keepAwake' | 'softwareDrawing' | 'testedVersion';

/** Of the desktop program. */
export const desktopEffects: Readonly<
  Record<Exclude<keyof SettingsFile['current'], Remembered> | keyof DesktopSwitches, EffectTest>
> = {
  zoom: ['desktop/shell.test.ts', 'zooms from 80 to 200 %, and remembers it'],
  keepRunning: [
    'desktop/settings-effects.test.ts',
    'keepRunning: a closed window leaves the program, or ends it',
  ],
  openAtLogin: [
    'desktop/rules.test.ts',
    'writes and removes the file; switched off in place counts',
  ],
  notifyFinished: ['desktop/rules.test.ts', 'a render, %s'],
  notifyBatches: ['desktop/rules.test.ts', 'a batch %o: %s'],
  notifyFailures: ['desktop/rules.test.ts', 'a render, %s'],
  notifySound: [
    'desktop/settings-effects.test.ts',
    'notifySound: a notification is heard, or silent',
  ],
};
