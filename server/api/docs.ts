/** The help pages that refusals point to: one for each entry of the catalogue, and the list of them. Plain HTML, no key. */
import { Router, type Response } from 'express';
import {
  ApiError,
  documentationPath,
  errorCatalogue,
  type ErrorCode,
} from '../../shared/errors.ts';

const style = `
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem;
    color: #1c2430; background: #fff; }
  a { color: #2451c4; }
  .status { color: #5c6675; font-variant-numeric: tabular-nums; }
  li { margin: 0.35rem 0; }
  @media (prefers-color-scheme: dark) {
    body { color: #e4e8ee; background: #14181f; }
    a { color: #8fb0ff; }
    .status { color: #97a1b0; }
  }
`;

const codes = Object.keys(errorCatalogue) as ErrorCode[]; // the keys of a const object

/** Routes below `/docs`. */
export function docsRoutes(): Router {
  const routes = Router({ caseSensitive: true });

  routes.get('/', (_request, response) => {
    const items = codes.map(
      (code) =>
        `<li><span class="status">${errorCatalogue[code].status}</span> <a href="${documentationPath(code)}">${escapeHtml(title(code))}</a></li>`,
    );
    sendPage(response, 'Framewright API: refusals', `<ul>${items.join('')}</ul>`);
  });

  routes.get('/errors/:topic', (request, response) => {
    const { topic } = request.params;
    const code = codes.find((known) => documentationPath(known) === `/docs/errors/${topic}`);
    if (!code) throw new ApiError('route_not_found', { method: 'GET', path: request.originalUrl });
    const { status, help } = errorCatalogue[code];
    sendPage(
      response,
      title(code),
      `<p class="status">HTTP status ${status}</p><p>${escapeHtml(help)}</p><p><a href="/docs">All refusals</a></p>`,
    );
  });

  return routes;
}

/** The sentence of a refusal with its holes shown as an ellipsis. */
function title(code: ErrorCode): string {
  return errorCatalogue[code].sentence.replace(/\{\w+\}/g, '…').replace(/\.$/, '');
}

function sendPage(response: Response, heading: string, body: string): void {
  response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  response
    .type('html')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(heading)}</title><style>${style}</style></head><body><h1>${escapeHtml(heading)}</h1>${body}</body></html>`,
    );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
