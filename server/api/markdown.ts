/**
 * Turns the subset of Markdown used in the help pages into HTML: headings, paragraphs, lists, tables, code blocks, and
 * inside them `code`, **bold**, *emphasis* and links. Everything else is text. Pure.
 */

/** HTML of a page's text. Nothing in the text can become a tag. */
export function markdownHtml(text: string): string {
  return blocksOf(text).map(blockHtml).join('\n');
}

/** Text as it may stand in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Empty lines separate blocks, except inside a code block. */
function blocksOf(text: string): string[] {
  return text
    .split(/^(```[^]*?^```)$/m)
    .flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n\s*\n/)))
    .map((block) => block.trim())
    .filter((block) => block !== '');
}

function blockHtml(block: string): string {
  if (block.startsWith('```')) return `<pre><code>${escapeHtml(codeOf(block))}</code></pre>`;
  if (block.startsWith('|')) return tableHtml(block.split('\n'));
  if (block.startsWith('- ')) {
    const items = block.split(/^- /m).filter((item) => item.trim() !== '');
    return `<ul>${items.map((item) => `<li>${inlineHtml(item.trim())}</li>`).join('')}</ul>`;
  }
  const [, marks, heading] = /^(#{2,4}) (.*)$/.exec(block) ?? [];
  if (marks === undefined || heading === undefined) return `<p>${inlineHtml(block)}</p>`;
  const level = marks.length;
  return `<h${level} id="${anchorOf(heading)}">${inlineHtml(heading)}</h${level}>`;
}

function codeOf(block: string): string {
  return block.replace(/^```\w*\n/, '').replace(/\n?```$/, '');
}

function tableHtml([head = '', , ...rows]: readonly string[]): string {
  const row = (line: string, tag: string): string =>
    `<tr>${cellsOf(line)
      .map((cell) => `<${tag}>${inlineHtml(cell)}</${tag}>`)
      .join('')}</tr>`;
  const body = rows.map((line) => row(line, 'td')).join('');
  return `<div class="wide"><table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table></div>`;
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
            .replace(/\*([^*]+)\*/g, '<em>$1</em>')
            .replace(/\[([^\]]+)\]\((\/[\w./#-]*)\)/g, '<a href="$2">$1</a>'),
    )
    .join('');
}

/** `POST /v2/renders` → `post-v2-renders`. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
