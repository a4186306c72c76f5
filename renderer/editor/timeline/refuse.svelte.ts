/** Says why the timeline does not do what was asked of it. Window only. */
import { say } from '../../ui/say.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import type { UncutReason } from './split-composition.ts';
import type { NoTransition } from './transitions.ts';

/** @param name Of the clip that can't be changed so. */
export function refuse(app: AppState, why: UncutReason | NoTransition['why'], name: string): void {
  app.messages.show(say(`editor.timeline.why.${why}`, { name }), { tone: 'problem' });
}
