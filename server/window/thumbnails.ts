/**
 * A picture for each template, drawn by the engine: the moment that shows the most elements, stored until the template
 * changes. One at a time, so that the editor's previews never wait for more than one of them.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { goodMoment } from '../../shared/good-moment.ts';
import type { PreparedText } from '../jobs/desk/desk.ts';
import type { PreviewService } from '../jobs/worker/preview.ts';
import type { Log } from '../system/log.ts';
import { writeWhole } from '../store/files.ts';
import { pictureName, type StoredTemplate } from '../store/template-record.ts';

/** Longest side of a picture in pixels: twice what a card shows. */
const side = 480;
/** The moment of the first picture, as a share of the film: the best one is often near. */
const share = 0.4;

/** A picture on its way. */
interface Running {
  readonly picture: Promise<Buffer | null>;
  /** Who waits for it; an aborted one no longer does. */
  readonly askers: Set<AbortSignal>;
}

/** What pictures are made with. */
export interface ThumbnailOptions {
  readonly previews: Pick<PreviewService, 'draw'>;
  /** Reads and checks the document of a template. */
  readonly prepare: (template: StoredTemplate) => Promise<PreparedText>;
  /** Where the pictures are kept; made when missing. */
  readonly folder: string;
  readonly log: Log;
}

/** Pictures of templates. */
export class Thumbnails {
  readonly #previews: ThumbnailOptions['previews'];
  readonly #prepare: ThumbnailOptions['prepare'];
  readonly #folder: string;
  readonly #log: Log;
  /** Each waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();
  /** Pictures under way, by file. */
  readonly #running = new Map<string, Running>();
  /** Files that could not be drawn in this run: trying again would fail again. */
  readonly #failed = new Set<string>();

  constructor({ previews, prepare, folder, log }: ThumbnailOptions) {
    this.#previews = previews;
    this.#prepare = prepare;
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * The picture as jpg or png; null when the template can't be drawn.
   * @param signal Abort to stop waiting; a picture that nobody waits for is not started.
   */
  async of(template: StoredTemplate, signal: AbortSignal): Promise<Buffer | null> {
    const file = path.join(this.#folder, pictureName(template));
    if (this.#failed.has(file)) return null;
    const running = this.#running.get(file);
    if (running) {
      running.askers.add(signal);
      return running.picture;
    }
    const askers = new Set([signal]);
    const turn = this.#last;
    const draw = async (): Promise<Buffer | null> => {
      await turn;
      if ([...askers].some(({ aborted }) => !aborted)) return this.#draw(template, file);
      // Later callers must not share this answer.
      this.#running.delete(file);
      return null;
    };
    const picture = readFile(file).catch(draw);
    const entry: Running = { picture, askers };
    const ended = (): void => {
      if (this.#running.get(file) === entry) this.#running.delete(file);
    };
    // Start the next one even if this one fails. One that is kept waits for none, and lets none go ahead.
    this.#last = Promise.allSettled([turn, picture.then(ended, ended)]);
    this.#running.set(file, entry);
    return picture;
  }

  /** Removes the pictures of a template: it looks different now. */
  async forget(id: string): Promise<void> {
    for (const file of this.#failed)
      if (path.basename(file).startsWith(`${id}-`)) this.#failed.delete(file);
    await this.#removeOf(id).catch((error: unknown) => {
      this.#log('warning', 'thumbnails', `${id}: ${String(error)}`);
    });
  }

  async #removeOf(id: string): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const old = names.filter((name) => name.startsWith(`${id}-`));
    await Promise.all(old.map((name) => rm(path.join(this.#folder, name), { force: true })));
  }

  async #draw(template: StoredTemplate, file: string): Promise<Buffer | null> {
    // A document that can't be read or asks for too much has no picture.
    const prepared = await this.#prepare(template).catch(() => null);
    if (!prepared || prepared.problems.some(({ severity }) => severity === 'error')) return null;
    const source = prepared.text;
    const ask = (time: number): ReturnType<PreviewService['draw']> =>
      this.#previews.draw({ client: 'thumbnails', project: null, source, hidden: [], time, side });
    const { duration = 0, snapshot = -1 } = prepared.times;
    const isChosen = snapshot >= 0;
    let outcome = await ask(isChosen ? snapshot : duration * share);
    // The first picture comes with the times of all elements.
    if (outcome.kind === 'drawn' && !isChosen) {
      const best = goodMoment(outcome.facts);
      if (Math.round(best * outcome.facts.frameRate) !== outcome.facts.frame)
        outcome = await ask(best);
    }
    if (outcome.kind === 'failed') this.#failed.add(file);
    if (outcome.kind !== 'drawn') return null;
    const picture = Buffer.from(outcome.picture, 'base64');
    await this.#keep(template.id, file, picture).catch((error: unknown) => {
      this.#log('warning', 'thumbnails', `${file} can't be written: ${String(error)}`);
    });
    return picture;
  }

  /** Writes a picture and removes those of earlier versions. */
  async #keep(id: string, file: string, picture: Buffer): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await this.#removeOf(id);
    await writeWhole(file, picture);
  }
}
