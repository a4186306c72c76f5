/**
 * Tells that a render has ended to a person who is elsewhere: with a message on another page, in the title of a window that
 * is not looked at, and with a notification of the browser where that is wanted. A batch is told once, at its end. Window only.
 */
import type { WindowRender } from '../../../shared/api.ts';
import { nameOf, stageOf } from '../../lib/display.ts';
import { cutMiddle } from '../../lib/format.ts';
import { say } from '../../lib/say.ts';
import type { Outcome } from '../renders.svelte.ts';
import type { WindowParts } from '../window-parts.ts';

/** The name under which it is remembered that this person wants notifications of the browser. */
const remembered = 'notify';

/** What has ended, in words. */
interface Ended {
  readonly text: string;
  readonly failed: boolean;
  readonly open: () => void;
  /** Another notification with the same one takes its place. */
  readonly tag: string;
}

/** What of the window they use and change. */
type UsedParts = Pick<
  WindowParts,
  'navigation' | 'clock' | 'messages' | 'desktop' | 'renders' | 'preferences'
>;

/** What ended while nobody looked, and who is told how. */
export class Completion {
  /** Sentences about what has ended since the window was last looked at. */
  unseen = $state.raw<readonly string[]>([]);

  readonly #app: UsedParts;

  constructor(app: UsedParts) {
    this.#app = app;
  }

  /** Why this browser can't notify; undefined where it can. The desktop program notifies by itself. */
  get hindrance(): string | undefined {
    if (!('Notification' in window)) return say('settings.notify.none');
    return Notification.permission === 'denied' ? say('settings.notify.denied') : undefined;
  }

  get notifies(): boolean {
    return this.hindrance === undefined && this.#app.preferences.flag(remembered);
  }

  /** Turns notifications on, once the browser lets, or off. */
  async notify(on: boolean): Promise<void> {
    const may = on && (await Notification.requestPermission()) === 'granted';
    this.#app.preferences.set(remembered, may);
  }

  /** The window is looked at. */
  look(): void {
    if (this.unseen.length > 0) this.unseen = [];
  }

  /** A render has ended. */
  tell(render: WindowRender, outcome: Outcome): void {
    const ended = this.#endOf(render, outcome);
    if (!ended) return;
    const { navigation, clock, messages, desktop } = this.#app;
    const { page, editing } = navigation;
    const { seen } = clock;
    const isLookedAt = seen && document.hasFocus();
    if (seen && page === 'queue' && editing === null) messages.speak(ended.text);
    else {
      messages.show(ended.text, {
        tone: ended.failed ? 'problem' : 'plain',
        action: { label: say('toast.open'), run: ended.open },
      });
    }
    if (isLookedAt) return;
    this.unseen = [...this.unseen, ended.text];
    if (!desktop && this.notifies) notify(ended);
  }

  /** Null for a render of a batch that goes on. */
  #endOf(render: WindowRender, outcome: Outcome): Ended | null {
    const { renders } = this.#app;
    const open = (): void => this.#app.navigation.showRender(render.id);
    if (!render.batch) {
      const name = cutMiddle(nameOf(render));
      const failed = outcome === 'failed';
      const text = say(failed ? 'render.failed.announce' : 'render.done.announce', { name });
      return { text, failed, open, tag: render.id };
    }
    const { id, name } = render.batch;
    const stages = (renders.batches.get(id) ?? []).flatMap((one) => {
      const member = renders.get(one);
      return member ? [stageOf(member)] : [];
    });
    if (stages.some((stage) => stage === 'active' || stage === 'queued')) return null;
    const count = (wanted: string): number => stages.filter((stage) => stage === wanted).length;
    const [done, failed] = [count('done'), count('failed')];
    const text = say('batch.ended', { name: cutMiddle(name), done, failed });
    return { text, failed: failed > 0, open, tag: id };
  }
}

function notify({ text, open, tag }: Ended): void {
  const notification = new Notification(text, { tag, icon: './icon.svg' });
  notification.onclick = () => {
    window.focus();
    open();
    notification.close();
  };
}
