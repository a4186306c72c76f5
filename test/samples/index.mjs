/**
 * Writes `index.html`: every sample on one page, by kind, with what it shows, its source and its accepted pictures. The
 * page is static: relative links, no server, nothing inlined but the sources.
 *
 *   npm run generate -- samples                        writes the page, and says where
 *   node test/samples/index.mjs --check    writes nothing; fails when the page would show a picture that is not there
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const page = path.join(folder, 'index.html');

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #1c7ed6; }
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.45 system-ui, sans-serif; background: Canvas; color: CanvasText; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center;
  padding: 10px 20px; background: Canvas; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 17px; }
input { flex: 0 1 320px; min-width: 0; padding: 6px 10px; font: inherit; color: inherit; background: var(--soft);
  border: 1px solid var(--line); border-radius: 6px; }
a { color: inherit; text-decoration: none; }
a:hover { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
nav { display: flex; flex-wrap: wrap; gap: 4px 6px; padding: 12px 20px 0; }
nav a { padding: 2px 9px; border: 1px solid var(--line); border-radius: 99px; }
small, output { opacity: 0.7; }
main { padding: 0 20px 40px; }
section, article { scroll-margin-top: 64px; }
h2 { margin: 28px 0 10px; font-size: 15px; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); gap: 16px; }
article { min-width: 0; padding: 12px; border: 1px solid var(--line); border-radius: 8px; }
article:target { border-color: var(--accent); }
.moving { grid-column: span 2; }
h3 { margin: 0; font-size: 14px; }
article p { margin: 2px 0 10px; opacity: 0.8; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(110px, 1fr)); gap: 8px; }
figure { margin: 0; }
img { display: block; width: 100%; height: auto; max-height: 360px; object-fit: contain;
  background: repeating-conic-gradient(#8883 0 25%, #8881 0 50%) 0 0 / 16px 16px; }
figcaption { margin-top: 2px; font-size: 12px; text-align: center; opacity: 0.7; }
details { margin-top: 10px; }
summary { cursor: pointer; opacity: 0.8; }
pre { max-height: 420px; margin: 6px 0 0; padding: 10px; overflow: auto; font: 12px/1.5 ui-monospace, monospace;
  background: var(--soft); border-radius: 6px; }
[hidden] { display: none !important; }
@media (max-width: 620px) { .moving { grid-column: auto; } }
`;

const script = `
const box = document.getElementById('filter');
const cards = [...document.querySelectorAll('article')];
const whole = document.getElementById('count').textContent;
function filter() {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const card of cards) {
    const text = card.id + ' ' + card.querySelector('p').textContent.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
    if (!card.hidden) shown += 1;
  }
  for (const section of document.querySelectorAll('section'))
    section.hidden = !section.querySelector('article:not([hidden])');
  document.getElementById('none').hidden = shown > 0;
  document.getElementById('count').textContent = words.length === 0 ? whole : shown + ' of ' + cards.length;
}
box.addEventListener('input', filter);
filter();
`;

/** Columns that a line of source may take before its object is spread over several lines. */
const widestLine = 90;

const samples = readdirSync(folder, { withFileTypes: true })
  .filter(
    (entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, 'sample.json')),
  )
  .map(({ name }) => readSample(name))
  .sort((one, two) => (one.name < two.name ? -1 : 1));
const html = pageOf(samples);

if (!process.argv.includes('--check')) {
  writeFileSync(page, html);
  console.log(page);
}
for (const { name, pictures } of samples) {
  for (const { file } of pictures) {
    if (existsSync(path.join(folder, name, file))) continue;
    console.error(`${name}/${file} is not there: accept it with UPDATE_SAMPLES=1.`);
    process.exitCode = 1;
  }
}

/** What the page needs to know of a folder. */
function readSample(name) {
  const read = (file) => JSON.parse(readFileSync(path.join(folder, name, file), 'utf8'));
  const { shows, moments } = read('sample.json');
  const source = read('source.json');
  const pictures = (moments ?? [null]).map((moment) => ({
    file: moment === null ? 'expected.png' : `expected-${moment.toFixed(2)}.png`,
    caption: moment === null ? '' : `${moment} s`,
  }));
  return { name, shows, source, pictures };
}

function pageOf(all) {
  const groups = grouped(all);
  const pictures = all.reduce((sum, sample) => sum + sample.pictures.length, 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Picture samples</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Picture samples</h1>
<input id="filter" type="search" placeholder="Filter by name or text" aria-label="Filter samples" autofocus>
<output id="count">${all.length} samples, ${pictures} pictures</output>
</header>
<nav aria-label="Kinds">${[...groups].map(([kind, members]) => `<a href="#${kind}">${kind} <small>${members.length}</small></a>`).join('\n')}</nav>
<main>
${[...groups].map(sectionOf).join('\n')}
<p id="none" hidden>No sample matches.</p>
</main>
<script>${script}</script>
</body>
</html>
`;
}

function kindOf({ name }) {
  return name.split('-')[0];
}

/** Samples by kind, in order. (`Map.groupBy` needs Node 21.) */
function grouped(all) {
  const groups = new Map();
  for (const sample of all) {
    const kind = kindOf(sample);
    groups.set(kind, [...(groups.get(kind) ?? []), sample]);
  }
  return groups;
}

function sectionOf([kind, members]) {
  return `<section id="${kind}"><h2>${kind}</h2><div class="grid">
${members.map(cardOf).join('\n')}
</div></section>`;
}

function cardOf({ name, shows, source, pictures }) {
  const { width, height } = source;
  const size = width && height ? ` width="${width}" height="${height}"` : '';
  const figures = pictures.map(
    ({ file, caption }) =>
      `<figure><a href="${name}/${file}"><img src="${name}/${file}" alt="${name}${caption && `, ${caption}`}" loading="lazy"${size}></a>${caption && `<figcaption>${caption}</figcaption>`}</figure>`,
  );
  return `<article id="${name}" class="${pictures.length > 1 ? 'moving' : 'still'}"><h3><a href="#${name}">${name}</a></h3>
<p>${escaped(shows)}</p>
<div class="pictures">${figures.join('')}</div>
<details><summary>Source</summary><pre>${escaped(written(source))}</pre></details></article>`;
}

/** JSON in lines as long as may be: what fits on one stands on one. */
function written(value, indent = '') {
  const whole = onOneLine(value);
  if (typeof value !== 'object' || value === null) return whole;
  if (indent !== '' && indent.length + whole.length <= widestLine) return whole;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((part) => written(part, inner))
    : Object.entries(value).map(([key, part]) => `"${key}": ${written(part, inner)}`);
  const lines = [];
  for (const part of parts) {
    const line = lines.at(-1);
    const fits =
      line && !`${line}${part}`.includes('\n') && `${inner}${line}, ${part}`.length <= widestLine;
    if (fits && !Array.isArray(value)) lines.splice(-1, 1, `${line}, ${part}`);
    else lines.push(part);
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
}

function onOneLine(value) {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `"${key}": ${onOneLine(part)}`);
  return `{ ${parts.join(', ')} }`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
