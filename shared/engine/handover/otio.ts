/**
 * A cut as OpenTimelineIO's JSON, which Resolve, Premiere, Kdenlive and others read. Schemas as of OpenTimelineIO 0.15
 * (Clip.2). What it has no words for stands in its metadata, and is listed as lost. Pure.
 */
import { lossLines, type Loss } from '../../handover.ts';
import type { Marker, MarkerColor } from '../../markers.ts';
import type { ClipContent, Cut, CutClip, CutTrack, CutTransition } from './cut.ts';

/** A node of the file. */
interface Node {
  readonly OTIO_SCHEMA: string;
  readonly [field: string]: unknown;
}

/** What is written beside the cut. */
export interface FilmFacts {
  /** Of the film; '' = none. */
  readonly name: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Named moments of the film. */
  readonly markers: readonly Marker[];
  /** Where other programs find a file of the document; null: nowhere, as it is part of the document or spoken. */
  readonly addressOf: (source: string) => string | null;
}

/** The colours that OpenTimelineIO knows. */
const markerColors: Readonly<Record<MarkerColor, string>> = {
  ...{ red: 'RED', orange: 'ORANGE', yellow: 'YELLOW', green: 'GREEN', blue: 'BLUE' },
  ...{ purple: 'PURPLE', grey: 'WHITE' },
};

/** What stands for a file that has no address. */
export const noAddress = 'its file, which is part of the document or spoken';

/** The whole file, and what it doesn't say. */
export function otioOf(
  cut: Cut,
  { name, width, height, markers, addressOf }: FilmFacts,
): { readonly text: string; readonly lost: readonly Loss[] } {
  const { frameRate, tracks } = cut;
  const lost = [...cut.lost];

  const time = (value: number): Node => ({
    ...{ OTIO_SCHEMA: 'RationalTime.1', rate: frameRate, value },
  });
  const range = (start: number, duration: number): Node => ({
    ...{ OTIO_SCHEMA: 'TimeRange.1', duration: time(duration), start_time: time(start) },
  });
  const item = (schema: string, own: Readonly<Record<string, unknown>>): Node => ({
    ...{ OTIO_SCHEMA: schema, metadata: {}, name: '', source_range: null },
    ...{ effects: [], markers: [], enabled: true, ...own },
  });
  const reference = (schema: string, own: Readonly<Record<string, unknown>>): Node => ({
    ...{ OTIO_SCHEMA: schema, metadata: {}, name: '', available_range: null },
    ...{ available_image_bounds: null, ...own },
  });
  const generator = (kind: string, parameters: Readonly<Record<string, string>>): Node =>
    reference('GeneratorReference.1', { generator_kind: kind, parameters });

  const referenceOf = (content: Exclude<ClipContent, { kind: 'inner' }>, clip: CutClip): Node => {
    switch (content.kind) {
      case 'file': {
        const { source, available } = content;
        const own = { available_range: available === null ? null : range(0, available) };
        const address = addressOf(source);
        if (address !== null)
          return reference('ExternalReference.1', { ...own, target_url: address });
        lost.push({ path: clip.path, element: clip.name, what: noAddress });
        return reference('MissingReference.1', own);
      }
      case 'text':
        return generator('Text', { text: content.text });
      case 'color':
        return generator('SolidColor', { color: content.color });
      case 'shape':
        return generator('Shape', {});
      case 'nothing':
        return reference('MissingReference.1', {});
    }
  };

  const clipNode = (clip: CutClip): Node => {
    const { path, content, length } = clip;
    const own = { name: clip.name, metadata: { framewright: { path } } };
    if (content.kind === 'inner') {
      const { from, tracks: inner } = content;
      const children = inner.map(trackNode);
      return item('Stack.1', { ...own, source_range: range(from, length), children });
    }
    const isFile = content.kind === 'file';
    return item('Clip.2', {
      ...own,
      source_range: range(isFile ? content.from : 0, length),
      effects: isFile ? speedEffects(content.speed) : [],
      media_references: { DEFAULT_MEDIA: referenceOf(content, clip) },
      active_media_reference_key: 'DEFAULT_MEDIA',
    });
  };

  const transitionNode = ({ type, before, after }: CutTransition): Node => ({
    ...{ OTIO_SCHEMA: 'Transition.1', metadata: { framewright: { type } }, name: type },
    transition_type: type === 'fade' ? 'SMPTE_Dissolve' : 'Custom_Transition',
    ...{ in_offset: time(before), out_offset: time(after) },
  });

  function trackNode({ kind, name: own, items }: CutTrack): Node {
    const children = items.map((one): Node => {
      if (one.kind === 'clip') return clipNode(one);
      if (one.kind === 'transition') return transitionNode(one);
      return item('Gap.1', { source_range: range(0, one.length) });
    });
    return item('Track.1', { name: own, kind: kind === 'sound' ? 'Audio' : 'Video', children });
  }

  const stack = item('Stack.1', {
    name: 'tracks',
    children: tracks.map(trackNode),
    markers: markers.map((marker) => ({
      ...{ OTIO_SCHEMA: 'Marker.2', metadata: {}, name: marker.name, comment: '' },
      color: markerColors[marker.color],
      marked_range: range(Math.round(marker.time * frameRate), 0),
    })),
  });
  const timeline: Node = {
    OTIO_SCHEMA: 'Timeline.1',
    metadata: { framewright: { width, height, lost: lossLines(lost) } },
    ...{ name, global_start_time: null, tracks: stack },
  };
  return { text: `${JSON.stringify(timeline, null, 2)}\n`, lost };
}

/** How fast a clip plays; what is played in its own time needs no effect. */
function speedEffects(speed: number): readonly Node[] {
  if (speed === 1) return [];
  const isHeld = speed === 0;
  const effect = {
    ...{ metadata: {}, name: '', effect_name: isHeld ? 'FreezeFrame' : 'LinearTimeWarp' },
    ...{ enabled: true, time_scalar: speed },
  };
  return [{ OTIO_SCHEMA: isHeld ? 'FreezeFrame.1' : 'LinearTimeWarp.1', ...effect }];
}
