/** The server's state, as far as the window knows it. Window only. */
import type { ServerState } from '../../shared/api.ts';
import { say } from '../ui/say.ts';

/** `refused`: what answers does not know the token of this address; it is asked again. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

export class ServerStanding {
  connection = $state<Connection>('connecting');
  /** Null until it is loaded. */
  state = $state.raw<ServerState | null>(null);

  /** No render starts now: a person paused the queue, or something holds all of it. */
  readonly halted = $derived.by((): boolean => {
    const { paused = false, heldBy = [] } = this.state?.queue ?? {};
    // A missing encoder holds only films; pictures go on.
    return paused || heldBy.some((reason) => reason !== 'encoder');
  });

  /** Why the queue can be neither paused nor resumed: nothing is known of it. Undefined while something is. */
  readonly queueUnknown = $derived.by((): string | undefined =>
    this.state === null || this.connection === 'refused' ? say('reason.queueUnknown') : undefined,
  );

  /** Why nothing can be saved, as a sentence; undefined while it can. */
  readonly readOnly = $derived.by((): string | undefined => {
    const reason = this.state?.storeProblem;
    return reason === undefined ? undefined : say('reason.store', { reason });
  });
}
