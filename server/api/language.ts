/**
 * The language for its authors: a JSON Schema for editors, and the property reference as a page. Both come from the tables
 * of shared/renderscript. They need no key; nothing here belongs to a project.
 */
import { Router } from 'express';
import { animationTypes } from '../../shared/renderscript/animation-types.ts';
import { propertyReference } from '../../shared/renderscript/reference.ts';
import { renderScriptSchema } from '../../shared/renderscript/schema.ts';
import { galleryFolder } from '../paths.ts';

/** `/renderscript.schema.json`, `/docs/renderscript` and the pictures in it. */
export function languageRoutes(): Router {
  const routes = Router({ caseSensitive: true });

  routes.get('/renderscript.schema.json', (_request, response) => {
    response
      .type('application/schema+json')
      .send(`${JSON.stringify(renderScriptSchema(), null, 2)}\n`);
  });

  routes.get('/docs/renderscript', (_request, response) => {
    const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'";
    response.set('Content-Security-Policy', policy);
    response.type('html').send(referencePage());
  });

  routes.get('/docs/gallery/:file', (request, response, next) => {
    const { file } = request.params;
    // Only names of the table, so that no other file can be requested.
    if (!file.endsWith('.jpg') || !animationTypes.has(file.slice(0, -4))) {
      next();
      return;
    }
    response.type('jpg').sendFile(file, { root: galleryFolder() }, (error?: Error) => {
      if (error && !response.headersSent) next();
    });
  });

  return routes;
}

const style = `
  :root { color-scheme: light dark; --text: #1c2430; --quiet: #5c6675; --line: #d8dde5; --link: #2451c4; --code: #f1f3f6; }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e4e8ee; --quiet: #97a1b0; --line: #333b47; --link: #8fb0ff; --code: #20262f; }
    body { background: #14181f; }
  }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 3rem auto; padding: 0 1.25rem; color: var(--text); }
  a { color: var(--link); }
  nav { columns: 14rem; margin: 1.5rem 0 2rem; }
  nav a { display: block; }
  h2 { margin-top: 3rem; }
  h3 { margin: 2.25rem 0 0.5rem; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
  th, td { text-align: left; vertical-align: top; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); }
  th { color: var(--quiet); font-weight: 600; }
  td:first-child { white-space: nowrap; }
  code { font: 0.88em ui-monospace, monospace; background: var(--code); padding: 0.1em 0.3em; border-radius: 3px; }
  em { color: var(--quiet); }
  img { display: block; width: 100%; height: auto; margin: 0.75rem 0; border-radius: 6px; }
`;

function referencePage(): string {
  const reference = propertyReference();
  const headings = Array.from(reference.matchAll(/^### (.+)$/gm), ([, text = '']) => text);
  const links = headings.map((text) => `<a href="#${anchor(text)}">${inline(text)}</a>`);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>RenderScript reference</title>',
    `<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>`,
    '<h1>RenderScript reference</h1>',
    '<p>Editors that know JSON Schema complete and check documents with <a href="/renderscript.schema.json">renderscript.schema.json</a>.</p>',
    `<nav>${links.join('')}</nav>`,
    ...reference.split('\n\n').map(block),
    '</body></html>',
  ].join('\n');
}

/** One block of the reference: its Markdown contains only headings, tables and paragraphs. */
function block(markdown: string): string {
  const heading = /^(##+) (.+)$/.exec(markdown);
  if (heading) {
    const [, marks = '', text = ''] = heading;
    // Otherwise the chapter and the group of properties called Animations would share an anchor.
    const id = marks === '###' ? ` id="${anchor(text)}"` : '';
    return `<h${marks.length}${id}>${inline(text)}</h${marks.length}>${picture(text)}`;
  }
  if (!markdown.startsWith('|')) return `<p>${inline(markdown)}</p>`;
  const [head = '', , ...rows] = markdown.split('\n');
  return `<div class="wide"><table><thead>${row(head, 'th')}</thead><tbody>${rows.map((line) => row(line, 'td')).join('')}</tbody></table></div>`;
}

/** Eight moments of an animation, if the heading is the name of one. */
function picture(heading: string): string {
  const name = heading.replaceAll('`', '');
  if (name === heading || !animationTypes.has(name)) return '';
  return `<img src="/docs/gallery/${name}.jpg" alt="Eight moments of ${name}, from its beginning to its end." width="1474" height="110" loading="lazy">`;
}

function row(line: string, cell: 'th' | 'td'): string {
  const cells = line.slice(2, -2).split(/ \| /);
  return `<tr>${cells.map((text) => `<${cell}>${inline(text.trim().replaceAll('\\|', '|'))}</${cell}>`).join('')}</tr>`;
}

function anchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** `code` and *emphasis*; everything else is text. */
function inline(markdown: string): string {
  return escapeHtml(markdown)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
