/** JSON2Video's movies as documents: scenes one after another, and elements over all of them. Pure. */
import type { JsonObject } from '../renderscript/source.ts';
import {
  cssFamily,
  cssSize,
  defined,
  nameGiver,
  percent,
  sideFor,
  typeIn,
  type Foreign,
} from './foreign.ts';
import { transitionNamed } from './xfades.ts';

const resolutions: Readonly<Record<string, readonly [width: number, height: number]>> = {
  sd: [640, 360],
  hd: [1280, 720],
  'full-hd': [1920, 1080],
  squared: [1080, 1080],
  'instagram-story': [1080, 1920],
  'instagram-feed': [1080, 1080],
  'twitter-landscape': [1200, 675],
  'twitter-portrait': [1080, 1350],
};

const qualities: Readonly<Record<string, number>> = { low: 32, medium: 26, high: 20 };

/** Seconds of a scene in which nothing has a length. */
const usualScene = 5;

/** Space that words for places leave at the edges. */
const edge = 0.05;

/** What a movie's elements share. */
interface Movie {
  readonly name: (type: string) => string;
  /** Names of elements with sound, the first one first. */
  readonly speakers: string[];
}

/** Converts a movie. */
export function fromJson2Video(root: Foreign): JsonObject {
  root.ignore('id', 'comment', 'draft', 'cache', 'client-data', 'project', 'status');
  root.note('exports', 'finished files stay on this computer');
  root.note('template', 'its scenes are not in this file');
  const [width, height] = resolutions[root.text('resolution') ?? ''] ?? [640, 360];
  const movie: Movie = { name: nameGiver(), speakers: [] };
  const scenes = root.objects('scenes').map((scene) => convertScene(scene, movie));
  const over = convertElements(root, movie, 2);
  const variables = root.object('variables');
  const values = root.get('variables');
  variables.ignore(...(typeof values === 'object' && values ? Object.keys(values) : []));
  return defined({
    output_format: 'mp4',
    width: root.number('width') ?? width,
    height: root.number('height') ?? height,
    frame_rate: root.number('fps') ?? 25,
    crf: qualities[root.text('quality') ?? ''],
    fill_color: '#000000',
    variables: values,
    elements: [...scenes, ...over],
  });
}

function convertScene(scene: Foreign, movie: Movie): JsonObject {
  scene.ignore('id', 'comment', 'cache');
  scene.note('condition', 'it is not looked at: the scene is always there');
  scene.note('iterate', 'it is there once; feeds repeat a whole document');
  scene.note('variables', 'write them among those of the document');
  const elements = convertElements(scene, movie, 1);
  const length = scene.number('duration') ?? -1;
  const hasLength = elements.some(({ duration }) => duration !== null);
  const transition = scene.object('transition');
  const style = transition.text('style');
  transition.ignore('type');
  const seconds = transition.number('duration') ?? 1;
  return defined({
    type: 'composition',
    name: movie.name('scene'),
    track: 1,
    duration: length > 0 ? length : hasLength ? undefined : usualScene,
    fill_color: scene.text('background-color'),
    animations: style === undefined ? undefined : [transitionNamed(style, seconds, transition)],
    elements,
  });
}

function convertElements(container: Foreign, movie: Movie, firstTrack: number): JsonObject[] {
  return container
    .objects('elements')
    .flatMap((element) => {
      const kind = element.text('type') ?? '';
      const convert = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
      if (!convert) {
        element.skip(`there is no element for “${kind}”`);
        return [];
      }
      const own = convert(element, movie);
      const name = element.text('comment') ?? element.text('id') ?? movie.name(typeIn(own));
      if (own.type === 'video' || own.type === 'audio') movie.speakers.push(name);
      const common = commonOf(element, own);
      return [{ name, ...common, ...own, type: own.type ?? null }];
    })
    .map((element, index) => ({ ...element, track: firstTrack + index }));
}

/** Times, and of what is seen the place, the look and the movements. */
function commonOf(element: Foreign, own: JsonObject): JsonObject {
  element.ignore('cache', 'id', 'comment');
  element.note('condition', 'it is not looked at: the element is always there');
  element.note('variables', 'write them among those of the document');
  element.note('extra-time', 'set the duration');
  const media = own.type === 'video' || own.type === 'audio';
  const length = element.number('duration') ?? -1;
  const loops = element.get('loop');
  const isEndless = loops === -1 || loops === true;
  if (typeof loops === 'number' && loops > 1) element.note('loop', 'set loop and the duration');
  const times = {
    time: element.number('start') ?? 0,
    duration: length > 0 ? length : media && length === -1 && !isEndless ? 'media' : null,
    loop: isEndless && media ? true : undefined,
  };
  if (own.type === 'audio') return defined(times);
  return defined({ ...times, ...placeOf(element, own), ...lookOf(element) });
}

function placeOf(element: Foreign, own: JsonObject): JsonObject {
  const position = element.text('position') ?? 'custom';
  const [down, across] = position.split('-');
  const [x, y] = [element.number('x'), element.number('y')];
  const [width, height] = [sizeIn(element, 'width'), sizeIn(element, 'height')];
  const resize = element.text('resize');
  const fits: Readonly<Record<string, string>> = {
    fill: 'fill',
    fit: 'contain',
    contain: 'contain',
  };
  const isSized = width !== undefined || height !== undefined;
  const isAtPoint = x !== undefined || y !== undefined;
  // A text without a size fills the picture, and is aligned in it.
  if (own.type === 'text' && !isSized && !isAtPoint) return {};
  const point = { x: x ?? 0, y: y ?? 0, x_anchor: '0%', y_anchor: '0%' };
  // A picture fills the film unless something says where it is, or how large.
  const hasPlace = isSized || isAtPoint || position !== 'custom';
  return defined({
    ...(hasPlace && resize === undefined ? { width: width ?? null, height: height ?? null } : {}),
    ...(hasPlace && position === 'custom' ? point : {}),
    ...(position === 'custom' ? {} : { ...sideWords(across, 'x'), ...sideWords(down, 'y') }),
    fit: resize === undefined ? undefined : fits[resize],
  });
}

function sizeIn(element: Foreign, key: 'width' | 'height'): number | undefined {
  const size = element.number(key);
  return size !== undefined && size > 0 ? size : undefined;
}

/** A side by its word, with the space at the edge. */
function sideWords(word: string | undefined, axis: 'x' | 'y'): JsonObject {
  const side = sideFor(word) ?? '50%';
  if (side === '50%') return { [axis]: side };
  return { [axis]: percent(side === '0%' ? edge : 1 - edge), [`${axis}_anchor`]: side };
}

function lookOf(element: Foreign): JsonObject {
  const rotate = element.object('rotate');
  const angle = rotate.number('angle');
  rotate.note('speed', 'set keyframes of z_rotation');
  const correction = element.object('correction');
  const brightness = correction.number('brightness');
  const contrast = correction.number('contrast');
  const saturation = correction.number('saturation');
  correction.note('gamma', 'set look_exposure');
  const key = element.object('chroma-key');
  const tolerance = key.number('tolerance');
  element.note('mask', 'set an element with mask_mode over it');
  element.note('crop', 'crop it in the editor');
  const animations = movementsOf(element);
  return defined({
    z_index: element.number('z-index'),
    opacity: percent(element.number('opacity')),
    z_rotation: angle === undefined ? undefined : `${angle}°`,
    x_scale: element.flag('flip-horizontal') ? '-100%' : undefined,
    y_scale: element.flag('flip-vertical') ? '-100%' : undefined,
    look_exposure: brightness === undefined ? undefined : Math.max(-5, Math.min(5, 2 * brightness)),
    look_contrast: changeIn(contrast),
    look_saturation: changeIn(saturation),
    key_color: key.text('color'),
    key_tolerance: tolerance === undefined ? undefined : percent(tolerance / 100),
    animations: animations.length === 0 ? undefined : animations,
  });
}

/** A factor as a change in percent. */
function changeIn(factor: number | undefined): string | undefined {
  return factor === undefined ? undefined : percent(Math.max(-1, Math.min(1, factor - 1)));
}

function movementsOf(element: Foreign): JsonObject[] {
  const fadeIn = element.number('fade-in') ?? 0;
  const fadeOut = element.number('fade-out') ?? 0;
  const zoom = element.number('zoom') ?? 0;
  const pan = element.text('pan');
  const distance = element.number('pan-distance') ?? 0.1;
  element.ignore('pan-crop');
  const scale = percent(1 + Math.abs(zoom) * 0.05);
  const slow = { easing: 'linear', fade: false };
  const size = percent(1 + distance);
  const across = /left/.test(pan ?? '') ? 1 : /right/.test(pan ?? '') ? -1 : 0;
  const down = /top/.test(pan ?? '') ? 1 : /bottom/.test(pan ?? '') ? -1 : 0;
  const from = (way: number): string => percent(0.5 + way / 2);
  return [
    ...(fadeIn > 0 ? [{ type: 'fade', time: 'start', duration: fadeIn }] : []),
    ...(fadeOut > 0 ? [{ type: 'fade', time: 'end', duration: fadeOut, reversed: true }] : []),
    ...(zoom > 0 ? [{ type: 'scale', start_scale: '100%', end_scale: scale, ...slow }] : []),
    ...(zoom < 0 ? [{ type: 'scale', start_scale: scale, end_scale: '100%', ...slow }] : []),
    ...(across === 0 && down === 0
      ? []
      : [
          {
            ...{ type: 'pan', start_scale: size, end_scale: size, ...slow },
            ...{ start_x: from(across), start_y: from(down) },
            ...{ end_x: from(-across), end_y: from(-down) },
          },
        ]),
  ];
}

/** What an element becomes, by its type. */
const kinds: Readonly<Record<string, (element: Foreign, movie: Movie) => JsonObject>> = {
  image: (element) => {
    element.note('prompt', 'pictures are not made here; set source');
    element.ignore('model', 'model-settings', 'aspect-ratio', 'connection');
    return defined({ type: 'image', source: element.text('src') });
  },
  video: (element) => ({ type: 'video', ...soundOf(element) }),
  audio: (element) => ({ type: 'audio', ...soundOf(element), ...fadesOf(element) }),
  voice: (element) => {
    element.ignore('model', 'connection');
    element.note('voice', 'the setting “voices” says who speaks');
    const source = element.text('text') ?? '';
    return defined({
      ...soundOf(element),
      ...fadesOf(element),
      type: 'audio',
      source,
      provider: 'voice',
    });
  },
  text: convertText,
  subtitles: (element, movie) => {
    const settings = element.object('settings');
    element.ignore('language', 'model', 'transcript');
    return defined({
      type: 'text',
      ...styleOf(settings),
      transcript_source: element.text('captions') ?? movie.speakers[0] ?? null,
      transcript_effect: 'color',
      transcript_color: settings.text('word-color') ?? '#ffff00',
      transcript_maximum_length: 40,
      y: '85%',
      width: '85%',
      x_alignment: '50%',
      y_alignment: '50%',
      stroke_color: settings.text('outline-color') ?? '#000000',
      stroke_width: settings.number('outline-width'),
    });
  },
};

function soundOf(element: Foreign): JsonObject {
  const volume = element.number('volume');
  return defined({
    source: element.text('src'),
    trim_start: element.number('seek'),
    volume: volume === 1 ? undefined : percent(volume),
    muted: element.flag('muted') ? true : undefined,
  });
}

function fadesOf(element: Foreign): JsonObject {
  return defined({
    audio_fade_in: element.number('fade-in'),
    audio_fade_out: element.number('fade-out'),
  });
}

function convertText(element: Foreign): JsonObject {
  const settings = element.object('settings');
  const style = element.text('style') ?? '001';
  if (style !== '001') element.note('style', 'choose an animation of texts in the editor');
  const whole = element.number('width') === undefined && element.number('height') === undefined;
  const [down, across] = (element.text('position') ?? '').split('-');
  const align = sideFor(settings.text('horizontal-position')) ?? sideFor(across) ?? '50%';
  return defined({
    type: 'text',
    text: element.text('text') ?? '',
    ...(whole ? { width: '90%', height: '90%' } : {}),
    ...styleOf(settings),
    x_alignment: sideFor(settings.text('text-align')) ?? align,
    y_alignment: sideFor(settings.text('vertical-position')) ?? sideFor(down) ?? '50%',
  });
}

/** CSS of a text in our words. */
function styleOf(settings: Foreign): JsonObject {
  const lineHeight = settings.number('line-height');
  settings.note('text-shadow', 'set shadow_color');
  settings.note('padding', 'set x_padding');
  settings.note('font-url', 'add it to the fonts of the document');
  return defined({
    font_family: cssFamily(settings.text('font-family')),
    font_weight: settings.text('font-weight'),
    font_style: settings.text('font-style'),
    font_size: cssSize(settings.get('font-size')) ?? '5 vw',
    fill_color: settings.text('font-color') ?? settings.text('color') ?? '#ffffff',
    background_color: settings.text('background-color') ?? settings.text('box-color'),
    line_height: lineHeight === undefined ? undefined : percent(lineHeight),
    text_transform: settings.text('text-transform'),
  });
}
