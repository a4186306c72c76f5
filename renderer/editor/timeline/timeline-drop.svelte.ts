/** Things dragged over the timeline: where they would land, and what becomes of them. Window only. */
import { pieceOf } from '../making/pieces.ts';
import type { Spot } from '../making/adding.svelte.ts';
import { carries, inHand } from '../media/dragged.ts';
import { mediaKind } from '../media/media-drop.svelte.ts';
import { roleOf } from '../media/media-element.ts';
import { say } from '../../ui/say.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import { endOf } from './clips.ts';
import { atFrame } from './seconds.ts';
import { momentsBeside, snapTo } from './snap.ts';
import type { TimelinePlaces } from './timeline-pointer.svelte.ts';

/** Where something would land, in seconds, and the row that is to show it. */
interface Mark {
  readonly start: number;
  readonly seconds: number;
  readonly row: number;
  /** In front of that row, on one of its own. */
  readonly isNew: boolean;
}

/** What is in the hand. */
interface Hand {
  readonly what: 'scene' | 'seen' | 'heard';
  readonly seconds: number;
}

/** Pixels within which what is dropped keeps to moments. */
const reach = 9;

export class TimelineDrop {
  readonly #editor: TemplateEditor;
  readonly #app: AppState;
  /** Where it would land; null while nothing is over the timeline. */
  mark = $state.raw<Mark | null>(null);

  constructor(editor: TemplateEditor, app: AppState) {
    this.#editor = editor;
    this.#app = app;
  }

  /** It is over the timeline. @returns whether it can be dropped. */
  hover(event: DragEvent, places: TimelinePlaces | null): boolean {
    const hand = this.#handOf(event.dataTransfer);
    if (!hand || !places) return false;
    const { timeline, adding } = this.#editor;
    const spot = this.#spotAt(event, places);
    const { start, track } = adding.landing(spot, hand.what, hand.seconds);
    const row = timeline.rows.findIndex((one) => one.level === 1 && one.track === track);
    // A new sound comes last, anything else that is new in front.
    const last = hand.what === 'heard' ? timeline.rows.length : 0;
    const isNew = row < 0 && last === 0 && timeline.rows.length > 0;
    this.mark = { start, seconds: hand.seconds, row: row < 0 ? last : row, isNew };
    timeline.guide = start === spot.time || hand.what === 'scene' ? start : null;
    return true;
  }

  leave(): void {
    this.mark = null;
    this.#editor.timeline.guide = null;
  }

  /** It was dropped. @returns whether it was something for the timeline. */
  drop(event: DragEvent, places: TimelinePlaces | null): boolean {
    this.leave();
    if (!places) return false;
    const { adding, document } = this.#editor;
    const spot = this.#spotAt(event, places);
    if (adding.drop(event.dataTransfer, spot)) return true;
    const files = [...(event.dataTransfer?.files ?? [])].filter((file) => mediaKind(file));
    // The window handles other files, including templates.
    if (files.length === 0) return false;
    if (document.readable) void adding.addFiles(this.#app, files, spot);
    else this.#app.messages.show(say('editor.outline.broken'), { tone: 'problem' });
    return true;
  }

  /** The moment, near which edges and the head attract it, and the row. */
  #spotAt(event: DragEvent, places: TimelinePlaces): Spot & { readonly time: number } {
    const { timeline, preview, markers } = this.#editor;
    const { clips, scale, snaps, rows } = timeline;
    const at = Math.max(0, (event.clientX - places.left) / scale);
    const marked = markers.list.map(({ time }) => time);
    const moments = clips ? momentsBeside(clips, [], preview.time, undefined, marked) : [0];
    const isFree = event.ctrlKey === snaps;
    const found = isFree ? null : snapTo([at], moments, reach / scale);
    const time = found?.at ?? atFrame(at, preview.frameRate);
    const place = Math.floor((event.clientY - places.top) / places.pitch);
    const row = rows[place];
    if (place < 0 && rows.length > 0) return { time, track: null };
    return row?.level === 1 && row.track !== null ? { time, track: row.track } : { time };
  }

  #handOf(transfer: DataTransfer | null): Hand | null {
    const thing = inHand(transfer);
    const rest = Math.max(1, this.#last);
    const { photoSeconds } = this.#editor.adding;
    if (thing && 'media' in thing) {
      const { media } = thing;
      const seconds = media.reduce(
        (sum, { kind, duration }) => sum + (kind === 'image' ? photoSeconds : duration),
        0,
      );
      return { what: roleOf(media.map(({ kind }) => kind)), seconds };
    }
    if (thing && 'element' in thing)
      return thing.isScene
        ? { what: 'scene', seconds: photoSeconds }
        : { what: 'seen', seconds: rest };
    const piece = thing && pieceOf(thing.piece);
    if (piece)
      return piece.scene
        ? { what: 'scene', seconds: photoSeconds }
        : { what: piece.file === 'audio' ? 'heard' : 'seen', seconds: rest };
    if (carries(transfer)) return { what: 'seen', seconds: rest };
    const kinds = [...(transfer?.items ?? [])].flatMap((item) => mediaKind(item) ?? []);
    if (kinds.length === 0) return null;
    return { what: roleOf(kinds), seconds: kinds.length * photoSeconds };
  }

  /** Seconds of the film. */
  get #last(): number {
    const { clips } = this.#editor.timeline;
    return (clips?.top ?? []).reduce((most, clip) => Math.max(most, endOf(clip)), 0);
  }
}
