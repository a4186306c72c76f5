/**
 * Turns the subset of Markdown used in the help pages into HTML: headings, paragraphs, lists, tables, code blocks, and
 * inside them `code`, **bold**, *emphasis* and links to other pages. A block of the language `pictures` shows cells of
 * a sheet. Everything else is text. Pure.
 *
 * Not markdown-it (15): seven packages, and anchors, pictures, tables and code would still need rules of ours.
 */

/** HTML of a page's text. Nothing in the text can become a tag. */
export function markdownHtml(text: string): string {
  const places = headingsOf(text).values();
  const html = blocksOf(text).map((block) =>
    headingOf(block) ? headingHtml(places.next().value) : blockHtml(block),
  );
  return html.join('\n');
}

/** Text as it may stand in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A heading of a page. */
export interface Heading {
  /** 2 is the highest below the title. */
  readonly level: number;
  readonly text: string;
  /** Its place on the page, for links: `POST /v2/renders` → `post-v2-renders`. */
  readonly anchor: string;
}

/** The headings of a text, in order. Of several with the same words, the later ones have a number in their anchor. */
export function headingsOf(text: string): readonly Heading[] {
  const known = new Map<string, number>();
  return blocksOf(text).flatMap((block) => {
    const heading = headingOf(block);
    if (!heading) return [];
    const anchor = anchorOf(heading.text);
    const count = (known.get(anchor) ?? 0) + 1;
    known.set(anchor, count);
    return { ...heading, anchor: count === 1 ? anchor : `${anchor}-${count}` };
  });
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** A sheet of pictures beside each other; captions say what is in each. */
export interface Sheet {
  /** Address of the picture file. */
  readonly address: string;
  /** One for each cell, from left to right. */
  readonly captions: readonly string[];
  /** Pixels of a cell. */
  readonly width: number;
  readonly height: number;
}

/** The block that shows a sheet. */
export function sheetBlock({ address, captions, width, height }: Sheet): string {
  return ['```pictures', `${address} ${width} ${height}`, ...captions, '```'].join('\n');
}

/** A text without its pictures, for readers that see none. */
export function withoutPictures(text: string): string {
  return text.replace(/^```pictures\n[^]*?^```\n*/gm, '');
}

/** Empty lines separate blocks, except inside a code block. */
function blocksOf(text: string): string[] {
  return text
    .split(/^(```[^]*?^```)$/m)
    .flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n\s*\n/)))
    .map((block) => block.trim())
    .filter((block) => block !== '');
}

function headingOf(block: string): Omit<Heading, 'anchor'> | null {
  const [, marks, text] = /^(#{2,4}) (.*)$/.exec(block) ?? [];
  return marks === undefined || text === undefined ? null : { level: marks.length, text };
}

function blockHtml(block: string): string {
  if (block.startsWith('```')) return codeHtml(block);
  if (block.startsWith('|')) return tableHtml(block.split('\n'));
  if (block.startsWith('- ')) return listHtml('ul', block.split(/^- /m));
  if (/^1\. /.test(block)) return listHtml('ol', block.split(/^\d+\. /m));
  return `<p>${inlineHtml(block)}</p>`;
}

function headingHtml(heading: Heading | undefined): string {
  if (!heading) return '';
  const { level, text, anchor } = heading;
  return `<h${level} id="${anchor}">${inlineHtml(text)}</h${level}>`;
}

function listHtml(tag: 'ul' | 'ol', parts: readonly string[]): string {
  const items = parts.map((part) => part.trim()).filter((part) => part !== '');
  return `<${tag}>${items.map((item) => `<li>${inlineHtml(item)}</li>`).join('')}</${tag}>`;
}

function codeHtml(block: string): string {
  const [, language = '', code = ''] = /^```(\w*)\n([^]*?)\n?```$/.exec(block) ?? [];
  if (language === 'pictures') return sheetHtml(code.split('\n'));
  const mark = language === '' ? '' : ` class="language-${language}"`;
  return `<pre tabindex="0"><code${mark}>${escapeHtml(code)}</code></pre>`;
}

/** Each cell is the whole sheet, cut: one file for all, and they wrap where the page is narrow. */
function sheetHtml([file = '', ...captions]: readonly string[]): string {
  const [address = '', width = '1', height = '1'] = file.split(' ');
  const cells = captions.map((caption, index) => {
    const place = captions.length === 1 ? 0 : (100 * index) / (captions.length - 1);
    const picture = `<img src="${escapeHtml(address)}" alt="" loading="lazy" style="aspect-ratio:${Number(width)}/${Number(height)};object-position:${place.toFixed(3)}% 0">`;
    const words = caption === '' ? '' : `<figcaption>${inlineHtml(caption)}</figcaption>`;
    return `<figure>${picture}${words}</figure>`;
  });
  return `<div class="pictures">${cells.join('')}</div>`;
}

function tableHtml([head = '', , ...rows]: readonly string[]): string {
  const row = (line: string, tag: string): string =>
    `<tr>${cellsOf(line)
      .map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`)
      .join('')}</tr>`;
  const body = rows.map((line) => row(line, 'td')).join('');
  return `<div class="wide" tabindex="0"><table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table></div>`;
}

/** A bar with a backslash before it is part of its cell. */
function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Code first, so that nothing inside it counts as a mark. */
function inlineHtml(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`')
        ? `<code>${escapeHtml(part.slice(1, -1))}</code>`
        : escapeHtml(part)
            .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
            .replace(/\*([^*]+)\*/g, '<em>$1</em>'),
    )
    .join('')
    .replace(
      /\[((?:[^\]<]|<[^>]*>)+)\]\(((?:[/#]|framewright:\/\/)[\w./#-]*)\)/g,
      '<a href="$2">$1</a>',
    );
}
