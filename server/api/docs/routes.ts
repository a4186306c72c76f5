/**
 * The help below `/docs`: a site without any file from elsewhere. One page for each topic, one for each refusal, which
 * `documentation` points to, the search, and the pictures. No key.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Request, type Response, Router } from 'express';
import {
  ApiError,
  documentationPath,
  errorCatalogue,
  type ErrorCode,
} from '../../../shared/errors.ts';
import { clientPackage, galleryFolder } from '../../system/paths.ts';
import { baseUrlOf, pathBefore } from '../answer.ts';
import { refusalTitle } from './api-reference.ts';
import { escapeHtml } from './markdown.ts';
import { type Page, pageHtml, pagePolicy, textHtml } from './page-frame.ts';
import { sections, topics } from './pages.ts';
import { sheetFile } from './pictures.ts';
import { type Finding, longestQuestion, searchIn } from './search.ts';
import { renderScriptSchema } from '../../../shared/renderscript/schema.ts';

const codes = Object.keys(errorCatalogue) as ErrorCode[]; // the keys of a const object

/** Routes below `/docs`. */
export function docsRoutes(apiUrl: () => string): Router {
  const routes = Router({ caseSensitive: true });
  const urlOf = (request: Request): string => baseUrlOf(request, apiUrl());

  for (const topic of topics) {
    routes.get(`/${topic.slug}`, (request, response) => {
      const { slug, title } = topic;
      const url = urlOf(request);
      sendPage(response, url, { slug, title, body: textHtml(topic.text(url)) });
    });
  }

  let made: { readonly url: string; readonly search: ReturnType<typeof searchIn> } | null = null;
  routes.get('/search', (request, response) => {
    const { query } = request;
    const url = urlOf(request);
    const question = typeof query['q'] === 'string' ? query['q'].slice(0, longestQuestion) : '';
    if (made?.url !== url) made = { url, search: searchIn(topics, url) };
    const list = findingsHtml(question, made.search(question));
    if (query['part'] === 'list') {
      sendHtml(response, url, list);
      return;
    }
    const body = question.trim() === '' ? '' : `<ul class="findings">${list}</ul>`;
    sendPage(response, url, { slug: 'search', title: 'Search', body, question });
  });
  routes.get('/search.js', (_request, response) => {
    response.type('text/javascript').send(searchBoxScript);
  });

  routes.get('/gallery/*name', ({ params }, response, next) => {
    const { name } = params;
    // Only sheets of the pages, so that no other file can be requested.
    const match = /^(.+)\.jpg$/.exec(Array.isArray(name) ? name.join('/') : '');
    const file = match ? sheetFile(match[1] ?? '') : null;
    if (file === null) {
      next();
      return;
    }
    response.set('Cache-Control', 'no-cache');
    response
      .type('jpg')
      .sendFile(
        file,
        { root: galleryFolder(), etag: true, cacheControl: false },
        (error?: Error) => {
          if (error && !response.headersSent) next();
        },
      );
  });

  routes.get('/errors/:topic', (request, response) => {
    const { topic } = request.params;
    const code = codes.find((known) => documentationPath(known) === `/docs/errors/${topic}`);
    if (!code) throw new ApiError('route_not_found', { method: 'GET', path: request.originalUrl });
    const { status, help } = errorCatalogue[code];
    sendPage(response, urlOf(request), {
      slug: 'errors',
      title: refusalTitle(code),
      body: `<p class="status">HTTP status ${status}</p><p>${escapeHtml(help)}</p><p><a href="/docs/errors">All refusals</a></p>`,
    });
  });

  return routes;
}

/** Items of a list. */
function findingsHtml(question: string, findings: readonly Finding[]): string {
  if (findings.length === 0) {
    return question.trim() === ''
      ? ''
      : `<li><p>Nothing was found for “${escapeHtml(question.trim())}”.</p></li>`;
  }
  return findings
    .map(({ address, page, heading, excerpt }) => {
      const title =
        heading === ''
          ? `<b>${escapeHtml(page)}</b>`
          : `<b>${escapeHtml(heading)}</b> <span>${escapeHtml(page)}</span>`;
      return `<li><a href="${address}">${title}<p>${escapeHtml(excerpt)}</p></a></li>`;
    })
    .join('');
}

function sendPage(response: Response, url: string, page: Page): void {
  response.set('Content-Security-Policy', pagePolicy);
  sendHtml(response, url, pageHtml(page, sections));
}

/** Puts the path that a proxy takes away before all links. Only tags have such quotes: those of texts are escaped. */
function sendHtml(response: Response, url: string, html: string): void {
  const links = html.replace(/ (href|src|action)="\//g, ` $1="${pathBefore(url)}/`);
  response.type('html').send(links);
}

/**
 * The only script of the help pages, served as it stands: findings appear below the search field while somebody types,
 * and the list of pages is scrolled to the present one. Without it, the field is a form that leads to the page of
 * findings.
 */
const searchBoxScript = `
const form = document.querySelector('form[role=search]');
const field = form.querySelector('input');
const list = form.querySelector('.findings');
let asked = 0;

async function search() {
  const question = field.value.trim();
  const number = ++asked;
  if (question === '') return close();
  const answer = await fetch(form.action + '?part=list&q=' + encodeURIComponent(question));
  const html = answer.ok ? await answer.text() : '';
  // A later question may have been answered sooner.
  if (number !== asked) return;
  list.innerHTML = html;
  list.hidden = html === '';
}

function close() {
  asked++;
  list.hidden = true;
}

/** Moves among the findings. */
function move(step) {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement) + step;
  (links[at] ?? (at < 0 ? field : links[0]))?.focus();
}

// The list of pages, scrolled to the present one.
const topics = document.querySelector('.topics');
const current = topics.querySelector('[aria-current]');
if (current && getComputedStyle(topics).position === 'sticky') topics.scrollTop = current.offsetTop - topics.clientHeight / 2;

field.addEventListener('input', search);
field.addEventListener('focus', search);
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') { close(); field.focus(); close(); }
  else if (event.key === 'ArrowDown') { event.preventDefault(); move(1); }
  else if (event.key === 'ArrowUp') { event.preventDefault(); move(-1); }
});
document.addEventListener('click', (event) => { if (!form.contains(event.target)) close(); });
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) { event.preventDefault(); field.focus(); }
});
`;

// Files that need no key, like the help: nothing in them belongs to a project.

/** The client as a package at `/client.tgz`, for `npm install` without a registry; made by client/pack.mjs. */
export function clientPackageRoutes(): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/client.tgz', async (_request, response, next) => {
    const bytes = await readFile(clientPackage()).catch(() => null);
    if (bytes === null) {
      next();
      return;
    }
    response.type('application/gzip').set({
      // Kept, but asked about each time: another version of the program has another client at the same address.
      'Cache-Control': 'no-cache',
      ETag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    });
    response.send(bytes);
  });
  return routes;
}

/** The JSON Schema of the language at `/renderscript.schema.json`, for editors. */
export function languageRoutes(): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/renderscript.schema.json', (_request, response) => {
    response
      .type('application/schema+json')
      .send(`${JSON.stringify(renderScriptSchema(), null, 2)}\n`);
  });
  return routes;
}
