/**
 * Things dragged over the picture: pieces and files of the add panel, and files of the computer. They become new
 * elements on top; a picture or video that is dropped on a slot for one takes its place. Alt turns that round: it
 * replaces any other picture, and adds on a slot. Window only.
 */
import type { Point } from '../canvas/plane.ts';
import { property } from '../../../shared/renderscript/properties.ts';
import { elementTypes, isMediaKind } from '../../../shared/renderscript/source.ts';
import { PatchedText } from '../source/patch.ts';
import { elementAt } from '../outline/elements.ts';
import { carriedKind, carries, dropped } from './dragged.ts';
import { isForElements, type MediaFacts, withFile, shownMedia } from './media-element.ts';
import { addMedia } from '../../frame/connection/uploads.ts';
import { say } from '../../ui/say.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

type Kind = MediaFacts['kind'];

/** The kind of a file by its type, e.g. `image/png`, or its name where that is known; null for other files. */
export function mediaKind({
  type,
  name = '',
}: {
  readonly type: string;
  readonly name?: string;
}): Kind | null {
  if (/\.lottie$/i.test(name)) return 'lottie';
  const kind = type.slice(0, type.indexOf('/'));
  return isMediaKind(kind) ? kind : null;
}

export class MediaDrop {
  /** Something that can be dropped is over the picture. */
  over = $state(false);
  /** Path of the element whose file a drop would replace; '' for none. */
  target = $state('');
  /** Path of the element whose file it would replace with Alt, or without; '' for none. */
  other = $state('');
  readonly #editor: TemplateEditor;
  readonly #app: AppState;

  constructor(editor: TemplateEditor, app: AppState) {
    this.#editor = editor;
    this.#app = app;
  }

  /** It is at a point of the document. @returns whether it can be dropped. */
  hover(event: DragEvent, point: Point | null): boolean {
    const { dataTransfer: transfer, altKey } = event;
    const items = [...(transfer?.items ?? [])];
    const kinds = items.flatMap((item) => mediaKind(item) ?? []);
    this.over = carries(transfer) || kinds.length > 0;
    const [kind] = [carriedKind(transfer), ...kinds].filter((one) => one !== null);
    const isOne = kinds.length < 2;
    const under = point && isOne ? this.#targetAt(point, kind ?? null) : '';
    const replaces = this.#isSlot(under) !== altKey;
    this.target = replaces ? under : '';
    this.other = replaces ? '' : under;
    return this.over;
  }

  leave(): void {
    this.over = false;
    this.target = this.other = '';
  }

  /** It was dropped. @returns whether it was something for the picture. */
  drop({ dataTransfer: transfer }: DragEvent, place: Point | undefined): boolean {
    const { target } = this;
    this.leave();
    const thing = dropped(transfer);
    const [media] = thing && 'media' in thing ? thing.media : [];
    if (media && target !== '') {
      replaceFile(this.#editor, target, media);
      return true;
    }
    const { adding, document } = this.#editor;
    if (adding.drop(transfer, { place })) return true;
    const files = [...(transfer?.files ?? [])].filter((file) => mediaKind(file) !== null);
    // The window handles other files, including templates.
    if (files.length === 0) return false;
    const [file] = files;
    if (!document.readable)
      this.#app.messages.show(say('editor.outline.broken'), { tone: 'problem' });
    else if (target !== '' && file) void this.#replaceBy(file, target);
    else void adding.addFiles(this.#app, files, { place });
    return true;
  }

  async #replaceBy(file: File, target: string): Promise<void> {
    const { document } = this.#editor;
    const element = document.source && elementAt(document.source, target);
    await this.#app.attempt(async () => {
      const media = await addMedia(file, new AbortController().signal, () => undefined);
      // Meanwhile, another element may have come to its place.
      const now = document.source && elementAt(document.source, target);
      if (!isForElements(media)) return;
      if (now?.name === element?.name && shownMedia(now) && media.kind !== 'audio')
        replaceFile(this.#editor, target, media);
      else this.#editor.adding.addMedia([media]);
    });
  }

  /** It is there to be filled: it is a field, or has no file yet. */
  #isSlot(path: string): boolean {
    const { source } = this.#editor.document;
    const element = source && path !== '' ? elementAt(source, path) : null;
    return element?.dynamic === true || (element !== null && (element.source ?? '') === '');
  }

  /** The topmost element with a visible file at a point; '' for none, and for sounds. */
  #targetAt(point: Point, kind: Kind | null): string {
    if (kind === null || kind === 'audio') return '';
    const { document, canvas } = this.#editor;
    const { source } = document;
    return canvas.topmost(
      point,
      (path) => source !== null && shownMedia(elementAt(source, path)) !== null,
    );
  }
}

/** Shows another file in an element; one step. */
export function replaceFile(
  { document, canvas, preview }: TemplateEditor,
  path: string,
  media: Pick<MediaFacts, 'kind' | 'source' | 'duration'>,
): void {
  if (media.duration > 0) preview.knowLengths({ [media.source]: media.duration });
  document.settle();
  const { source, text } = document;
  const element = source && elementAt(source, path);
  if (!element || !document.readable) return;
  const after = withFile(text, path, element, media);
  document.namedStep(differenceOf(text, after), say('canvas.step.replace'));
  canvas.selectAll([path]);
}

/** Gives the selected elements a table of colors, as one step. @returns whether one took it */
export function giveLut({ document, canvas }: TemplateEditor, address: string): boolean {
  document.settle();
  const { source, text } = document;
  if (!source || !document.readable) return false;
  const takers = canvas.selection.filter((path) => {
    const type = elementTypes.find((one) => one === elementAt(source, path)?.type);
    return type !== undefined && property(type, 'look_lut') !== undefined;
  });
  if (takers.length === 0) return false;
  const values = Object.fromEntries(takers.map((path) => [`${path}.look_lut`, address]));
  const after = new PatchedText(text).with(values);
  document.namedStep(differenceOf(text, after), say('inspector.name.look_lut'));
  return true;
}
