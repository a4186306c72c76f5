/** The render dialog's choices as the public API's request, and back. Pure. */
import { parseJson } from '../../../shared/json.ts';
import {
  formatNamed,
  formatOf,
  formats,
  hasCodecs,
  hasSound,
  isSound,
  isStill,
  type OutputFormat,
  type VideoCodec,
  videoCodecNames,
} from '../../../shared/renderscript/formats.ts';
import { documentLimits } from '../../../shared/renderscript/limits.ts';
import { outputSize } from '../../../shared/renderscript/output.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';

/** What is chosen; texts as typed, '' for nothing. */
export interface RenderOptions {
  modifications: Record<string, Json>;
  /** JSON of further modifications. */
  other: string;
  /** '' = the template's own. */
  format: OutputFormat | '';
  /** Frames per second. */
  frameRate: string;
  /** One of the format's values; '' = the template's own. */
  quality: string;
  /** Of an mp4; '' = the template's own. */
  codec: VideoCodec | '';
  /** One of `loudnessChoices`; '' = the template's own. */
  loudness: string;
  scale: string;
  maxWidth: string;
  maxHeight: string;
  webhook: string;
  metadata: string;
}

/** LUFS that the dialog offers for a film's sound: the web, podcasts, television. */
export const loudnessChoices = ['-14', '-16', '-23'] as const;

/** The choices about the file itself. */
export type FileChoice = Pick<
  RenderOptions,
  'format' | 'frameRate' | 'quality' | 'scale' | 'maxWidth' | 'maxHeight'
>;

/** The document's own file. */
export const ownFile: FileChoice = {
  format: '',
  frameRate: '',
  quality: '',
  scale: '',
  maxWidth: '',
  maxHeight: '',
};

export const noOptions: RenderOptions = {
  ...ownFile,
  codec: '',
  loudness: '',
  modifications: {},
  other: '',
  webhook: '',
  metadata: '',
};

/** What to render. */
export interface RequestSubject {
  readonly id: string;
  /** The source to render. */
  readonly source: Source;
  /** It has unsaved changes: the request carries the source. */
  readonly isDraft: boolean;
}

/** The format of the file. */
export const chosenFormat = (source: Source, { format }: FileChoice): OutputFormat =>
  format === '' ? formatOf(source) : format;

/** How an mp4 of the document is coded. */
export const chosenCodec = ({ video_codec: own }: Source, { codec }: RenderOptions): VideoCodec =>
  videoCodecNames.find((name) => name === (codec === '' ? own : codec)) ?? 'h264';

/** The frame rate that a document names; null where it leaves that open. */
export const ownFrameRate = ({ frame_rate: rate }: Source): number | null =>
  parseAmount(rate)?.value ?? null;

/**
 * The frame rate that is sent although none was chosen: a GIF can't have more than 15 frames per second. Null: the
 * document's own is fine.
 */
export function neededFrameRate(source: Source, options: FileChoice): number | null {
  const { frameRate: most } = formats[chosenFormat(source, options)].most;
  if (most === documentLimits.frameRate) return null;
  const own = ownFrameRate(source);
  return own !== null && own <= most ? null : most;
}

/** Whether a file shows a moment of the document: a picture of what is no picture itself. */
export const showsMoment = (source: Source, choice: FileChoice): boolean =>
  isStill(chosenFormat(source, choice)) && !isStill(formatOf(source));

/**
 * The request, or the problem that the further modifications are no JSON object.
 *
 * @param moment Seconds, if the file shows one; null: not known yet.
 */
export function requestBody(
  { id, source, isDraft }: RequestSubject,
  options: RenderOptions,
  moment: number | null = null,
): { readonly ok: true; readonly body: JsonObject } | { readonly ok: false } {
  const other = options.other.trim() === '' ? {} : readObject(options.other);
  if (other === null) return { ok: false };
  const format = chosenFormat(source, options);
  const { quality } = formats[format];
  const isChosen = quality?.values.includes(options.quality) === true;
  const modifications = {
    ...options.modifications,
    ...(quality && isChosen && { [quality.property]: plain(options.quality) }),
    ...(hasCodecs(format) && options.codec !== '' && { video_codec: options.codec }),
    ...(hasSound(format) && amount('target_loudness', options.loudness)),
    ...(moment !== null && showsMoment(source, options) && { snapshot_time: moment }),
    ...other,
  };
  const needed = neededFrameRate(source, options);
  return {
    ok: true,
    body: {
      ...(isDraft ? { source } : { template_id: id }),
      ...(Object.keys(modifications).length > 0 && { modifications }),
      ...(format !== formatOf(source) && { output_format: format }),
      ...(needed !== null && { frame_rate: needed }),
      ...(!isStill(format) && !isSound(format) && amount('frame_rate', options.frameRate)),
      ...(!isSound(format) && {
        ...amount('render_scale', options.scale),
        ...amount('max_width', options.maxWidth),
        ...amount('max_height', options.maxHeight),
      }),
      ...(options.webhook !== '' && { webhook_url: options.webhook }),
      ...(options.metadata !== '' && { metadata: options.metadata }),
    },
  };
}

/**
 * The choices that a request came from.
 * @param keys modifications that have a field of their own; the others are given as JSON
 */
export function optionsOf(request: JsonObject, keys: readonly string[]): RenderOptions {
  const { modifications = null } = request;
  const given = Object.entries(isJsonObject(modifications) ? modifications : {}).flatMap(
    ([key, value]): [string, Json][] => (value === undefined ? [] : [[key, value]]),
  );
  const quality = given.find(([key, value]) =>
    Object.values(formats).some(
      ({ quality: one }) =>
        one?.property === key && one.values.some((known) => known === textOf(value)),
    ),
  );
  const own = given.find(([key]) => key === 'target_loudness');
  const loudness = loudnessChoices.find((choice) => choice === textOf(own?.[1]));
  const codec = videoCodecNames.find((name) =>
    given.some(([key, value]) => key === 'video_codec' && value === name),
  );
  const isMoment = momentIn(request) !== null;
  const others = given.filter(
    ([key]) =>
      !keys.includes(key) &&
      key !== quality?.[0] &&
      !(loudness !== undefined && key === 'target_loudness') &&
      !(codec !== undefined && key === 'video_codec') &&
      !(isMoment && key === 'snapshot_time'),
  );
  const text = (name: string): string => textOf(request[name]);
  return {
    modifications: Object.fromEntries(given.filter(([key]) => keys.includes(key))),
    other: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2),
    format: formatNamed(request.output_format) ?? '',
    frameRate: text('frame_rate'),
    quality: quality === undefined ? '' : textOf(quality[1]),
    codec: codec ?? '',
    loudness: loudness ?? '',
    scale: text('render_scale'),
    maxWidth: text('max_width'),
    maxHeight: text('max_height'),
    webhook: text('webhook_url'),
    metadata: text('metadata'),
  };
}

/** The moment that a request for a picture names, in seconds; null: none. */
export function momentIn({
  output_format: format,
  modifications = null,
}: JsonObject): number | null {
  if (!isStill(format) || !isJsonObject(modifications)) return null;
  const { snapshot_time: moment } = modifications;
  return typeof moment === 'number' ? moment : null;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Pixels of the file that is chosen for a document. */
export function fileSides(
  {
    source,
    width,
    height,
  }: { readonly source: Source; readonly width: number; readonly height: number },
  choice: FileChoice,
): { readonly width: number; readonly height: number } {
  const given = (text: string): number | null => Number(text.trim().replace(',', '.')) || null;
  return outputSize({
    ...{ width, height, format: chosenFormat(source, choice) },
    renderScale: given(choice.scale),
    maxWidth: given(choice.maxWidth),
    maxHeight: given(choice.maxHeight),
  });
}

/** Reads a JSON object; null for anything else. */
export function readObject(text: string): JsonObject | null {
  const result = parseJson(text);
  return result.ok && isJsonObject(result.value) ? result.value : null;
}

/** What is no number is sent as typed: the server says what it should be. */
function amount(name: string, text: string): JsonObject {
  const given = text.trim().replace(',', '.');
  return given === '' ? {} : { [name]: plain(given) };
}

function plain(text: string): string | number {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
