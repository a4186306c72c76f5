/**
 * The server's settings, the window's own preferences and the API's listener, for the window. Below `/api`, behind the
 * window's token.
 */
import { networkInterfaces } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { Router } from 'express';
import { z } from 'zod';
import { preferenceRows, settingRows, type SettingsRecord } from '../../shared/api/settings.ts';
import { apiRows } from '../../shared/api/state.ts';
import { ApiError } from '../../shared/errors.ts';
import { concurrencyLimit } from '../../shared/limits.ts';
import {
  serverSettings,
  shownForms,
  shownSettings,
  withoutSecrets,
} from '../../shared/settings.ts';
import { bodyOf, smallJsonBody } from '../api/body.ts';
import {
  applySettings,
  machine,
  settingForms,
  settingsChange,
  settingsNow,
  testFfmpeg,
  WrongSetting,
} from '../api/server-settings.ts';
import type { ServerServices } from '../services.ts';
import { defaultSettings } from '../store/settings.ts';
import { sent, serveRows } from './rows.ts';
import { serverState } from './view.ts';

/** Bytes of what the window remembers about itself. */
const preferencesLength = 64_000;
const preferenceWords = 'an object of at most 64,000 bytes of JSON';
const shown = z.object(shownForms);

/** Routes below `/api`. */
export function settingRoutes(services: ServerServices): Router {
  return Router({ caseSensitive: true }).use(
    serverSettingRoutes(services),
    preferenceRoutes(services),
  );
}

function serverSettingRoutes(services: ServerServices): Router {
  const { store } = services;
  return serveRows(settingRows, {
    stored: () => withoutSecrets(store.settings.values),
    change: ({ request }) => {
      const given = parseSetting(settingsChange, bodyOf(request));
      return applySettings(given, services).catch(besideField);
    },
    reset: () => {
      // Only what differs: a port that nobody has changed must not be left.
      const given = shownSettings
        .filter((name) => !services.run.fixedSettings.some((one) => one === name))
        .filter((name) => !isDeepStrictEqual(defaultSettings[name], store.settings.values[name]))
        .map((name) => [name, defaultSettings[name]] as const);
      return applySettings(Object.fromEntries(given), services).catch(besideField);
    },
    all: () => settingsRecord(services),
    testFfmpeg: ({ body: { path } }) => testFfmpeg(path.trim() === '' ? 'ffmpeg' : path),
    hardware: () => services.pending.encoderTrials.find(null, false),
    tryHardware: () => services.pending.encoderTrials.find(null, true),
    testPort: async ({ request }) => {
      const given = parseSetting(
        z.object({ port: serverSettings.port.form.given(machine) }),
        bodyOf(request),
      );
      return { found: await services.listener.testPort(given.port) };
    },
  });
}

/** The window shows a refusal beside the field that it is about. */
function besideField(error: unknown): never {
  throw error instanceof WrongSetting ? error.inField : error;
}

/** The window's preferences are one opaque object; the server only reads theme and language. */
function preferenceRoutes({ store, events }: ServerServices): Router {
  const save = smallJsonBody(preferencesLength, 'preferences', preferenceWords);
  return serveRows(
    preferenceRows,
    {
      load: ({ response }) => {
        response.type('json').send(store.settings.preferences);
        return sent;
      },
      save: async ({ request, response }) => {
        const { theme, language } = store.settings;
        await store.settings.setPreferences(JSON.stringify(bodyOf(request)));
        response.status(204).end();
        // The desktop uses them for menus, dialogs and the window's frame.
        const { settings } = store;
        if (settings.theme !== theme || settings.language !== language)
          events.emit({ type: 'server.state' });
      },
    },
    { save },
  );
}

/** Opens and stops the API's own listener. */
export function apiListenerRoutes(services: ServerServices): Router {
  return serveRows(apiRows, {
    open: async ({ request }) => {
      const given = parseSetting(z.object({ port: settingForms.port }), bodyOf(request));
      await services.listener.openApi(given.port);
      return serverState(services);
    },
    stop: async () => {
      await services.listener.stopApi();
      return serverState(services);
    },
  });
}

/** The current settings. */
function settingsRecord(services: ServerServices): SettingsRecord {
  const { address, run } = services;
  const reachesPrivate = address.addressRule().allowPrivateAddresses;
  const now = shown.parse(settingsNow(services));
  const { fixedSettings, started, dataFolder } = run;
  return {
    ...now,
    allowPrivateAddresses: fixedSettings.includes('allowPrivateAddresses')
      ? reachesPrivate
      : now.allowPrivateAddresses,
    reachesPrivate,
    addresses: ownAddresses(),
    concurrencyLimit,
    creditsUsed: services.work.credits.state.used,
    fixed: fixedSettings,
    started,
    dataFolder,
  };
}

/**
 * IP addresses by which others may reach this computer, IPv4 first. Link-local ones (fe80::) are left out: they need a
 * zone.
 */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .sort((one, other) => one.family.localeCompare(other.family))
    .map(({ address }) => address);
}

/** Like `parseParameters`, worded for the field in the window. @throws ApiError `invalid_setting`. */
export function parseSetting<T>(schema: z.ZodType<T>, values: unknown): T {
  const { data, error } = schema.safeParse(values);
  if (error) throw new ApiError('invalid_setting', { what: error.issues[0]?.message ?? 'a value' });
  return data;
}
