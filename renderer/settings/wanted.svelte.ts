/** The setting that a link led the user to. Window only. */
import type { AppState } from '../frame/app.svelte.ts';

/** Scrolls to a setting's field and selects its text if a link led to it. For an effect. */
export function showWanted(
  app: Pick<AppState, 'navigation'>,
  setting: string,
  box: HTMLElement | undefined,
): void {
  if (app.navigation.wantedSetting !== setting || !box) return;
  app.navigation.wantedSetting = null;
  const field =
    box.querySelector<HTMLInputElement>('input:checked') ??
    box.querySelector<HTMLInputElement>('input:not([hidden])');
  (field ?? box).scrollIntoView({ block: 'center' });
  // A field whose value comes from the program's start can't have the focus; its button can, and explains.
  const goal = field?.disabled === false ? field : box.querySelector('button');
  goal?.focus({ preventScroll: true });
  field?.select();
}
