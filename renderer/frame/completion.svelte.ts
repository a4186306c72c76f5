/**
 * Says that a render has ended: with a message on another page, in the title of a hidden window, and with a browser
 * notification where wanted. A batch is reported once, at its end. Window only.
 */
import type { WindowRender } from '../../shared/api.ts';
import { hasSound, isSound } from '../../shared/renderscript/formats.ts';
import { isSinglePicture, nameOf, stageOf } from '../queue/display.ts';
import { cutMiddle } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import type { Outcome } from '../queue/renders.svelte.ts';
import type { WindowParts } from './window-parts.svelte.ts';

/** The name of the preference for browser notifications. */
const remembered = 'notify';

/** What has ended, in words. */
interface Ended {
  readonly text: string;
  readonly failed: boolean;
  readonly open: () => void;
  /** What the button of its message does; default: `open`. */
  readonly watch?: { readonly label: string; readonly run: () => void };
  /** A notification with the same tag replaces this one. */
  readonly tag: string;
}

/** The parts of the window that it uses and changes. */
type UsedParts = Pick<
  WindowParts,
  'navigation' | 'clock' | 'messages' | 'desktop' | 'renders' | 'preferences' | 'dialogs'
>;

/** What ended while the window was hidden, and how that is reported. */
export class Completion {
  /** Sentences about what has ended since the window was last visible. */
  unseen = $state.raw<readonly string[]>([]);

  readonly #app: UsedParts;

  constructor(app: UsedParts) {
    this.#app = app;
  }

  /** Why this browser can't notify; undefined where it can. The desktop program has notifications of its own. */
  get hindrance(): string | undefined {
    if (!('Notification' in window)) return say('settings.notify.none');
    return Notification.permission === 'denied' ? say('settings.notify.denied') : undefined;
  }

  get notifies(): boolean {
    return this.hindrance === undefined && this.#app.preferences.flag(remembered);
  }

  /** Turns notifications on, once the browser allows them, or off. */
  async notify(on: boolean): Promise<void> {
    const may = on && (await Notification.requestPermission()) === 'granted';
    this.#app.preferences.set(remembered, may);
  }

  /** The window became visible. */
  look(): void {
    if (this.unseen.length > 0) this.unseen = [];
  }

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
        render: render.id,
        action: ended.watch ?? { label: say('toast.open'), run: ended.open },
      });
    }
    if (isLookedAt) return;
    this.unseen = [...this.unseen, ended.text];
    if (!desktop && this.notifies) notify(ended);
  }

  /** Null for a render of an unfinished batch. */
  #endOf(render: WindowRender, outcome: Outcome): Ended | null {
    const { renders } = this.#app;
    const open = (): void => this.#app.navigation.showRender(render.id);
    if (!render.batch) {
      const name = cutMiddle(nameOf(render));
      const failed = outcome === 'failed';
      const text = say(failed ? 'render.failed.announce' : 'render.done.announce', { name });
      const { output_format: format } = render.record;
      const watch = isSound(format) ? 'toast.listen' : 'toast.watch';
      const label = say(isSinglePicture(render) ? 'toast.view' : watch);
      const run = (): void => {
        if (hasSound(format)) this.#app.navigation.playing = render.id;
        this.#app.dialogs.show({ kind: 'result', id: render.id });
      };
      return { text, failed, open, tag: render.id, ...(!failed && { watch: { label, run } }) };
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
