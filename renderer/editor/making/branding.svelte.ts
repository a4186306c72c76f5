/** Puts the open template into the colours and fonts of its project, as one step. Window only. */
import type { Brand } from '../../../shared/api.ts';
import type { Messages } from '../../frame/messages.svelte.ts';
import { differenceOf } from '../../engine/text-change.ts';
import { localeInUse, say } from '../../ui/say.ts';
import type { EditedDocument } from '../source/edited-document.svelte.ts';
import { PatchedText } from '../source/patch.ts';
import { isUnset } from './brand.ts';
import { branded } from './branded.ts';

/** What it changes; a `TemplateEditor` is one. */
interface BrandedEditor {
  readonly document: EditedDocument;
  readonly brand: Brand;
  readonly preview: { readonly lengths: Readonly<Record<string, number>> };
}

/** Says what was done. */
interface BrandingApp {
  readonly messages: Pick<Messages, 'show'>;
}

/**
 * Uses the brand everywhere in the document, and says what changed, with a button that takes it back.
 *
 * @param choose Opens the brand, where nothing is chosen yet.
 */
export function useBrand(
  { document, brand, preview }: BrandedEditor,
  app: BrandingApp,
  choose: () => void,
): void {
  if (isUnset(brand)) {
    choose();
    return;
  }
  document.settle();
  const { source, text, readable } = document;
  if (!source || !readable) return;
  const { patch, colors, fonts, logos } = branded(source, brand, preview.lengths);
  const after = new PatchedText(text).with(patch);
  if (after === text) {
    app.messages.show(say('brand.use.nothing'));
    return;
  }
  document.namedStep(differenceOf(text, after), say('brand.use.step'));
  const parts = [
    colors > 0 ? say('brand.use.colors', { count: colors }) : '',
    fonts > 0 ? say('brand.use.fonts', { count: fonts }) : '',
    logos > 0 ? say('brand.use.logos', { count: logos }) : '',
  ].filter((part) => part !== '');
  const undo = (): void => {
    // Later steps would be taken back in its place.
    if (document.text === after) document.undo();
  };
  app.messages.show(
    say('brand.use.done', {
      changes: new Intl.ListFormat(localeInUse(), { type: 'unit' }).format(parts),
    }),
    {
      action: { label: say('toast.undo'), run: undo },
    },
  );
}
