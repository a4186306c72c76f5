/** The setting that a link led the user to. Window only. */
import type { AppState } from '../../state/app.svelte.ts';

/** Scrolls to a setting's field and selects its text if a link led to it. For an effect. */
export function showWanted(
  app: Pick<AppState, 'navigation'>,
  setting: string,
  box: HTMLElement | undefined,
): void {
  if (app.navigation.wantedSetting !== setting || !box) return;
  app.navigation.wantedSetting = null;
  const field = box.querySelector<HTMLInputElement>('input:checked') ?? box.querySelector('input');
  field?.scrollIntoView({ block: 'center' });
  // A field whose value comes from the program's start can't have the focus; its button can, and explains.
  const goal = field?.disabled === true ? box.querySelector('button') : field;
  goal?.focus({ preventScroll: true });
  field?.select();
}
