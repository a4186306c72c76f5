/**
 * The messages between the page and its drawing worker. Both are the same build; messages are checked all the same, so
 * that one of another kind does nothing.
 */
import type { SentKit } from '../../shared/preview.ts';
import type { StandingMoment } from '../../shared/engine/layout/standing.ts';
import type { CaretPlaces } from '../../shared/engine/text/caret-places.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import type { OutlineChanges } from './outline-changes.ts';

/** A document to draw. */
export interface LiveDocument {
  /** Counted by the page; the newest is the largest. */
  readonly number: number;
  /** A text is what is being typed, not checked yet. */
  readonly source: Source | string;
  /** Applied to it before it is drawn. */
  readonly modifications: JsonObject;
  /** Paths of elements that are left out. */
  readonly hidden: readonly string[];
  /** Path of the text that is typed in the picture: drawn at rest, as it is written; '' for none. */
  readonly typed: string;
  /** Longest side, pixels. */
  readonly side: number;
}

/** Page → worker. */
export type Order =
  | {
      readonly type: 'begin';
      /** Go along with every request for a file. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly type: 'canvas'; readonly canvas: OffscreenCanvas }
  /** What documents are drawn with until the next one comes. */
  | { readonly type: 'kit'; readonly kit: SentKit }
  /** And a moment of the document to be drawn at once, with where elements lie. */
  | {
      readonly type: 'open';
      readonly document: LiveDocument;
      readonly question: number;
      /** Seconds. */
      readonly time: number;
    }
  /** The text of the document that is open, of which others with small changes will come. */
  | { readonly type: 'expect'; readonly text: string }
  | {
      readonly type: 'draw';
      readonly question: number;
      /** Seconds. */
      readonly time: number;
      /** Where elements lie is wanted, too. */
      readonly outlines: boolean;
    }
  /** Where the elements of another document with the same files stand. */
  | { readonly type: 'stand'; readonly question: number; readonly source: Source }
  /** How far the server's picture of what was drawn last is from it. */
  | { readonly type: 'compare'; readonly question: number; readonly picture: ImageBitmap };

/** The clock and size of an opened document. */
export interface LiveClock {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels for one pixel of the document. */
  readonly scale: number;
  readonly frameRate: number;
  readonly frameCount: number;
  /** Seconds. */
  readonly duration: number;
}

/**
 * Why a document can't be drawn in the page: it is being typed and not whole, a file is not known here yet, the page
 * can't read one, or it can't be compiled.
 */
export type RefusalReason = 'unfinished' | 'unknown-file' | 'unreadable-file' | 'failed';

/** Worker → page. */
export type Report =
  | { readonly type: 'opened'; readonly document: number; readonly clock: LiveClock }
  | {
      readonly type: 'refused';
      readonly document: number;
      readonly reason: RefusalReason;
      /** For who looks for the cause. */
      readonly message: string;
    }
  | {
      readonly type: 'drawn';
      readonly question: number;
      readonly document: number;
      readonly time: number;
      readonly outlines: OutlineChanges | null;
      /** Of the text that is typed; null where none is, or where it is not seen. */
      readonly places: CaretPlaces | null;
    }
  | { readonly type: 'not-drawn'; readonly question: number; readonly message: string }
  | { readonly type: 'compared'; readonly question: number; readonly differs: boolean }
  /** Null where it can't be said. */
  | {
      readonly type: 'standing';
      readonly question: number;
      readonly moments: readonly StandingMoment[] | null;
    }
  /** What could not be drawn for want of a file can be now. */
  | { readonly type: 'completed' };

const orders: readonly string[] = [
  'begin',
  'canvas',
  'kit',
  'open',
  'expect',
  'draw',
  'stand',
  'compare',
] satisfies Order['type'][];
const reports: readonly string[] = [
  ...['opened', 'refused', 'drawn', 'not-drawn', 'standing', 'compared', 'completed'],
] satisfies string[];

const typeOf = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string'
    ? data.type
    : null;

// Both ends are bundled from this file, so a known type has the form above.

/** @returns null for what is no order */
export const readOrder = (data: unknown): Order | null =>
  orders.includes(typeOf(data) ?? '') ? (data as Order) : null;

/** @returns null for what is no report */
export const readReport = (data: unknown): Report | null =>
  reports.includes(typeOf(data) ?? '') ? (data as Report) : null;
