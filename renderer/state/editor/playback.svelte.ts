/** How a film is played: which way and how fast, which part of it, and whether again and again. Window only. */

/** Of the template's own speed. */
const fastest = 4;

/** The choices of one preview; frames are numbered from 0. */
export class Playback {
  /** Begins again at the end. */
  loops = $state(false);
  /** Times the template's own speed; below 0 backwards. */
  rate = $state(1);
  /** Frames at which the part that is played begins and ends, both in it; null: those of the film. */
  first = $state<number | null>(null);
  last = $state<number | null>(null);

  /** Not all of the film is played. */
  get isPart(): boolean {
    return this.first !== null || this.last !== null;
  }

  /** First and last frame that are played of a film of so many. */
  range(count: number): readonly [first: number, last: number] {
    const end = Math.max(0, count - 1);
    return [Math.min(this.first ?? 0, end), Math.min(this.last ?? end, end)];
  }

  /** The frame with which playing begins, and begins again. */
  start(count: number): number {
    const [first, last] = this.range(count);
    return this.rate > 0 ? first : last;
  }

  /** The frame with which it ends. */
  end(count: number): number {
    const [first, last] = this.range(count);
    return this.rate > 0 ? last : first;
  }

  /** Playing has come past its end. */
  isPast(frame: number, count: number): boolean {
    return this.rate > 0 ? frame > this.end(count) : frame < this.end(count);
  }

  /** Whether playing goes on from a frame; else it begins at its start. */
  goesOnFrom(frame: number, count: number): boolean {
    const [first, last] = this.range(count);
    return frame >= first && frame <= last && frame !== this.end(count);
  }

  /** That way from now on; the same way again is twice as fast. */
  shuttle(direction: 1 | -1, isPlaying: boolean): void {
    const isSame = isPlaying && Math.sign(this.rate) === direction;
    this.rate = isSame ? direction * Math.min(fastest, Math.abs(this.rate) * 2) : direction;
  }

  /** The part begins here. An end before that goes. */
  beginAt(frame: number): void {
    this.first = Math.max(0, frame);
    if (this.last !== null && this.last < this.first) this.last = null;
  }

  /** The part ends with this frame. A beginning behind that goes. */
  endAt(frame: number): void {
    this.last = Math.max(0, frame);
    if (this.first !== null && this.first > this.last) this.first = null;
  }

  /** All of the film again. */
  clearPart(): void {
    this.first = this.last = null;
  }
}
