/** Frames of a Lottie animation, in any order. Phase 1 while the render runs. */
import { createCanvas, LottieAnimation, type Canvas } from '@napi-rs/canvas';
import { freePixels } from '../pictures/picture-copies.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';

/** An animation as the drawing library takes it. */
export interface DrawableLottie {
  readonly lottie: string;
}

/** Draws moments of one animation. */
export class LottiePicture {
  readonly #animation: LottieAnimation;

  /** @throws RenderError `media_unreadable` with the reason alone */
  constructor({ lottie }: DrawableLottie) {
    try {
      this.#animation = LottieAnimation.loadFromData(lottie);
    } catch (cause) {
      const message = 'The Lottie animation is damaged';
      throw new RenderError('media_unreadable', message, { cause });
    }
  }

  /** Seconds. */
  get duration(): number {
    return this.#animation.duration;
  }

  /** @param time Seconds; past the end the last moment. @param width Pixels, whole; so is height. */
  frame(time: number, width: number, height: number): Canvas {
    const { width: own, height: tall, fps } = this.#animation;
    // The library scales both sides alike and knows no other matrix, so a stretched one is drawn large first.
    const scale = Math.max(width / own, height / tall);
    const [wide, high] = [own, tall].map((side) => Math.max(1, Math.round(side * scale)));
    const whole = createCanvas(wide ?? 1, high ?? 1);
    this.#animation.seekFrame(time * fps);
    const place = { x: 0, y: 0, width: whole.width, height: whole.height };
    this.#animation.render(whole.getContext('2d'), place);
    if (whole.width === width && whole.height === height) return whole;
    const canvas = createCanvas(width, height);
    canvas.getContext('2d').drawImage(whole, 0, 0, width, height);
    freePixels(whole);
    return canvas;
  }
}

/** Moments of a trial, as shares of the length. */
const tried = [0, 0.25, 0.5, 0.75, 1];

/** Draws some moments, only to see whether that ends. */
export function tryLottie(lottie: DrawableLottie, width: number, height: number): void {
  const picture = new LottiePicture(lottie);
  // Drawing is deferred until pixels are read.
  for (const share of tried) picture.frame(share * picture.duration, width, height).data();
}
