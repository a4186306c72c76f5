/** editly's specs as documents: clips one after another, each a stack of layers. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../renderscript/source.ts';
import { defined, isList, nameGiver, percent, shareIn, typeIn, type Foreign } from './foreign.ts';
import { transitionNamed } from './xfades.ts';

/** Seconds of a clip in which no video plays, and of a transition. */
const usualClip = 4;
const usualTransition = 0.5;

/** Pixels across, if nothing says how many. */
const usualWidth = 640;

/** editly picks colours at random; a document looks the same each time. */
const usualColors = ['#0f766e', '#1e3a8a'] as const;

/** What the layers of a spec share. */
interface Spec {
  readonly name: (type: string) => string;
  /** Fonts by the path of their file. */
  readonly fonts: Map<string, JsonObject>;
  readonly keepsSound: boolean;
  readonly clipVolume: number;
}

/** What a layer becomes. `length` is that of its clip; undefined for that of its video. */
type LayerConverter = (layer: Foreign, spec: Spec, length: number | undefined) => JsonObject[];

/** Puts the defaults for layers into each of them. */
export function withLayerDefaults(spec: JsonObject): JsonObject {
  const defaults = isJsonObject(spec.defaults) ? spec.defaults : {};
  const { layer: forAll, layerType, ...others } = defaults;
  const byType = isJsonObject(layerType) ? layerType : {};
  const merged = (layer: Json): Json => {
    if (!isJsonObject(layer)) return layer;
    const { type } = layer;
    const own = typeof type === 'string' && Object.hasOwn(byType, type) ? byType[type] : undefined;
    return { ...(isJsonObject(forAll) ? forAll : {}), ...(isJsonObject(own) ? own : {}), ...layer };
  };
  const clips = (isList(spec.clips) ? spec.clips : []).map((clip) => {
    if (!isJsonObject(clip)) return clip;
    const { layers } = clip;
    const list = isList(layers) ? layers : layers === undefined ? [] : [layers];
    return { ...clip, layers: list.map(merged) };
  });
  return { ...spec, defaults: others, clips };
}

/** Converts a spec. */
export function fromEditly(root: Foreign): JsonObject {
  root.ignore('allowRemoteRequests', 'fast', 'enableFfmpegLog', 'verbose', 'keepTmp', 'logTimes');
  root.ignore('ffmpegPath', 'ffprobePath');
  root.note('customOutputArgs', 'set crf or video_codec');
  root.note('audioNorm', 'set target_loudness');
  root.note('outputVolume', 'set target_loudness');
  const defaults = root.object('defaults');
  const spec: Spec = {
    name: nameGiver(),
    fonts: new Map(),
    keepsSound: root.flag('keepSourceAudio'),
    clipVolume: root.number('clipsAudioVolume') ?? 1,
  };
  const usual = defaults.number('duration') ?? usualClip;
  const usualJoin = defaults.get('transition');
  const joinDefaults = defaults.object('transition');
  const clips = root.objects('clips');
  const lastJoins: (JsonObject | null)[] = clips.map((clip) =>
    joinAfter(clip, joinDefaults, usualJoin === null),
  );
  const scenes = clips.map((clip, index) => {
    const join = index === 0 ? null : (lastJoins[index - 1] ?? null);
    return convertClip(clip, spec, usual, join);
  });
  const width = root.number('width');
  const height = root.number('height');
  if (width !== undefined && height === undefined) root.note('width', 'the picture is 16:9');
  const across = width ?? (height === undefined ? usualWidth : Math.round((height * 16) / 9));
  return defined({
    output_format: root.text('outPath')?.toLowerCase().endsWith('.gif') ? 'gif' : 'mp4',
    width: across,
    height: height ?? Math.round((across * 9) / 16),
    frame_rate: root.number('fps') ?? 25,
    fill_color: '#000000',
    fonts: spec.fonts.size === 0 ? undefined : [...spec.fonts.values()],
    elements: [...scenes, ...soundsOf(root, spec)],
  });
}

/** The transition at the end of a clip; the later one has it with us. */
function joinAfter(clip: Foreign, usual: Foreign, isOff: boolean): JsonObject | null {
  const own = clip.get('transition');
  const join = clip.object('transition');
  for (const place of [join, usual])
    place.ignore('audioOutCurve', 'audioInCurve', 'easing', 'params');
  const name = join.text('name') ?? usual.text('name') ?? 'random';
  const seconds = join.number('duration') ?? usual.number('duration') ?? usualTransition;
  if (own === null || (own === undefined && isOff) || name === 'dummy' || seconds <= 0) return null;
  return transitionNamed(name === 'random' ? 'fade' : name, seconds, join);
}

function convertClip(
  clip: Foreign,
  spec: Spec,
  usual: number,
  join: JsonObject | null,
): JsonObject {
  const layers = clip.objects('layers');
  const hasVideo = layers.some((layer) => layer.text('type') === 'video');
  const length = clip.number('duration') ?? (hasVideo ? undefined : usual);
  const elements = layers
    .flatMap((layer) => {
      const kind = layer.text('type') ?? '';
      const convert = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
      if (!convert) {
        layer.skip(`there is no element for “${kind}”`);
        return [];
      }
      layer.ignore('fontPath', 'fontFamily');
      const start = layer.number('start');
      const stop = layer.number('stop');
      const times = defined({
        time: start ?? 0,
        duration: stop === undefined ? undefined : stop - (start ?? 0),
      });
      return convert(layer, spec, length).map((element) => ({
        name: spec.name(typeIn(element)),
        ...element,
        ...times,
      }));
    })
    .map((element, index) => ({ ...element, track: index + 1 }));
  return defined({
    type: 'composition',
    name: spec.name('clip'),
    track: 1,
    duration: length,
    animations: join === null ? undefined : [join],
    elements,
  });
}

/** Music under all clips, and sounds at times of their own. */
function soundsOf(root: Foreign, spec: Spec): JsonObject[] {
  const music = root.text('audioFilePath');
  const loops = root.flag('loopAudio');
  const volume = root.number('backgroundAudioVolume');
  const background = defined({
    type: 'audio',
    name: 'Music',
    source: music,
    duration: null,
    loop: loops ? true : undefined,
    volume: percent(volume),
  });
  const tracks = [...root.objects('audioTracks'), ...root.objects('audio')];
  return [
    ...(music === undefined ? [] : [background]),
    ...tracks.map((track) => ({ name: spec.name('audio'), ...convertSound(track) })),
  ];
}

function convertSound(sound: Foreign): JsonObject {
  return defined({
    type: 'audio',
    source: sound.text('path'),
    time: sound.number('start') ?? 0,
    ...cutOf(sound),
    volume: percent(sound.number('mixVolume')),
  });
}

/** The part of a file. */
function cutOf(layer: Foreign): JsonObject {
  const from = layer.number('cutFrom');
  const to = layer.number('cutTo');
  return defined({
    trim_start: from,
    trim_duration: to === undefined ? undefined : Math.max(0, to - (from ?? 0)),
  });
}

/** Where a word, or a point with an origin, puts something. */
function placed(layer: Foreign): JsonObject {
  const position = layer.get('position') ?? 'center';
  if (typeof position !== 'string') {
    const point = layer.object('position');
    return defined({
      x: percent(point.number('x')),
      y: percent(point.number('y')),
      x_anchor: anchorIn(point, 'originX'),
      y_anchor: anchorIn(point, 'originY'),
    });
  }
  const x = shareIn(position, /left/, /right/);
  const y = shareIn(position, /top/, /bottom/);
  /** With space at the edges. */
  const inside = (share: number): string => percent(0.05 + 0.9 * share);
  return { x: inside(x), y: inside(y), x_anchor: percent(x), y_anchor: percent(y) };
}

/** A slow zoom or pan over the whole clip. */
function zoomOf(layer: Foreign, usualDirection: string | null): JsonObject {
  const direction =
    layer.get('zoomDirection') === null ? null : (layer.text('zoomDirection') ?? usualDirection);
  const scale = percent(1 + (layer.number('zoomAmount') ?? 0.1));
  const slow = { easing: 'linear', fade: false };
  const rows: Readonly<Record<string, JsonObject>> = {
    in: { type: 'scale', start_scale: '100%', end_scale: scale },
    out: { type: 'scale', start_scale: scale, end_scale: '100%' },
    left: { type: 'pan', scope: 'composition', start_x: '0%', end_x: '100%' },
    right: { type: 'pan', scope: 'composition', start_x: '100%', end_x: '0%' },
  };
  const row = direction === null ? undefined : rows[direction];
  return row ? { animations: [{ ...row, ...slow }] } : {};
}

/** A picture or a video in its box; `contain-blur` has a blurred copy of it behind. */
function pictured(
  layer: Foreign,
  element: JsonObject,
  usualMode: string,
  zoom: JsonObject,
): JsonObject[] {
  const mode = layer.text('resizeMode') ?? usualMode;
  const [width, height] = [layer.number('width'), layer.number('height')];
  const [left, top] = [layer.number('left'), layer.number('top')];
  const box = defined({
    width: percent(width),
    height: percent(height),
    x: percent(left) ?? (width === undefined ? undefined : '0%'),
    y: percent(top) ?? (height === undefined ? undefined : '0%'),
    x_anchor: width === undefined && left === undefined ? undefined : anchorIn(layer, 'originX'),
    y_anchor: height === undefined && top === undefined ? undefined : anchorIn(layer, 'originY'),
  });
  const fit = mode === 'stretch' ? 'fill' : mode === 'cover' ? 'cover' : 'contain';
  const front = { ...element, fit, ...box, ...zoom };
  if (mode !== 'contain-blur') return [front];
  const { volume, ...silent } = element;
  const sound = volume === undefined ? {} : { volume: '0%' };
  return [{ ...silent, ...sound, fit: 'cover', ...box, blur_radius: '4 vmin' }, front];
}

const anchors: Readonly<Record<string, string>> = { center: '50%', right: '100%', bottom: '100%' };
const anchorIn = (layer: Foreign, key: string): string => anchors[layer.text(key) ?? ''] ?? '0%';

function colorsIn(layer: Foreign): readonly [string, string] {
  const colors = layer.get('colors');
  const [first, last] = isList(colors) ? colors : [];
  return typeof first === 'string' && typeof last === 'string' ? [first, last] : usualColors;
}

function gradient(layer: Foreign, mode: 'linear' | 'radial'): JsonObject {
  const [first, last] = colorsIn(layer);
  const line = { fill_x0: '0%', fill_y0: '0%', fill_x1: '100%', fill_y1: '100%' };
  const point = { fill_x0: '50%', fill_y0: '50%', fill_radius: '60%' };
  return {
    ...filled([
      { offset: '0%', color: first },
      { offset: '100%', color: last },
    ]),
    fill_mode: mode,
    ...(mode === 'linear' ? line : point),
  };
}

const filled = (color: Json): JsonObject => ({
  ...{ type: 'shape', x: '50%', y: '50%', width: '100%', height: '100%' },
  ...{ x_anchor: '50%', y_anchor: '50%', fill_color: color },
});

/** What all texts share. */
function lettered(layer: Foreign, spec: Spec): JsonObject {
  const fontPath = layer.text('fontPath');
  const family =
    layer.text('fontFamily') ??
    fontPath
      ?.split(/[\\/]/)
      .at(-1)
      ?.replace(/\.\w+$/, '');
  if (fontPath !== undefined && family !== undefined) {
    spec.fonts.set(fontPath, { family, source: fontPath });
  }
  return defined({
    type: 'text',
    text: layer.text('text') ?? '',
    font_family: family,
    fill_color: layer.text('textColor') ?? layer.text('color') ?? '#ffffff',
    x_alignment: '50%',
    y_alignment: '50%',
  });
}

function convertTitle(layer: Foreign, spec: Spec): JsonObject[] {
  const box = { width: '90%', font_size: '10 vmin' };
  return [{ ...lettered(layer, spec), ...box, ...placed(layer), ...zoomOf(layer, 'in') }];
}

/** What a layer becomes, by its type. */
const kinds: Readonly<Record<string, LayerConverter>> = {
  video: (layer, spec, length) => {
    const cut = cutOf(layer);
    const { trim_duration: part } = cut;
    const volume = (spec.keepsSound ? 1 : 0) * spec.clipVolume * (layer.number('mixVolume') ?? 1);
    const paced = length !== undefined && typeof part === 'number' && part > 0 && part !== length;
    const element = defined({
      type: 'video',
      source: layer.text('path'),
      ...cut,
      speed: paced ? percent(part / length) : undefined,
      volume: volume === 1 ? undefined : percent(volume),
    });
    return pictured(layer, element, 'contain-blur', {});
  },
  audio: (layer) => [convertSound(layer)],
  'detached-audio': (layer) => [convertSound(layer)],
  image: (layer) => {
    layer.ignore('duration');
    const element = defined({ type: 'image', source: layer.text('path') });
    return pictured(layer, element, 'contain-blur', zoomOf(layer, 'in'));
  },
  'image-overlay': (layer) => {
    const [width, height] = [layer.number('width'), layer.number('height')];
    const size = {
      width: percent(width) ?? (height === undefined ? '100%' : null),
      height: percent(height) ?? null,
    };
    const place = layer.get('position') === undefined ? {} : placed(layer);
    return [
      defined({
        type: 'image',
        source: layer.text('path'),
        fit: 'contain',
        ...size,
        ...place,
        ...zoomOf(layer, null),
      }),
    ];
  },
  title: convertTitle,
  'title-background': (layer, spec, length) => {
    const background = layer.object('background');
    const kind = background.text('type') ?? 'linear-gradient';
    const behind =
      kinds[kind === 'radial-gradient' || kind === 'fill-color' ? kind : 'linear-gradient'];
    return [...(behind?.(background, spec, length) ?? []), ...convertTitle(layer, spec)];
  },
  subtitle: (layer, spec) => [
    {
      ...lettered(layer, spec),
      ...{ width: '90%', y: '92%', y_anchor: '100%', font_size: '5 vmin' },
      background_color: layer.text('backgroundColor') ?? 'rgba(0,0,0,0.3)',
    },
  ],
  'news-title': (layer, spec) => [
    {
      ...lettered(layer, spec),
      ...{ x: '0%', y: '90%', x_anchor: '0%', y_anchor: '100%', font_size: '8 vmin' },
      ...(layer.get('position') === 'top' ? { y: '10%', y_anchor: '0%' } : {}),
      background_color: layer.text('backgroundColor') ?? '#d02a42',
      animations: [{ type: 'slide', direction: '0°', time: 'start', duration: 0.5 }],
    },
  ],
  'slide-in-text': (layer, spec) => {
    layer.ignore('charSpacing');
    const size = layer.number('fontSize') ?? 0.05;
    const move = { type: 'text-slide', split: 'letter', time: 'start', duration: 1 };
    const text = {
      ...lettered(layer, spec),
      font_size: `${size * 100} vw`,
      letter_spacing: '100%',
    };
    return [{ ...text, ...placed(layer), animations: [move] }];
  },
  'fill-color': (layer) => [filled(layer.text('color') ?? usualColors[0])],
  pause: (layer) => [filled(layer.text('color') ?? usualColors[0])],
  'linear-gradient': (layer) => [gradient(layer, 'linear')],
  'radial-gradient': (layer) => [gradient(layer, 'radial')],
  'rainbow-colors': () => [
    {
      ...filled(
        ['#ff0040', '#ff8c00', '#ffe600', '#00c853', '#0091ff', '#8e24ff'].map((color, index) => ({
          offset: percent(index / 5),
          color,
        })),
      ),
      ...{ fill_mode: 'linear', fill_x0: '0%', fill_y0: '0%', fill_x1: '100%', fill_y1: '100%' },
    },
  ],
};
