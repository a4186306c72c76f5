/** Vector pictures: each row's pixels are those that Chromium shows, and what is not drawn is named. */
import { beforeAll, expect, test } from 'vitest';
import { canvasSurface } from '../../server/engine/canvas-surface.ts';
import { plainSvg } from '../../server/engine/assets/vectors/svg-picture.ts';
import { readSvg, svgTexts } from '../../server/engine/assets/vectors/svg-tree.ts';
import { drawSvg, loadSvgRenderer } from '../../server/engine/assets/vectors/svg-renderer.ts';
import { readPictureHeader } from '../../server/engine/assets/pictures/picture-header.ts';
import { drawWith } from '../../shared/engine/surface.ts';
import { vectorFonts } from '../helpers/drawing.ts';

drawWith(canvasSurface);
beforeAll(loadSvgRenderer);

const [red, blue, green, clear] = ['225 29 72 255', '37 99 235 255', '22 163 74 255', '0 0 0 0'];
const ground = '<rect width="300" height="200" fill="#e11d48"/>';
const arrow = (more: string, fill = '#e11d48'): string =>
  `<marker id="m" markerWidth="6" markerHeight="6" refX="0" refY="3" ${more}><path d="M0 0L6 3L0 6Z" fill="${fill}"/></marker>`;
const line = (more: string): string =>
  `<path d="M80 100H200" stroke="#2563eb" stroke-width="10" ${more}/>`;
const shadow =
  '<filter id="f"><feDropShadow dx="30" dy="30" stdDeviation="0" flood-color="#2563eb"/></filter>';

interface Picture {
  at(x: number, y: number): string;
  readonly omitted: readonly string[];
  readonly bytes: Uint8ClampedArray;
}

async function drawn(body: string, root = 'viewBox="0 0 300 200"'): Promise<Picture> {
  const bytes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${root}>${body}</svg>`,
  );
  const document = readSvg(bytes)!;
  const size = readPictureHeader('svg', bytes)!;
  const plain = plainSvg(document, await vectorFonts(svgTexts(document)), size);
  const canvas = drawSvg(plain, Math.round(size.width), Math.round(size.height));
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return {
    at: (x, y) =>
      [...data.subarray((y * canvas.width + x) * 4, (y * canvas.width + x) * 4 + 4)].join(' '),
    omitted: plain.omitted,
    bytes: data,
  };
}

/** What it shows, its elements, and its colours by place. */
const rows: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  [
    'numbers without a unit in a style',
    '<path style="fill:none;stroke:#e11d48;stroke-width:13.2;stroke-dasharray:none" d="M50 150L150 50L250 150"/>',
    { '150 55': red },
  ],
  [
    'numbers without a unit in a rule',
    '<style>.a{fill:none;stroke:#2563eb;stroke-width:8}</style><rect class="a" x="170" y="20" width="110" height="160"/>',
    { '173 100': blue, '160 100': clear },
  ],
  [
    'the beginning of dashes',
    '<path d="M20 100H280" style="stroke:#2563eb;stroke-width:30;stroke-dasharray:40;stroke-dashoffset:20"/>',
    { '30 100': blue, '50 100': clear, '90 100': blue },
  ],
  [
    'an arrow at the end',
    arrow('orient="auto"') + line('marker-end="url(#m)"'),
    { '215 100': red, '60 100': clear },
  ],
  [
    'arrows at both ends',
    arrow('orient="auto-start-reverse"') + line('style="marker:url(#m)"'),
    { '230 100': red, '50 100': red },
  ],
  [
    'an arrow in the colour of its line',
    arrow('orient="auto"', 'context-stroke') + line('marker-end="url(#m)"'),
    { '215 100': blue },
  ],
  [
    'mixed colours',
    `${ground}<rect width="150" height="200" fill="#2563eb" style="mix-blend-mode:multiply"/>`,
    { '50 100': '33 11 66 255', '200 100': red },
  ],
  [
    'the order of line and ground',
    '<circle cx="150" cy="100" r="60" fill="#16a34a" stroke="#e11d48" stroke-width="30" style="paint-order:stroke"/>',
    { '95 100': green, '80 100': red },
  ],
  [
    'a shadow',
    `${shadow}<rect x="50" y="50" width="100" height="100" fill="#16a34a" filter="url(#f)"/>`,
    { '60 60': green, '155 155': blue },
  ],
  [
    'a shadow of CSS',
    '<rect x="50" y="50" width="100" height="100" fill="#16a34a" style="filter:drop-shadow(30px 30px 0 #2563eb)"/>',
    { '60 60': green, '165 165': blue },
  ],
  [
    'a line that does not grow',
    '<g transform="scale(10)"><path d="M2 10H28" stroke="#e11d48" stroke-width="8" vector-effect="non-scaling-stroke"/></g>',
    { '150 102': red, '150 90': clear },
  ],
  [
    'variables',
    '<style>:root{--a:#16a34a;--c:var(--a)}.a{fill:var(--c)}.b{fill:var(--no,#2563eb)}</style><rect class="a" width="150" height="200"/><rect class="b" x="150" width="150" height="200"/>',
    { '50 50': green, '200 50': blue },
  ],
  [
    'selectors',
    '<style>g>rect:nth-child(2){fill:#16a34a}rect+rect~rect{fill:#2563eb}rect:not(.q){fill:#e11d48 !important}</style><g><rect width="50" height="200"/><rect class="q" x="60" width="50" height="200"/><rect class="q" x="120" width="50" height="200"/></g>',
    { '20 20': red, '80 20': green, '140 20': blue },
  ],
  [
    'the colour of the text',
    '<g color="#16a34a"><rect width="150" height="200" fill="currentColor"/></g>',
    { '50 50': green },
  ],
  [
    'transforms and geometry of CSS',
    '<style>rect{width:50px;height:50px;transform:translate(100px,50%)}</style><rect fill="#e11d48"/>',
    { '120 120': red, '120 80': clear },
  ],
  [
    'a turn about the shape’s middle',
    '<rect x="100" y="80" width="100" height="40" fill="#e11d48" style="transform:rotate(90deg);transform-origin:center;transform-box:fill-box"/>',
    { '150 60': red, '110 100': clear },
  ],
  [
    'colours of CSS 4',
    '<rect width="150" height="200" style="fill:hwb(0 0% 0%)"/><rect x="150" width="150" height="200" fill="rgb(0 0 255 / 100%)"/>',
    { '50 50': '255 0 0 255', '200 50': '0 0 255 255' },
  ],
  [
    'masks by how much they cover',
    `<mask id="k" style="mask-type:alpha"><rect width="150" height="200"/></mask><g mask="url(#k)">${ground}</g>`,
    { '50 50': red, '200 50': clear },
  ],
  [
    'parts used again',
    '<defs><rect id="r" width="50" height="50"/></defs><use xlink:href="#r" x="20" fill="#e11d48"/><use href="#r" x="120" fill="#2563eb"/>',
    { '40 20': red, '140 20': blue },
  ],
];

test.each(rows)('B4: %s', async (_, body, places) => {
  const picture = await drawn(body);
  const found = Object.keys(places).map((place) => {
    const [x = 0, y = 0] = place.split(' ').map(Number);
    return [place, picture.at(x, y)] as const;
  });
  for (const [place, color] of found)
    for (const [at, level] of (places[place] ?? '').split(' ').entries())
      // Filters compute in linear light and back again.
      expect(
        Math.abs(Number(color.split(' ')[at]) - Number(level)),
        `${place}: ${color}`,
      ).toBeLessThan(3);
  expect(picture.omitted).toEqual([]);
});

test.each([
  ['<foreignObject width="9" height="9"/>', /foreignObject/],
  ['<rect width="9" height="9"><animate attributeName="x" to="9"/></rect>', /animate/],
  ['<image href="https://example.org/a.png" width="9" height="9"/>', /pictures from other files/],
  ['<use href="other.svg#a"/>', /use/],
  ['<script>1</script>', /scripts/],
  ['<rect width="9" height="9" style="clip-path:circle(4px)"/>', /clip-path: circle/],
  ['<style>@font-face{font-family:X;src:url(x)}</style>', /@font-face/],
  ['<path id="p" d="M0 9H99"/><text><textPath href="#p">a</textPath></text>', /textPath/],
  ['<text font-family="Arial, sans-serif" y="20">a</text>', /'Arial', for which 'Aileron'/],
])('B4: what is not drawn is named: %s', async (body, name) => {
  const { omitted } = await drawn(body);
  expect(omitted.join()).toMatch(name);
  expect(omitted).toHaveLength(1);
});

test('sizes in units, and none', async () => {
  expect((await drawn(ground, 'width="3in" height="2in"')).at(287, 191)).toBe(red);
  expect(
    (
      await drawn(
        '<rect width="20" height="20" fill="#e11d48"/>',
        'width="80mm" height="40mm" viewBox="0 0 80 40"',
      )
    ).at(70, 70),
  ).toBe(red);
  expect(
    (
      await drawn('<rect width="100%" height="100%" fill="#e11d48"/>', 'width="100%" height="100%"')
    ).at(299, 149),
  ).toBe(red);
});

/** How much a text covers, and where it begins. */
async function ink(body: string): Promise<{ share: number; left: number }> {
  const { bytes } = await drawn(body);
  let [sum, left] = [0, 300];
  for (let at = 3; at < bytes.length; at += 4) {
    if (bytes[at] === 0) continue;
    sum += bytes[at] ?? 0;
    left = Math.min(left, ((at - 3) / 4) % 300);
  }
  return { share: sum / 255, left };
}

test('B4: texts stand in the shipped fonts, in their weight, at their place', async () => {
  const text = (more: string): Promise<{ share: number; left: number }> =>
    ink(`<text x="150" y="120" font-size="40" ${more}>Hello</text>`);
  const [thin, bold] = [
    await text('style="font-family:Montserrat;font-weight:100"'),
    await text('font-family="Montserrat" font-weight="700"'),
  ];
  expect(bold.share).toBeGreaterThan(2.5 * thin.share);
  expect(await text('style="font:700 40px/1.2 Montserrat"')).toEqual(bold);
  const middle = await text('font-family="Montserrat" font-weight="700" text-anchor="middle"');
  expect(bold.left - middle.left).toBeGreaterThan(40);
  // Whatever stands for no family does so everywhere.
  expect(await text('font-family="sans-serif"')).toEqual(await text(''));
  expect(await text('font-family="Aileron"')).toEqual(await text(''));
});

test('deep and wide pictures cost no more than their length', async () => {
  const style = `<style>${'g '.repeat(25)}rect{fill:#e11d48}</style>`;
  const deep = `${style}${'<g>'.repeat(300)}${ground}${'</g>'.repeat(300)}`;
  const start = performance.now();
  expect((await drawn(deep)).at(1, 1)).toBe(red);
  const bomb = `<style>svg{${Array.from({ length: 30 }, (_, at) => `--v${at + 1}:var(--v${at}) var(--v${at});`).join('')}fill:var(--v30)}</style>`;
  await drawn(`${bomb}${ground}`);
  const empty = Array.from(
    { length: 9 },
    (_, at) => `--v${at + 1}:${`var(--v${at},)`.repeat(50)};`,
  );
  await drawn(`<style>svg{--v0:var(--none,);${empty.join('')}fill:var(--v9)}</style>${ground}`);
  const own = Array.from({ length: 4000 }, (_, at) => `<g style="--o${at}:1"/>`).join('');
  const many = Array.from({ length: 4000 }, (_, at) => `--m${at}:1;`).join('');
  await drawn(`<g style="${many}">${own}</g>${ground}`);
  expect((await drawn(`${'<g>'.repeat(2000)}${'</g>'.repeat(2000)}`)).omitted.join()).toMatch(
    /400 deep/,
  );
  expect(performance.now() - start).toBeLessThan(3000);
});
