/** The server's settings over HTTP: read all, change some. The table is shared/settings.ts. */
import type { Request } from 'express';
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { isLoopback } from '../../shared/listen-address.ts';
import { factsOf, serverSettings, settingNames, type SettingName } from '../../shared/settings.ts';
import { bodyOf } from './body.ts';
import { one, type Operation, type WholeServer, serverRoutes } from './operation.ts';
import {
  applySettings,
  machine,
  optional,
  settingForms,
  settingsChange,
  settingsNow,
  wireName,
  WrongSetting,
} from './server-settings.ts';

const route = serverRoutes('settings');

/** In answers they always have a value: that of the start if none was set. */
const alwaysSet = settingNames.filter((name) => factsOf(name).atStart === 'always').map(wireName);
const onlyThere = settingNames.filter((name) => factsOf(name).isOnlyThere);
/** Characters of a wrong value in a refusal. */
const foundLength = 200;

/** Schemas by the names of the settings in the API, with what each means. */
function named(schemaOf: (name: SettingName) => z.core.$ZodType): Record<string, z.core.$ZodType> {
  const entries = settingNames.map((name) => {
    const schema = schemaOf(name);
    z.globalRegistry.add(schema, { description: factsOf(name).meaning });
    return [wireName(name), schema] as const;
  });
  return Object.fromEntries(entries);
}

/** A start may name a port below those of the setting. */
const answered = (name: SettingName): z.core.$ZodType => {
  if (name === 'port') return z.int();
  return factsOf(name).atStart === 'always'
    ? serverSettings[name].form.given(machine)
    : settingForms[name];
};

/** All settings, as they are in force. */
const settingsAnswer = z.strictObject(named(answered)).meta({ id: 'Settings' });

/** Body of `PATCH /v2/settings`. */
const changeSettingsBody = z.object(optional(named((name) => settingForms[name]))).meta({
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
  const [kept] = given.flatMap(([name]) => (factsOf(name).isOnlyThere ? [name] : []));
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
  route('GET /v2/settings', {
    id: 'readSettings',
    summary: 'Read the settings',
    answers: [one(200, settingsAnswer, 'All settings, as they are in force.')],
    refusals: [],
    answer: (server) => settingsRecord(server),
  }),
  route('PATCH /v2/settings', {
    id: 'changeSettings',
    summary: 'Change settings',
    explanation: `All or none of the given ones change, at once and for good. If the API moves to another port or address, this answer still comes from the old one. ${onlyThere.map((name) => `\`${wireName(name)}\``).join(', ')} decide which files, programs and addresses of its computer the server uses: they can be changed only from that computer.`,
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
    answer: async (server, { request }) => {
      await applySettings(readChange(request, server), server).catch(asRefusal);
      return settingsRecord(server);
    },
  }),
];
