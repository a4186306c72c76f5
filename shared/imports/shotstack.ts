/** Shotstack's edits as documents: a timeline of tracks, the first one in front. Pure. */
import type { Json, JsonObject } from '../renderscript/source.ts';
import { shotstackAssets } from './shotstack-assets.ts';
import { fadesFor, lookFor, placeFor } from './shotstack-looks.ts';
import { defined, nameGiver, percent, typeIn, type Foreign } from './foreign.ts';

/** Pixels in 16:9, and frames per second, of the names of resolutions. */
const resolutions: Readonly<
  Record<string, readonly [width: number, height: number, rate: number]>
> = {
  preview: [512, 288, 15],
  mobile: [640, 360, 25],
  sd: [1024, 576, 25],
  hd: [1280, 720, 25],
  '1080': [1920, 1080, 25],
  '4k': [3840, 2160, 25],
};

/** Width ÷ height; 9:16 turns the picture, the others keep its height. */
const aspects: Readonly<Record<string, number>> = { '1:1': 1, '4:5': 4 / 5, '4:3': 4 / 3 };

const qualities: Readonly<Record<string, number>> = {
  verylow: 36,
  low: 29,
  high: 20,
  veryhigh: 17,
};

const kinds: Readonly<Record<string, string>> = {
  mp4: 'mp4',
  gif: 'gif',
  jpg: 'jpg',
  png: 'png',
  bmp: 'png',
  mp3: 'mp3',
};

/** Seconds that an image or a text without a length is shown. */
const usualLength = 3;

/** Converts an edit. */
export function fromShotstack(edit: Foreign): JsonObject {
  const timeline = edit.object('timeline');
  edit.ignore('id', 'status', 'disk', 'merge');
  edit.note('callback', 'set a webhook instead');
  timeline.ignore('cache');
  const name = nameGiver();
  const tracks = timeline.objects('tracks');
  const elements = tracks
    .map((track, index) => {
      track.ignore('visible');
      return track.objects('clips').map((clip) => {
        const converted = convertClip(clip, name);
        return converted && { track: tracks.length - index, ...converted };
      });
    })
    .reverse()
    .flat()
    .filter((element) => element !== null);
  const soundtrack = timeline.object('soundtrack');
  const source = soundtrack.text('src');
  const music =
    source === undefined
      ? []
      : [
          defined({
            type: 'audio',
            name: 'Soundtrack',
            source,
            duration: null,
            volume: percent(soundtrack.number('volume')),
            ...fadesFor(soundtrack.text('effect')),
          }),
        ];
  return defined({
    ...convertOutput(edit.object('output')),
    fill_color: timeline.text('background') ?? '#000000',
    fonts: fontsIn(timeline),
    elements: [...elements, ...music],
  });
}

function convertOutput(output: Foreign): JsonObject {
  const [wide, high, rate] = resolutions[output.text('resolution') ?? 'hd'] ?? [1280, 720, 25];
  const ratio = output.text('aspectRatio') ?? '16:9';
  const aspect = aspects[ratio];
  const size = output.object('size');
  const width = aspect === undefined ? wide : Math.round((high * aspect) / 2) * 2;
  const [across, down] = ratio === '9:16' ? [high, wide] : [width, high];
  const format = output.text('format') ?? 'mp4';
  if (format === 'bmp') output.note('format', 'a png takes its place');
  const loops = output.get('repeat');
  output.note('mute', 'set the volume of what sounds to 0%');
  output.note('scaleTo', 'set render_scale where it is rendered');
  output.note('range', 'the whole film is rendered');
  output.note('poster', 'use snapshot_time');
  output.note('thumbnail', 'use snapshot_time');
  output.note('destinations', 'finished files stay on this computer');
  return defined({
    output_format: kinds[format] ?? 'mp4',
    width: size.number('width') ?? across,
    height: size.number('height') ?? down,
    frame_rate: output.number('fps') ?? rate,
    crf: qualities[output.text('quality') ?? ''],
    loop: typeof loops === 'boolean' ? loops : undefined,
  });
}

/** Their fonts have no names: the name of the file serves, as it does there for most. */
function fontsIn(timeline: Foreign): Json | undefined {
  const fonts = timeline.objects('fonts').flatMap((font) => {
    const source = font.text('src');
    if (source === undefined) return [];
    const file = decodeURI(source.split(/[?#]/)[0]?.split('/').at(-1) ?? '');
    return [{ family: file.replace(/\.\w+$/, ''), source }];
  });
  return fonts.length === 0 ? undefined : fonts;
}

function convertClip(clip: Foreign, name: (type: string) => string): JsonObject | null {
  const asset = clip.object('asset');
  const kind = asset.text('type') ?? '';
  const convert = Object.hasOwn(shotstackAssets, kind) ? shotstackAssets[kind] : undefined;
  if (!convert) {
    clip.skip(`there is no element for an asset of the type “${kind}”`);
    return null;
  }
  const own = convert(asset);
  const { type } = own;
  const isSound = type === 'audio';
  const media = isSound || type === 'video';
  const length = clip.get('length');
  const start = clip.number('start');
  return defined({
    name: clip.text('alias') ?? name(typeIn(own)),
    time: clip.text('start') === 'auto' ? undefined : (start ?? 0),
    duration: length === 'end' ? null : (clip.number('length') ?? (media ? 'media' : usualLength)),
    ...(type === 'shape' ? { x_anchor: '50%', y_anchor: '50%' } : {}),
    ...(isSound ? {} : placeFor(clip, type === 'image' || type === 'video')),
    ...own,
    ...(isSound ? {} : lookFor(clip)),
  });
}
