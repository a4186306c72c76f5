/** The server's settings over HTTP: read all, change some. The table is server-settings.ts. */
import type { Request } from 'express';
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { isLoopback } from '../../shared/listen-address.ts';
import { bodyOf, jsonBody } from './body.ts';
import { one, type Operation } from './operation.ts';
import {
  applySettings,
  optional,
  settingNames,
  settingsChange,
  settingsNow,
  wireForms,
  wireName,
  WrongSetting,
  type SettingName,
} from './server-settings.ts';
import type { WholeServer } from './whole-server.ts';

/**
 * What decides which files, programs and addresses of the computer the server uses: no key changes it from elsewhere.
 */
const onlyThere: ReadonlySet<SettingName> = new Set([
  'outputFolder',
  'copyFolder',
  'backupFolder',
  'mediaFolders',
  'ffmpegPath',
  'transcriber',
  'transcriberModel',
  'publicUrl',
  'trustProxy',
  'allowPrivateAddresses',
]);
/** In answers they always have a value: that of the start if none was set. */
const alwaysSet = ['port', 'host', 'trust_proxy', 'output_folder', 'rate_limit', 'concurrency'];
/** Characters of a wrong value in a refusal. */
const foundLength = 200;

const answerForms = Object.fromEntries(
  Object.entries(wireForms).map(([name, form]) => {
    const { description = '' } = form;
    const value = form instanceof z.ZodNullable && alwaysSet.includes(name) ? form.unwrap() : form;
    // A start may name a port below those of the setting.
    return [name, (name === 'port' ? z.int() : (value as z.ZodType)).meta({ description })];
  }),
);

/** All settings, as they are in force. */
const settingsAnswer = z.strictObject(answerForms).meta({ id: 'Settings' });

/** Body of `PATCH /v2/settings`. */
const changeSettingsBody = z.object(optional(wireForms)).meta({
  id: 'ChangeSettings',
  description: `Settings that are left out keep their values. Null stands for what the description says, and for ${alwaysSet.map((name) => `\`${name}\``).join(', ')} for what the start of the server says.`,
});

/** As answers show them. */
function settingsRecord(server: WholeServer): Readonly<Record<string, unknown>> {
  const now = settingsNow(server);
  return Object.fromEntries(settingNames.map((name) => [wireName(name), now[name]]));
}

/** The settings in a body. @throws ApiError `setting_unknown`, `setting_refused`, `not_from_here`. */
function readChange(request: Request, { address }: WholeServer): z.infer<typeof settingsChange> {
  const given = Object.entries(bodyOf(request)).map(([written, value]) => {
    const name = settingNames.find((one) => wireName(one) === written);
    if (name) return [name, value] as const;
    throw new ApiError('setting_unknown', {
      name: written.slice(0, foundLength),
      names: settingNames.map(wireName).join(', '),
    });
  });
  const values = Object.fromEntries(given);
  const { data, error } = settingsChange.safeParse(values);
  const [issue] = error?.issues ?? [];
  const wrong = settingNames.find((name) => name === issue?.path[0]);
  if (issue && wrong) {
    const found = foundText(values[wrong]);
    throw new ApiError('setting_refused', { name: wireName(wrong), what: issue.message, found });
  }
  const [kept] = given.flatMap(([name]) => (onlyThere.has(name) ? [name] : []));
  if (kept && (address.isProxied() || !isFromHere(request)))
    throw new ApiError('not_from_here', { name: wireName(kept) });
  return data ?? {};
}

function foundText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > foundLength ? `${text.slice(0, foundLength)}…` : text;
}

/**
 * True if a request comes from this computer, as far as can be known: what a proxy passes on may come from anywhere,
 * and some say nothing.
 */
function isFromHere({ socket, headers }: Request): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
    (name) => headers[name] !== undefined,
  );
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return !isForwarded && (isLoopback(address) || socket.remoteAddress === socket.localAddress);
}

function asRefusal(error: unknown): never {
  if (!(error instanceof WrongSetting)) throw error;
  const { setting, expected, found } = error;
  throw new ApiError('setting_refused', { name: wireName(setting), what: expected, found });
}

/** The routes of settings. */
export const settingOperations: readonly Operation[] = [
  {
    id: 'readSettings',
    of: 'server',
    method: 'GET',
    path: '/v2/settings',
    topic: 'settings',
    summary: 'Read the settings',
    answers: [one(200, settingsAnswer, 'All settings, as they are in force.')],
    refusals: [],
    serve: (server) => [
      (_request, response) => {
        response.json(settingsRecord(server));
      },
    ],
  },
  {
    id: 'changeSettings',
    of: 'server',
    method: 'PATCH',
    path: '/v2/settings',
    topic: 'settings',
    summary: 'Change settings',
    explanation: `All or none of the given ones change, at once and for good. If the API moves to another port or address, this answer still comes from the old one. ${[...onlyThere].map((name) => `\`${wireName(name)}\``).join(', ')} decide which files, programs and addresses of its computer the server uses: they can be changed only from that computer.`,
    body: changeSettingsBody,
    answers: [one(200, settingsAnswer, 'All settings, as they are now.')],
    refusals: [
      'setting_refused',
      'setting_unknown',
      'setting_fixed',
      'not_from_here',
      'port_taken',
      'port_refused',
      'host_refused',
    ],
    serve: (server) => [
      jsonBody,
      async (request, response) => {
        await applySettings(readChange(request, server), server).catch(asRefusal);
        response.json(settingsRecord(server));
      },
    ],
  },
];
