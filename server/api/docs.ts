/**
 * The help pages below `/docs`: one for each topic, and one for each refusal, which `documentation` points to. Plain HTML
 * without scripts, no key.
 */
import { Router, type Response } from 'express';
import {
  ApiError,
  documentationPath,
  errorCatalogue,
  type ErrorCode,
} from '../../shared/errors.ts';
import { baseUrlOf } from './base-url.ts';
import { agentsTopic } from './docs-agents.ts';
import { refusalTitle } from './docs-reference.ts';
import { topics, type Topic } from './docs-topics.ts';
import { escapeHtml, markdownHtml } from './markdown.ts';

const style = `
  :root { color-scheme: light dark; --text: #1c2430; --quiet: #5c6675; --page: #fff; --link: #2451c4;
    --field: #f4f6f9; --line: #dfe4ea; }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e4e8ee; --quiet: #97a1b0; --page: #14181f; --link: #8fb0ff; --field: #1d232c; --line: #2f3844; }
  }
  body { font: 16px/1.6 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--page); }
  .frame { display: grid; grid-template-columns: 12rem minmax(0, 50rem); gap: 3rem; max-width: 66rem;
    margin: 0 auto; padding: 2.5rem 1.5rem 5rem; }
  nav { position: sticky; top: 2.5rem; align-self: start; font-size: 0.9375rem; }
  nav b { display: block; margin-bottom: 0.75rem; }
  nav a { display: block; padding: 0.25rem 0; text-decoration: none; }
  nav a[aria-current] { color: var(--text); font-weight: 600; }
  a { color: var(--link); }
  h1 { font-size: 2rem; line-height: 1.25; margin: 0 0 1rem; }
  h2 { font-size: 1.375rem; line-height: 1.3; margin: 2.75rem 0 0.75rem; }
  h3 { font-size: 1.0625rem; margin: 1.75rem 0 0.5rem; }
  code { font: 0.875em/1.5 ui-monospace, monospace; background: var(--field); padding: 0.125em 0.3em;
    border-radius: 4px; overflow-wrap: anywhere; }
  pre { background: var(--field); padding: 1rem; border-radius: 8px; overflow-x: auto; }
  pre code { background: none; padding: 0; overflow-wrap: normal; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
  th, td { text-align: left; vertical-align: top; padding: 0.5rem 1rem 0.5rem 0;
    border-bottom: 1px solid var(--line); }
  td:first-child code { overflow-wrap: normal; white-space: nowrap; }
  th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
  ul { padding-left: 1.25rem; }
  li { margin: 0.35rem 0; }
  .status { color: var(--quiet); font-variant-numeric: tabular-nums; }
  @media (max-width: 46rem) {
    .frame { grid-template-columns: minmax(0, 1fr); gap: 1.5rem; padding-top: 1.5rem; }
    nav { position: static; }
    nav a { display: inline-block; margin-right: 1rem; }
  }
`;

const pages: readonly Topic[] = [...topics, agentsTopic];

const codes = Object.keys(errorCatalogue) as ErrorCode[]; // the keys of a const object

/** Routes below `/docs`. */
export function docsRoutes(apiUrl: () => string): Router {
  const routes = Router({ caseSensitive: true });

  for (const topic of pages) {
    routes.get(`/${topic.slug}`, (request, response) => {
      sendPage(response, topic, markdownHtml(topic.text(baseUrlOf(request, apiUrl()))));
    });
  }

  routes.get('/errors/:topic', (request, response) => {
    const { topic } = request.params;
    const code = codes.find((known) => documentationPath(known) === `/docs/errors/${topic}`);
    if (!code) throw new ApiError('route_not_found', { method: 'GET', path: request.originalUrl });
    const { status, help } = errorCatalogue[code];
    const page = { slug: 'errors', title: refusalTitle(code) };
    sendPage(
      response,
      page,
      `<p class="status">HTTP status ${status}</p><p>${escapeHtml(help)}</p><p><a href="/docs/errors">All refusals</a></p>`,
    );
  });

  return routes;
}

/** The list of topics beside every page. @param current The slug of the current page. */
function navigation(current: string): string {
  const links = pages.map(({ slug, title, summary }) => {
    const address = slug === '' ? '/docs' : `/docs/${slug}`;
    const mark = slug === current ? ' aria-current="page"' : '';
    const name = slug === '' ? 'Start' : title;
    return `<a href="${address}" title="${escapeHtml(summary)}"${mark}>${escapeHtml(name)}</a>`;
  });
  return `<nav aria-label="Topics"><b>Framewright API</b>${links.join('')}</nav>`;
}

function sendPage(
  response: Response,
  { slug, title }: Pick<Topic, 'slug' | 'title'>,
  body: string,
): void {
  response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  response
    .type('html')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><div class="frame">${navigation(slug)}<main><h1>${escapeHtml(title)}</h1>${body}</main></div></body></html>`,
    );
}
