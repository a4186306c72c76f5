/** The field of a setting that a person was led to. Window only. */
import type { AppState } from '../../state/app.svelte.ts';

/** Brings a setting's field into sight, ready to be typed over, once it is what someone was led to. For an effect. */
export function showWanted(
  app: Pick<AppState, 'navigation'>,
  setting: string,
  box: HTMLElement | undefined,
): void {
  if (app.navigation.wantedSetting !== setting || !box) return;
  app.navigation.wantedSetting = null;
  const field = box.querySelector<HTMLInputElement>('input:checked') ?? box.querySelector('input');
  field?.scrollIntoView({ block: 'center' });
  // One that the start of the program names can't have the focus: then its button has it, which says so.
  const goal = field?.disabled === true ? box.querySelector('button') : field;
  goal?.focus({ preventScroll: true });
  field?.select();
}
