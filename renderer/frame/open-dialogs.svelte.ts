/**
 * What lies over the page: one union of all dialogs of the window. Window only; Dialogs.svelte shows
 * them.
 */
import type {
  BackupCounts,
  BackupRecord,
  SharedTemplateFile,
  WindowTemplate,
} from '../../shared/api.ts';
import type { OpenedArchive } from '../../shared/desktop.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import type { TextEncoding } from '../../shared/text-encodings.ts';

/** A question before something that can't be undone. */
export interface Question {
  readonly title: string;
  readonly text: string;
  /** The words of the two buttons. */
  readonly yes: string;
  readonly no: string;
  readonly danger?: boolean;
}

/** A dialog with what it is about. */
export type OpenDialog =
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'projects' }
  | { readonly kind: 'new-template'; readonly tab?: 'samples' }
  /** What the templates of a project look like, and what is done with it once it is saved. */
  | { readonly kind: 'brand'; readonly id: string; readonly use?: (() => void) | undefined }
  | { readonly kind: 'remove-finished' }
  /** A backup to put back, and what it would replace; null: not known. */
  | { readonly kind: 'restore'; readonly backup: BackupRecord; readonly now: BackupCounts | null }
  /** The name of a project; null: of a new one. */
  | { readonly kind: 'project'; readonly id: string | null }
  | { readonly kind: 'naming'; readonly what: 'name' | 'tags'; readonly template: WindowTemplate }
  /** Files to look at before they are imported; none: there is a box to paste into. */
  | { readonly kind: 'import'; readonly files: readonly (File | OpenedArchive)[] }
  /** What a file of one or several templates with media and fonts will contain. */
  | {
      readonly kind: 'share';
      readonly templates: readonly WindowTemplate[];
      readonly content: SharedTemplateFile;
    }
  /** A table to make a feed from, or to replace a feed's rows with; null: not chosen yet. */
  | { readonly kind: 'import-feed'; readonly file: File | null; readonly into?: string }
  /** Subtitles that were read in a guessed encoding, to read them in another. */
  | {
      readonly kind: 'encoding';
      readonly file: File;
      readonly guess: TextEncoding;
      readonly onread: (text: string) => void;
    }
  | {
      readonly kind: 'render';
      readonly template: WindowTemplate;
      readonly source: JsonObject;
      /** An earlier request to start with. */
      readonly request?: JsonObject | undefined;
    }
  /** A finished render, to be watched and passed on. */
  | { readonly kind: 'result'; readonly id: string }
  | ({ readonly kind: 'question'; readonly answer: (yes: boolean) => void } & Question);

export type DialogKind = OpenDialog['kind'];

/** Palette and list of shortcuts, which replace each other. */
const light: readonly DialogKind[] = ['palette', 'shortcuts'];

export class Dialogs {
  /** The topmost last; one of each kind. */
  opened = $state.raw<readonly OpenDialog[]>([]);

  isOpen(kind: DialogKind): boolean {
    return this.opened.some((one) => one.kind === kind);
  }

  /** Opens a dialog above the others. An open one of the same kind is replaced. */
  show(dialog: OpenDialog): void {
    const gone = light.includes(dialog.kind) ? light : [dialog.kind];
    this.opened = [...this.opened.filter(({ kind }) => !gone.includes(kind)), dialog];
  }

  /** Closes dialogs and answers an open question with no. @param kinds default: all */
  close(...kinds: readonly DialogKind[]): void {
    const closing = this.opened.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
    this.opened = this.opened.filter((one) => !closing.includes(one));
    for (const one of closing) if (one.kind === 'question') one.answer(false);
  }

  /** Asks a person. @returns true for the first button. */
  ask(question: Question): Promise<boolean> {
    this.close('question');
    return new Promise((answer) => this.show({ kind: 'question', answer, ...question }));
  }
}
