/**
 * The environment of these tests: Svelte's classes as a browser runs them, and of the browser only what they read while
 * they are made. Nothing is drawn and nothing has the focus; test/ui has both.
 */
import type { Environment } from 'vitest/runtime';

/** The preview's sound, which is never played. */
class SilentAudio extends EventTarget {
  readonly paused = true;
  src = '';
  preload = '';
  pause(): void {
    // It does not play.
  }
  load(): void {
    // Nor does it read.
  }
  removeAttribute(name: 'src'): void {
    this[name] = '';
  }
}

/** A part of the screen. */
class Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;

  constructor(x = 0, y = 0, width = 0, height = 0) {
    this.left = x;
    this.top = y;
    this.width = width;
    this.height = height;
  }
}

/** What is dragged. */
class CarriedData {
  readonly #data = new Map<string, string>();
  readonly items = [];
  readonly files = [];
  effectAllowed = 'uninitialized';

  get types(): readonly string[] {
    return [...this.#data.keys()];
  }

  setData(kind: string, text: string): void {
    this.#data.set(kind, text);
  }

  getData(kind: string): string {
    return this.#data.get(kind) ?? '';
  }
}

/** Where the pointer is, what it brings, and which keys are held. */
class PressEvent extends Event {
  readonly clientX: number;
  readonly clientY: number;
  readonly deltaY: number;
  readonly dataTransfer: DataTransfer | null;
  readonly key: string;
  readonly code: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey = false;
  readonly isComposing = false;

  constructor(
    type: string,
    given: PointerEventInit & WheelEventInit & KeyboardEventInit & DragEventInit = {},
  ) {
    super(type, given);
    this.clientX = given.clientX ?? 0;
    this.clientY = given.clientY ?? 0;
    this.deltaY = given.deltaY ?? 0;
    this.dataTransfer = given.dataTransfer ?? null;
    this.key = given.key ?? '';
    this.code = given.code ?? '';
    this.shiftKey = given.shiftKey ?? false;
    this.ctrlKey = given.ctrlKey ?? false;
    this.altKey = given.altKey ?? false;
  }
}

const window: Environment = {
  name: 'window',
  viteEnvironment: 'client',
  setup() {
    const events = new EventTarget();
    // Named by test/window-setup.ts.
    const location = new URL(process.env['WINDOW_URL'] ?? '');
    const { fetch } = globalThis;
    Object.assign(globalThis, {
      window: globalThis,
      location,
      document: Object.assign(new EventTarget(), {
        hidden: false,
        documentElement: { dataset: {}, style: {} },
        createElement: () => new EventTarget(),
      }),
      Audio: SilentAudio,
      DOMRect: Rect,
      PointerEvent: PressEvent,
      KeyboardEvent: PressEvent,
      WheelEvent: PressEvent,
      DragEvent: PressEvent,
      DataTransfer: CarriedData,
      addEventListener: events.addEventListener.bind(events),
      removeEventListener: events.removeEventListener.bind(events),
      requestAnimationFrame: () => 0,
      cancelAnimationFrame: () => undefined,
      // A page's addresses are those of its server.
      fetch: (path: string, options?: RequestInit) =>
        fetch(new URL(path, location.origin), options),
    });
    // Node has one of its own from version 21 on, which can't be assigned.
    Object.defineProperty(globalThis, 'navigator', {
      configurable: true,
      value: { platform: 'Linux x86_64', languages: ['en'], userAgent: '', vendor: '' },
    });
    return { teardown: () => undefined };
  },
};

export default window;
