/**
 * Comments of at most 120 columns, which Prettier leaves alone: `node test/comments.mjs` lists longer lines, `npm run
 * format` (`--fix`) wraps them. Only files that have a long line with a comment's mark are parsed, so that it takes no
 * time. Files that comments name must be there; test/names-in-docs.test.ts looks at those that pages name.
 *
 *   node test/comments.mjs [--fix] [FILE …]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const most = 120;
/** Comments that programs read, at their places. */
const isDirective = (comment) =>
  /^(\/\/|\/\*+|<!--)\s*(eslint|@ts-|prettier-ignore|svelte-ignore|@__PURE__)/.test(comment);
const columns = (line) => [...line].length;
const isSuspect = (line) => columns(line) > most && /\/\/|\/\*|^\s*\*|<!--/.test(line);

const { default: ts } = await import('typescript');

/** Where the comments of a text in TypeScript are. */
function rangesOf(text, offset = 0) {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, false);
  const found = new Map();
  const add = (ranges) => {
    for (const { pos, end } of ranges ?? []) found.set(pos + offset, end + offset);
  };
  const visit = (node) => {
    // Children of a template are text; its expressions are visited by themselves.
    if (ts.isTemplateLiteralToken(node)) return;
    add(ts.getLeadingCommentRanges(text, node.pos));
    add(ts.getTrailingCommentRanges(text, node.end));
    ts.forEachChild(node, visit);
  };
  visit(file);
  visit(file.endOfFileToken);
  // Before closing brackets and after commas no node begins: lines that are nothing but a comment, outside of
  // templates.
  const templates = [];
  const collect = (node) => {
    if (ts.isTemplateLiteralToken(node)) templates.push([node.pos, node.end]);
    ts.forEachChild(node, collect);
  };
  collect(file);
  const isInText = (place) => templates.some(([from, to]) => place > from && place < to);
  for (const match of text.matchAll(/^[ \t]*(\/\/.*|\/\*[^]*?\*\/)[ \t]*$/gm)) {
    const pos = match.index + match[0].indexOf(match[1]);
    if (
      !isInText(pos) &&
      ![...found].some(([from, to]) => pos + offset > from && pos + offset < to)
    )
      found.set(pos + offset, pos + offset + match[1].length);
  }
  return found;
}

/** Of a whole file, in order of their places: those of the script, of the markup, of the styles. */
function commentsOf(name, text) {
  const found = new Map();
  const addAll = (ranges) => ranges.forEach((end, pos) => found.set(pos, end));
  if (name.endsWith('.css')) {
    for (const { 0: all, index } of text.matchAll(/\/\*[^]*?\*\//g))
      found.set(index, index + all.length);
  } else if (name.endsWith('.svelte')) {
    for (const { 1: tag, 2: inside, index } of text.matchAll(/(<script[^>]*>)([^]*?)<\/script>/g))
      addAll(rangesOf(inside, index + tag.length));
    for (const { 0: style, index } of text.matchAll(/<style>[^]*?<\/style>/g))
      for (const { 0: all, index: inner } of style.matchAll(/\/\*[^]*?\*\//g))
        found.set(index + inner, index + inner + all.length);
    for (const { 0: all, index } of text.matchAll(/<!--[^]*?-->/g))
      found.set(index, index + all.length);
  } else addAll(rangesOf(text));
  return [...found].sort(([a], [b]) => a - b).map(([pos, end]) => ({ pos, end }));
}

/** Words to lines. `first` stands before the first one, `next` before the others. */
function wrap(words, first, next) {
  const lines = [];
  let line = first;
  for (const word of words) {
    const isEmpty = line === first || line === next;
    if (!isEmpty && columns(line) + 1 + columns(word) > most) {
      lines.push(line);
      line = next + word;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...lines, line];
}

/**
 * Wraps the paragraphs of a comment that have a long line; the others stay as they are.
 *
 * @param contents Its lines without their marks.
 * @param mark What each line begins with.
 */
function wrapped(contents, mark) {
  const begins = (line) => /^(@\w|- |\d+\. |\| |\S+ {2,})/.test(line);
  const paragraphs = [];
  for (const line of contents) {
    const last = paragraphs.at(-1);
    const isPlain = line.trim() !== '' && !begins(line);
    const isOwn = /^ {2,}/.test(line) && !(last && begins(last[0]));
    const goesOn = last && last[0].trim() !== '' && isPlain && !isOwn && !/^ {2,}/.test(last[0]);
    if (goesOn) last.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs.flatMap((lines) => {
    if (!lines.some((line) => columns(mark + line) > most)) return lines.map((line) => mark + line);
    const hang =
      lines.length > 1 ? (/^ */.exec(lines[1])?.[0] ?? '') : /^- /.test(lines[0]) ? '  ' : '';
    const lead = /^ */.exec(lines[0])?.[0] ?? '';
    const words = lines.join(' ').trim().split(/\s+/);
    return wrap(words, mark + lead, mark + (lead || hang));
  });
}

/** A text with its long comments wrapped. */
function fixed(name, text) {
  const edits = [];
  const comments = commentsOf(name, text);
  for (let i = 0; i < comments.length; i++) {
    const { pos, end } = comments[i];
    const lineStart = text.lastIndexOf('\n', pos - 1) + 1;
    const before = text.slice(lineStart, pos);
    const comment = text.slice(pos, end);
    const lineEnd = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end);
    const whole = text.slice(lineStart, lineEnd).split('\n');
    if (isDirective(comment)) continue;
    const indent = /^[ \t]*/.exec(before)[0];
    if (comment.startsWith('//')) {
      if (before.trim() !== '') {
        if (columns(text.slice(lineStart, lineEnd)) <= most) continue;
        const above = wrapped([comment.slice(2).trim()], `${indent}// `);
        edits.push([lineStart, lineEnd, [...above, before.trimEnd()].join('\n')]);
        continue;
      }
      // With the lines below it that are comments alone, at the same place.
      let last = i;
      while (
        comments[last + 1] &&
        text.slice(comments[last].end, comments[last + 1].pos) === `\n${before}` &&
        text.startsWith('//', comments[last + 1].pos)
      )
        last++;
      const stop = comments[last].end;
      const lines = text.slice(lineStart, stop).split('\n');
      if (lines.some((line) => columns(line) > most)) {
        const contents = lines.map((line) => line.slice(before.length + 2).replace(/^ /, ''));
        edits.push([lineStart, stop, wrapped(contents, `${before}// `).join('\n')]);
      }
      i = last;
      continue;
    }
    if (!whole.some((line) => columns(line) > most) || text.slice(end, lineEnd).trim() !== '')
      continue;
    if (before.trim() !== '') continue;
    const isHtml = comment.startsWith('<!--');
    const opening = isHtml ? '<!--' : comment.startsWith('/**') ? '/**' : '/*';
    const inside = comment.slice(opening.length, isHtml ? -3 : -2);
    const mark = isHtml ? `${indent}  ` : `${indent} * `;
    const contents = inside
      .split('\n')
      .map((line) => (isHtml ? line.trim() : line.replace(/^\s*\* ?/, '').trimEnd()))
      .map((line, n) => (n === 0 ? line.trim() : line));
    if (!isHtml && contents.length === 1)
      contents.splice(0, 1, ...contents[0].split(/ (?=@(?:throws|returns|param) )/));
    if (contents[0] === '') contents.shift();
    if (contents.at(-1).trim() === '') contents.pop();
    const lines = wrapped(contents, mark).map((line) => line.trimEnd());
    const closing = isHtml ? `${indent}-->` : `${indent} */`;
    edits.push([lineStart, end, [indent + opening, ...lines, closing].join('\n')]);
  }
  let result = text;
  for (const [from, to, replacement] of edits.reverse())
    result = result.slice(0, from) + replacement + result.slice(to);
  return result;
}

/** Lines of comments that are too long, as `file:line`. */
function longLines(name, text) {
  const places = new Set();
  for (const { pos, end } of commentsOf(name, text)) {
    if (isDirective(text.slice(pos, end))) continue;
    const lineStart = text.lastIndexOf('\n', pos - 1) + 1;
    const first = text.slice(0, lineStart).split('\n').length;
    text
      .slice(lineStart, end)
      .split('\n')
      .forEach((line, n) => {
        // A web address can't be divided.
        if (columns(line) > most && !/\S{100}/.test(line)) places.add(`${name}:${first + n}`);
      });
  }
  return [...places];
}

/** Names of files of the house in a line, as `timeline.ts` or `../store/feeds.ts`. */
const namedFile =
  /(?<![\w*{}.-])(?:\.{0,2}\/)?(?:[\w.-]+\/)*[a-zA-Z][\w-]*(?:\.[a-z]+)*\.(?:ts|svelte|mjs|md)\b/g;
/** What no file of this house is meant by. */
const isOther = (name) => /(^|\/)(NAME|SLUG)\.|^dist\//.test(name);

/** Files that a text names in its comments, and that are not there: as `file:line name`. */
function lostNames(name, text, isThere) {
  return text.split('\n').flatMap((line, n) => {
    if (!/^\s*(\*|\/\/|\/\*|<!--)/.test(line)) return [];
    return [...line.matchAll(namedFile)].flatMap(([found]) => {
      const tail = found.replace(/^(\.{0,2}\/)+/, '');
      return isThere(tail) || isOther(found) ? [] : [`${name}:${n + 1} ${found}`];
    });
  });
}

const fixes = process.argv.includes('--fix');
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...chosen], {
  cwd: root,
  encoding: 'utf8',
});
const all = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root });
const tails = new Set(
  all
    .toString()
    .split('\n')
    .flatMap((name) => name.split('/').map((_, n, parts) => parts.slice(n).join('/'))),
);
const long = [];
const lost = [];
for (const name of listed.split('\n')) {
  if (!/\.(ts|cts|mts|mjs|cjs|svelte|css)$/.test(name)) continue;
  const file = path.join(root, name);
  const text = readFileSync(file, 'utf8');
  lost.push(...lostNames(name, text, (tail) => tails.has(tail)));
  if (!text.split('\n').some(isSuspect)) continue;
  const now = fixes ? fixed(name, text) : text;
  if (now !== text) writeFileSync(file, now);
  long.push(...longLines(name, now));
}
if (long.length > 0) {
  console.log(
    `Comments of more than ${most} columns (npm run format wraps most):\n${long.join('\n')}`,
  );
}
if (lost.length > 0)
  console.log(`Files that comments name and that are not there:\n${lost.join('\n')}`);
process.exit(long.length + lost.length === 0 ? 0 : 1);
