/**
 * What every help page has around its text: head, search, list of pages, contents, and the style for screens, phones
 * and paper. Pure.
 */
import { escapeHtml, headingsOf, markdownHtml } from './markdown.ts';

const style = `
  :root { color-scheme: light dark; --text: #1c2430; --quiet: #5c6675; --page: #fff; --link: #2451c4; --field: #f4f6f9;
    --line: #dfe4ea; --mark: #e8eefc; --shade: 0 8px 30px rgba(20,30,60,.16);
    --word: #0b6b43; --name: #a0330c; --note: #5f6977; }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e4e8ee; --quiet: #9aa5b4; --page: #14181f; --link: #8fb0ff; --field: #1d232c; --line: #2f3844;
      --mark: #22304f; --shade: 0 8px 30px rgba(0,0,0,.5); --word: #7fd6a8; --name: #ffb08a; --note: #8e99a8; }
    .pictures img { filter: brightness(.92); }
  }
  * { box-sizing: border-box; }
  html { scroll-padding-top: 5rem; }
  body { font: 16px/1.6 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--page); overflow-wrap: break-word; }
  .skip { position: absolute; left: -99rem; }
  .skip:focus { left: 1rem; top: 1rem; z-index: 3; background: var(--page); padding: .5rem 1rem; }
  header { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line); }
  header > div { display: flex; align-items: center; gap: 1rem; max-width: 78rem; margin: 0 auto; padding: .625rem 1.5rem; }
  header .home { font-weight: 650; color: var(--text); text-decoration: none; white-space: nowrap; margin-right: auto; }
  header .home span { color: var(--quiet); font-weight: 400; }
  header .jump { display: none; white-space: nowrap; }
  form { position: relative; flex: 0 1 24rem; }
  input { width: 100%; font: inherit; font-size: .9375rem; padding: .4375rem .75rem; color: inherit; background: var(--field);
    border: 1px solid var(--line); border-radius: 8px; }
  a:focus-visible, input:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
  .findings { list-style: none; margin: 0; padding: 0; }
  .findings a { display: block; padding: .5rem .75rem; border-radius: 6px; text-decoration: none; color: var(--text); }
  .findings a:hover, .findings a:focus { background: var(--mark); }
  .findings b { font-weight: 600; }
  .findings span { color: var(--quiet); }
  .findings p { margin: .125rem 0 0; color: var(--quiet); font-size: .875rem; line-height: 1.45; }
  form .findings { position: absolute; top: calc(100% + .375rem); right: 0; width: min(32rem, calc(100vw - 2rem)); max-height: 70vh;
    overflow-y: auto; padding: .375rem; background: var(--page); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shade); }
  .frame { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3.5rem; max-width: 78rem; margin: 0 auto; padding: 2rem 1.5rem 5rem; }
  main { min-width: 0; max-width: 54rem; grid-column: 2; grid-row: 1; }
  .topics { grid-column: 1; grid-row: 1; position: sticky; top: 5rem; align-self: start; max-height: calc(100vh - 6rem); overflow-y: auto; padding-left: .625rem; margin-left: -.625rem; font-size: .9375rem; scrollbar-width: thin; }
  .topics b { display: block; margin: 1.25rem 0 .25rem; font-size: .8125rem; color: var(--quiet); font-weight: 600; }
  .topics b:first-child { margin-top: 0; }
  .topics a { display: block; padding: .1875rem .625rem; margin-left: -.625rem; border-radius: 6px; text-decoration: none; color: var(--text); }
  .topics a:hover { color: var(--link); }
  .topics a[aria-current] { background: var(--mark); color: var(--link); font-weight: 600; }
  .contents { font-size: .9375rem; padding: .75rem 1rem; margin: 0 0 2rem; background: var(--field); border-radius: 10px; line-height: 1.9; }
  .contents a { text-decoration: none; white-space: nowrap; margin-right: 1.25rem; }
  .contents code { background: none; padding: 0; white-space: nowrap; color: inherit; }
  a { color: var(--link); }
  h1 { font-size: 2rem; line-height: 1.25; margin: 0 0 1rem; letter-spacing: -.01em; }
  h2 { font-size: 1.375rem; line-height: 1.3; margin: 3rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
  h3 { font-size: 1.0625rem; margin: 2.25rem 0 .5rem; }
  h3 code { font-size: 1em; font-weight: 650; }
  p { margin: .625rem 0; }
  code { font: .875em/1.5 ui-monospace, monospace; background: var(--field); padding: .125em .3em; border-radius: 4px; overflow-wrap: anywhere; }
  pre { background: var(--field); padding: .875rem 1rem; border-radius: 10px; overflow-x: auto; line-height: 1.5; }
  pre code { background: none; padding: 0; overflow-wrap: normal; }
  pre .s { color: var(--word); } pre .k { color: var(--name); } pre .c { color: var(--note); }
  .wide { overflow-x: auto; margin: .75rem 0; }
  table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
  th, td { text-align: left; vertical-align: top; padding: .4375rem 1rem .4375rem 0; border-bottom: 1px solid var(--line); }
  td code { overflow-wrap: break-word; }
  /* Paths of systems stand side by side: the last column must not leave the page. */
  td:nth-child(n + 4) code { overflow-wrap: anywhere; }
  @media (min-width: 52rem) { td:first-child code { white-space: nowrap; } }
  th { color: var(--quiet); font-weight: 600; font-size: .875rem; white-space: nowrap; }
  ul, ol { padding-left: 1.375rem; }
  li { margin: .35rem 0; }
  .pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .75rem; margin: .875rem 0; }
  figure { margin: 0; min-width: 0; break-inside: avoid; }
  figure img { display: block; width: 100%; object-fit: cover; border-radius: 8px; background: var(--field); }
  figcaption { font-size: .8125rem; margin-top: .25rem; color: var(--quiet); }
  figcaption code { background: none; padding: 0; color: inherit; font-size: .8125rem; }

  .status { color: var(--quiet); font-variant-numeric: tabular-nums; }
  .next { display: flex; justify-content: space-between; gap: 1rem; margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); }
  .next a { text-decoration: none; }
  @media (max-width: 52rem) {
    header > div { padding: .5rem 1rem; gap: .75rem; }
    header .home span { display: none; }
    header .jump { display: block; }
    .frame { display: block; padding: 1.25rem 1rem 3rem; }
    .topics { position: static; max-height: none; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1rem; }
    .topics a { padding: .4375rem .625rem; }
    .contents { max-height: 9.5rem; overflow-y: auto; }
    .pictures { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    h1 { font-size: 1.625rem; }
  }
  @media print {
    :root { --text: #000; --quiet: #444; --page: #fff; --link: #000; --field: #f4f4f4; --line: #bbb; --word: #000; --name: #000; --note: #444; }
    header, .topics, .contents, .next, .skip { display: none; }
    .frame { display: block; padding: 0; max-width: none; }
    main { max-width: none; }
    body { font-size: 10.5pt; }
    pre { white-space: pre-wrap; border: 1px solid var(--line); }
    h1, h2, h3, h4 { break-after: avoid; }
    table, pre { break-inside: avoid; }
    .pictures { grid-template-columns: repeat(4, 1fr); }
    img { print-color-adjust: exact; filter: none !important; }
  }
`;

/** Nothing comes from anywhere else, and the one script only asks this server. */
export const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'";

/** One page. */
export interface Page {
  /** Which page of the list it belongs to. */
  readonly slug: string;
  readonly title: string;
  /** HTML below the title. */
  readonly body: string;
  /** What stands in the search field. */
  readonly question?: string;
}

/** A whole page as HTML. */
export function pageHtml(page: Page, sections: readonly TopicSection[]): string {
  const { slug, title, body, question = '' } = page;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} – Framewright</title><style>${style}</style></head><body>`,
    '<a class="skip" href="#page-text">To the text</a>',
    '<header><div><a class="home" href="/docs">Framewright <span>Help</span></a>',
    '<a class="jump" href="#page-topics">Topics</a>',
    '<form role="search" action="/docs/search">',
    `<input type="search" name="q" value="${escapeHtml(question)}" placeholder="Search ( / )" aria-label="Search the help" autocomplete="off" maxlength="100">`,
    '<ul class="findings" hidden></ul></form></div></header>',
    `<div class="frame"><main id="page-text"><h1>${escapeHtml(title)}</h1>${body}${neighbours(slug, sections)}</main>`,
    navigation(slug, sections),
    '</div><script src="/docs/search.js" defer></script></body></html>',
  ].join('');
}

/** The text of a page with its contents. */
export function textHtml(text: string): string {
  return `${contentsHtml(text)}${colored(markdownHtml(text))}`;
}

/** Pages with fewer headings need no contents. */
const fewestHeadings = 4;

function contentsHtml(text: string): string {
  const headings = headingsOf(text);
  const highest = headings.filter(({ level }) => level === 2);
  const shown =
    highest.length >= fewestHeadings ? highest : headings.filter(({ level }) => level <= 3);
  if (shown.length < fewestHeadings) return '';
  const links = shown.map(({ text: words, anchor }) => {
    const name = words.startsWith('`')
      ? `<code>${escapeHtml(words.replaceAll('`', ''))}</code>`
      : escapeHtml(words.replaceAll('`', ''));
    return `<a href="#${anchor}">${name}</a>`;
  });
  return `<nav class="contents" aria-label="On this page">${links.join(' ')}</nav>`;
}

/** Code in three colors: strings, names before a colon, comments. */
function colored(html: string): string {
  return html.replace(
    /(<pre[^>]*><code class="language-(?:json|ts|python|sh)">)([^]*?)(<\/code>)/g,
    (_, begin: string, code: string, end: string) =>
      begin +
      code.replace(
        /((?:^|\s)(?:\/\/|#) [^\n]*)|(&#34;(?:(?!&#34;)[^\n])*&#34;|&#39;(?:(?!&#39;)[^\n])*&#39;)(\s*:)?/g,
        (_whole, note?: string, words?: string, colon?: string) =>
          note !== undefined
            ? `<span class="c">${note}</span>`
            : `<span class="${colon === undefined ? 's' : 'k'}">${words ?? ''}</span>${colon ?? ''}`,
      ) +
      end,
  );
}

/** The list of all pages. @param current The slug of the current page. */
function navigation(current: string, sections: readonly TopicSection[]): string {
  const parts = sections.map(({ name, topics }) => {
    const links = topics.map((topic) => {
      const mark = topic.slug === current ? ' aria-current="page"' : '';
      return `<a href="${addressOf(topic)}" title="${escapeHtml(topic.summary)}"${mark}>${escapeHtml(topic.title)}</a>`;
    });
    return `<b>${escapeHtml(name)}</b>${links.join('')}`;
  });
  return `<nav class="topics" id="page-topics" aria-label="Topics">${parts.join('')}</nav>`;
}

/** Links to the pages before and after. */
function neighbours(current: string, sections: readonly TopicSection[]): string {
  const all = sections.flatMap(({ topics }) => topics);
  const at = all.findIndex(({ slug }) => slug === current);
  if (at < 0) return '';
  const link = (index: number, text: (title: string) => string): string => {
    const topic = all[index];
    return topic
      ? `<a href="${addressOf(topic)}">${escapeHtml(text(topic.title))}</a>`
      : '<span></span>';
  };
  return `<nav class="next" aria-label="Neighbours">${link(at - 1, (title) => `← ${title}`)}${link(at + 1, (title) => `${title} →`)}</nav>`;
}

/** One page. */
export interface Topic {
  /** `/docs/SLUG`; empty for `/docs` itself. */
  readonly slug: string;
  readonly title: string;
  /** One line for the list of pages. */
  readonly summary: string;
  /** Markdown. @param apiUrl the address of this server, for examples. */
  readonly text: (apiUrl: string) => string;
}

/** Pages that stand together in the list. */
export interface TopicSection {
  readonly name: string;
  readonly topics: readonly Topic[];
}

/** The address of a page. */
export function addressOf({ slug }: Pick<Topic, 'slug'>): string {
  return slug === '' ? '/docs' : `/docs/${slug}`;
}
