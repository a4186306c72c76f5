/** Who makes each form of shared/handover.ts from a compiled film. Pure. */
import type { HandedOver, HandoverForm, Loss } from '../../handover.ts';
import { subtitleFile } from '../compile/subtitle-file.ts';
import type { Timeline } from '../compile/timeline.ts';
import { RenderError } from '../errors.ts';
import type { MediaInfo } from '../media-info.ts';
import { cuesOf } from './captions.ts';
import { cutOf } from './cut.ts';
import { edlOf, listRate } from './edl.ts';
import { otioOf, type FilmFacts } from './otio.ts';

/** A film, and what is known of it. */
export interface HandedFilm extends Pick<FilmFacts, 'name' | 'markers' | 'addressOf'> {
  /** With its captions, if those are wanted. */
  readonly timeline: Timeline;
  readonly media: ReadonlyMap<string, MediaInfo>;
  /** What is known to be lost for cuts, e.g. files that could not be read. */
  readonly lost: readonly Loss[];
}

type Maker = (film: HandedFilm) => HandedOver;

const captions =
  (kind: 'srt' | 'vtt'): Maker =>
  ({ timeline }) => {
    const cues = cuesOf(timeline);
    if (cues.length > 0) return { text: subtitleFile(cues, kind), lost: [] };
    throw new RenderError(
      'invalid_source',
      'Expected captions in the document, found none. Give a text a transcript_source: a recording, subtitles, or a list of words',
    );
  };

/** By form. @throws RenderError `invalid_source` where there is nothing to write */
export const handoverMakers: Readonly<Record<HandoverForm, Maker>> = {
  srt: captions('srt'),
  vtt: captions('vtt'),
  otio: ({ timeline, media, lost, ...film }) => {
    const { width, height } = timeline;
    const cut = cutOf(timeline, media);
    return otioOf({ ...cut, lost: [...cut.lost, ...lost] }, { ...film, width, height });
  },
  edl: ({ timeline, media, lost, ...film }) => {
    const { sounds, output } = timeline;
    const cut = cutOf({ ...timeline, sounds: [] }, media, listRate(output.frameRate));
    if (cut.tracks.length === 0) {
      throw new RenderError(
        'invalid_source',
        'Expected a picture in the film, found none: an EDL lists pictures. OTIO has sounds, too',
      );
    }
    const silent = sounds.map(({ path, name }) => ({ path, element: name, what: 'its sound' }));
    const all = [...cut.lost, ...lost, ...silent];
    return edlOf({ ...cut, lost: all }, film, output.frameRate);
  },
};
