/** How a film is played: direction, speed, part, and looping. Window only. */

/** Of the template's own speed. */
const fastest = 4;

/** The choices of one preview; frames are numbered from 0. */
export class Playback {
  /** Restarts at the end. */
  loops = $state(false);
  /** Times the template's own speed; below 0 backwards. */
  rate = $state(1);
  /** First and last frame of the played part, inclusive; null: those of the film. */
  first = $state<number | null>(null);
  last = $state<number | null>(null);

  /** Not all of the film is played. */
  get isPart(): boolean {
    return this.first !== null || this.last !== null;
  }

  /** First and last frame to play, for a film with `count` frames. */
  range(count: number): readonly [first: number, last: number] {
    const end = Math.max(0, count - 1);
    return [Math.min(this.first ?? 0, end), Math.min(this.last ?? end, end)];
  }

  /** The frame where playback starts, and restarts. */
  start(count: number): number {
    const [first, last] = this.range(count);
    return this.rate > 0 ? first : last;
  }

  /** The frame with which it ends. */
  end(count: number): number {
    const [first, last] = this.range(count);
    return this.rate > 0 ? last : first;
  }

  isPast(frame: number, count: number): boolean {
    return this.rate > 0 ? frame > this.end(count) : frame < this.end(count);
  }

  /** True if playback continues from a frame; otherwise it restarts. */
  goesOnFrom(frame: number, count: number): boolean {
    const [first, last] = this.range(count);
    return frame >= first && frame <= last && frame !== this.end(count);
  }

  /** Plays in a direction; the same direction again doubles the speed. */
  shuttle(direction: 1 | -1, isPlaying: boolean): void {
    const isSame = isPlaying && Math.sign(this.rate) === direction;
    this.rate = isSame ? direction * Math.min(fastest, Math.abs(this.rate) * 2) : direction;
  }

  /**
   * Starts the part here, of a film with `count` frames. Drops an end that leaves nothing to play; the last frame is no
   * beginning.
   */
  beginAt(frame: number, count: number): void {
    if (frame >= count - 1) return;
    this.first = Math.max(0, frame);
    if (this.last !== null && this.last <= this.first) this.last = null;
  }

  /** Ends the part with this frame. Drops a beginning that leaves nothing to play; the first frame is no end. */
  endAt(frame: number): void {
    if (frame <= 0) return;
    this.last = frame;
    if (this.first !== null && this.first >= this.last) this.first = null;
  }

  /** All of the film again. */
  clearPart(): void {
    this.first = this.last = null;
  }
}
