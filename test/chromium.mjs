/** Where the browser is that the window is tested in. */
import { existsSync } from 'node:fs';

/** The Chromium that `CHROMIUM_PATH` names, or that lies at one of the usual places; undefined without one. */
export function findChromium() {
  const places = [
    process.env.CHROMIUM_PATH,
    // Without the browser's own window: two thirds of the work.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  return places.find((place) => place && existsSync(place));
}
