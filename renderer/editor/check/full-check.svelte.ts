/** The check of an open template before it is rendered: asked for, and what it found. Window only. */
import { editorRows } from '../../../shared/api/editor.ts';
import type { CreatedRender, DryRun } from '../../../shared/api.ts';
import type { Finding, RenderEstimate } from '../../../shared/findings.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { RequestProblem } from '../../frame/connection/api.ts';
import { call } from '../../frame/connection/call.ts';
import { say } from '../../ui/say.ts';

interface Found {
  readonly source: Source;
  readonly findings: readonly Finding[];
  readonly estimate: RenderEstimate | null;
}

/** One check at a time; a new one ends the one before. */
export class FullCheck {
  /** The last answer; null before the first. */
  found = $state.raw<Found | null>(null);
  checking = $state(false);
  /** Why there is no answer; '' while there is one. */
  problem = $state('');
  readonly #id: string;
  #running: AbortController | null = null;

  /** @param id Of the template. */
  constructor(id: string) {
    this.#id = id;
  }

  /** Checks a document as it stands. */
  async run(source: Source): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.checking = true;
    this.problem = '';
    try {
      const answer = await call(editorRows.render, {
        params: { id: this.#id },
        query: {},
        body: { source, dry_run: true, check: 'media' },
        signal: running.signal,
      });
      if (this.#running === running) this.#take(source, answer);
    } catch (reason) {
      if (this.#running !== running) return;
      this.problem = reason instanceof Error ? reason.message : String(reason);
    }
    if (this.#running === running) this.checking = false;
  }

  /** Ends what is being checked. */
  close(): void {
    const running = this.#running;
    this.#running = null;
    running?.abort();
    this.checking = false;
  }

  #take(source: Source, answer: DryRun | Pick<CreatedRender, 'id'>): void {
    if (!('valid' in answer) || !answer.findings) throw new RequestProblem(say('problem.answer'));
    this.found = { source, findings: answer.findings, estimate: answer.estimate ?? null };
  }
}
