/** THE TABLE of Shotstack's assets and the elements they become. Pure. */
import type { JsonObject } from '../renderscript/source.ts';
import { cssFamily, cssSize, defined, percent, shareIn, sideFor, type Foreign } from './foreign.ts';
import { fadesFor, placeAt, tweenValues } from './shotstack-looks.ts';

/** Heights of titles by the word for their size. Close to the originals by eye. */
const titleSizes: Readonly<Record<string, string>> = {
  'xx-small': '2.5 vh',
  'x-small': '3.5 vh',
  small: '5 vh',
  medium: '7 vh',
  large: '9 vh',
  'x-large': '12 vh',
  'xx-large': '15 vh',
};

/** What an asset says of its element, by its type. What the clip says comes before it. */
export const shotstackAssets: Readonly<Record<string, (asset: Foreign) => JsonObject>> = {
  video: (asset) => ({ type: 'video', ...soundOf(asset), ...pictureOf(asset) }),
  audio: (asset) => ({ type: 'audio', ...soundOf(asset) }),
  image: (asset) => ({ type: 'image', ...pictureOf(asset) }),
  text: convertText,
  'rich-text': convertText,
  title: convertTitle,
  html: convertHtml,
  caption: convertCaption,
  shape: convertShape,
};

function pictureOf(asset: Foreign): JsonObject {
  asset.ignore('transcode');
  asset.note('crop', 'set x_alignment and y_alignment, or crop in the editor');
  const key = asset.object('chromaKey');
  const color = key.text('color');
  const threshold = key.number('threshold');
  const halo = key.number('halo');
  const keyed =
    color === undefined
      ? {}
      : {
          key_color: color,
          key_tolerance: threshold === undefined ? undefined : percent(threshold / 250),
          key_softness: halo === undefined ? undefined : percent(halo / 250),
        };
  return defined({ source: asset.text('src'), ...keyed });
}

function soundOf(asset: Foreign): JsonObject {
  const volume = asset.get('volume');
  const speed = asset.number('speed');
  return defined({
    source: asset.text('src'),
    trim_start: asset.number('trim'),
    speed: speed === 1 ? undefined : percent(speed),
    volume: volume === undefined ? undefined : tweenValues(volume, (share) => percent(share)),
    ...fadesFor(asset.text('volumeEffect') ?? asset.text('effect')),
  });
}

function convertText(asset: Foreign): JsonObject {
  const font = asset.object('font');
  const style = asset.object('style');
  const align = asset.object('align');
  const alignment = asset.object('alignment');
  const stroke = asset.object('stroke');
  const shadow = asset.object('shadow');
  const background = asset.object('background');
  const padding = background.number('padding');
  const radius = background.number('borderRadius') ?? background.number('wrap');
  const size = font.number('size') ?? 32;
  const lineHeight = font.number('lineHeight') ?? style.number('lineHeight');
  const spacing = style.number('letterSpacing');
  const shadowColor = shadow.text('color');
  asset.note('animation', 'choose an animation of texts in the editor');
  return defined({
    type: 'text',
    text: asset.text('text') ?? '',
    width: asset.number('width') ?? '100%',
    height: asset.number('height') ?? null,
    font_family: font.text('family'),
    font_weight: font.text('weight'),
    font_size: size,
    fill_color: withOpacity(font.text('color') ?? '#ffffff', font.number('opacity')),
    line_height: percent(lineHeight),
    // Ours counts tenths of a percent of the size.
    letter_spacing: spacing === undefined ? undefined : percent((spacing / size) * 10),
    text_transform: style.text('textTransform'),
    x_alignment: sideFor(align.text('horizontal') ?? alignment.text('horizontal')) ?? '50%',
    y_alignment: sideFor(align.text('vertical') ?? alignment.text('vertical')) ?? '50%',
    stroke_color: stroke.text('color'),
    stroke_width: stroke.number('width'),
    ...(shadowColor === undefined
      ? {}
      : {
          shadow_color: withOpacity(shadowColor, shadow.number('opacity')),
          shadow_blur: shadow.number('blur'),
          shadow_x: shadow.number('offsetX'),
          shadow_y: shadow.number('offsetY'),
        }),
    background_color: withOpacity(background.text('color'), background.number('opacity')),
    ...(padding === undefined
      ? {}
      : { background_x_padding: `${padding} px`, background_y_padding: `${padding} px` }),
    background_border_radius: radius === undefined ? undefined : `${radius} px`,
  });
}

function convertTitle(asset: Foreign): JsonObject {
  const position = asset.text('position');
  const offset = asset.object('offset');
  asset.note('style', 'fonts and sizes are only close to it');
  const style = asset.get('style');
  const place =
    position === undefined && offset.get('x') === undefined && offset.get('y') === undefined
      ? {}
      : placeAt(position ?? 'center', offset);
  return defined({
    type: 'text',
    text: asset.text('text') ?? '',
    width: '90%',
    height: null,
    ...place,
    font_family: 'Montserrat',
    font_weight: style === 'skinny' ? '300' : '700',
    font_size: titleSizes[asset.text('size') ?? 'medium'],
    fill_color: colorFrom(asset.text('color')) ?? '#ffffff',
    background_color: colorFrom(asset.text('background')),
    x_alignment: percent(shareIn(position ?? '', /left/i, /right/i)),
    y_alignment: '50%',
  });
}

/** Words without their tags; colour, size and family where the style says them for the whole. */
function convertHtml(asset: Foreign): JsonObject {
  const html = asset.text('html') ?? '';
  const css = asset.text('css') ?? '';
  const ruleOf = (name: string): string | undefined =>
    new RegExp(`(?:^|[;{\\s])${name}\\s*:\\s*([^;}"]{1,100})`, 'i').exec(css)?.[1]?.trim();
  asset.note('html', 'its words stay, its layout is lost');
  asset.ignore('position');
  return defined({
    type: 'text',
    text: wordsIn(html),
    width: asset.number('width') ?? '100%',
    height: asset.number('height') ?? '100%',
    font_family: cssFamily(ruleOf('font-family')),
    font_weight: ruleOf('font-weight'),
    font_size: cssSize(ruleOf('font-size')) ?? 30,
    fill_color: ruleOf('color') ?? '#ffffff',
    background_color: colorFrom(asset.text('background')),
    x_alignment: sideFor(ruleOf('text-align')) ?? '50%',
    y_alignment: '50%',
  });
}

function convertCaption(asset: Foreign): JsonObject {
  const font = asset.object('font');
  const background = asset.object('background');
  const source = asset.text('src');
  const alias = source?.startsWith('alias://') ? source.slice('alias://'.length) : undefined;
  asset.note('margin', 'set y');
  return defined({
    type: 'text',
    transcript_source: alias ?? source,
    transcript_effect: 'color',
    transcript_split: 'none',
    transcript_maximum_length: 60,
    y: '88%',
    width: '80%',
    height: null,
    font_family: font.text('family'),
    font_size: font.number('size') ?? '4 vh',
    line_height: percent(font.number('lineHeight')),
    fill_color: withOpacity(font.text('color') ?? '#ffffff', font.number('opacity')),
    stroke_color: font.text('stroke'),
    stroke_width: font.number('strokeWidth'),
    background_color: withOpacity(background.text('color'), background.number('opacity')),
    x_alignment: '50%',
    y_alignment: '50%',
  });
}

const circle =
  'M 50 0 C 77.61 0 100 22.39 100 50 C 100 77.61 77.61 100 50 100 C 22.39 100 0 77.61 0 50 C 0 22.39 22.39 0 50 0 Z';

function convertShape(asset: Foreign): JsonObject {
  const kind = asset.text('shape') ?? 'rectangle';
  const rectangle = asset.object('rectangle');
  const round = asset.object('circle');
  const line = asset.object('line');
  const fill = asset.object('fill');
  const stroke = asset.object('stroke');
  const radius = round.number('radius') ?? 100;
  asset.ignore('width', 'height');
  const forms: Readonly<Record<string, JsonObject>> = {
    rectangle: {
      width: rectangle.number('width') ?? '100%',
      height: rectangle.number('height') ?? '100%',
      border_radius: rectangle.number('cornerRadius'),
    },
    circle: { width: 2 * radius, height: 2 * radius, path: circle },
    line: { width: line.number('length') ?? 100, height: line.number('thickness') ?? 1 },
  };
  const form = forms[kind];
  if (!form) asset.note('shape', `there is no shape “${kind}”; a rectangle takes its place`);
  return defined({
    type: 'shape',
    ...(form ?? forms.rectangle),
    fill_color: withOpacity(fill.text('color') ?? '#ffffff', fill.number('opacity')),
    stroke_color: withOpacity(stroke.text('color'), stroke.number('opacity')),
    stroke_width: stroke.number('width'),
  });
}

/** Shotstack writes the alpha of eight digits first: `#80ffffff` is white, half transparent. */
function colorFrom(color: string | undefined): string | undefined {
  const [, alpha, rest] = /^#([\da-f]{2})([\da-f]{6})$/i.exec(color ?? '') ?? [];
  if (alpha === undefined || rest === undefined) return color === 'transparent' ? undefined : color;
  return `#${rest}${alpha}`;
}

function withOpacity(color: string | undefined, opacity: number | undefined): string | undefined {
  if (color === undefined || opacity === undefined || opacity >= 1) return color;
  if (!/^#[\da-f]{6}$/i.test(color)) return color;
  return `${color}${Math.round(Math.max(0, opacity) * 255)
    .toString(16)
    .padStart(2, '0')}`;
}

/** The words of a piece of HTML, a line for each block. */
function wordsIn(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/h\d|\/li)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .trim();
}
