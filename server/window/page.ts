/**
 * The window's page: the files of the built window by name. Addresses are looked up in a list of names made once, and
 * never joined to a folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Router } from 'express';
import type { Language } from '../../shared/languages.ts';

/** What the page may do: load its own scripts, styles and pictures, talk to its own listener, and nothing else. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Names with slashes of all files below a folder; none if the folder does not exist. */
function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .map((name) => name.split(path.sep).join('/'));
  } catch {
    return [];
  }
}

/** What the page must know before it is drawn; null follows the system. */
export interface ChosenLook {
  readonly theme: 'light' | 'dark' | null;
  readonly language: Language | null;
}

/** The attributes that tell the page: `data-theme="dark" `. */
function marksOf({ theme, language }: ChosenLook): string {
  return [
    theme === null ? '' : `data-theme="${theme}" `,
    language === null ? '' : `data-language="${language}" `,
  ].join('');
}

/**
 * Routes of the page.
 *
 * @param chosen Theme and language that the user has chosen; they are written into the page, so that no other ones
 * flash up.
 */
export function pageRoutes(folder: string, chosen: () => ChosenLook): Router {
  const names = new Set(namesBelow(folder));
  const routes = Router({ caseSensitive: true });
  routes.get('/{*name}', (request, response, next) => {
    const name = request.path === '/' ? 'index.html' : request.path.slice(1);
    if (!names.has(name)) {
      next();
      return;
    }
    response.set({
      'Content-Security-Policy': contentPolicy,
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    });
    response.type(path.extname(name));
    const marks = name === 'index.html' ? marksOf(chosen()) : '';
    if (marks !== '') {
      const page = readFileSync(path.join(folder, name), 'utf8');
      response.send(page.replace('<html ', `<html ${marks}`));
      return;
    }
    response.sendFile(name, { root: folder, cacheControl: false }, (error?: Error) => {
      if (error && !response.headersSent) next(error);
    });
  });
  return routes;
}
