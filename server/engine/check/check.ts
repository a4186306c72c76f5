/**
 * A document before it is rendered: everything that can go wrong with it, each with place, cause and cure, and what the
 * render will take. Runs in a worker process.
 */
import type { CheckReport } from '../../../shared/findings.ts';
import { findingsOf } from './checks.ts';
import { gatherFacts, type CheckJob } from './facts.ts';

/** Checks a document. @throws RenderError for what is no fault of it, e.g. `encoder_missing`, `cancelled` */
export async function checkDocument(job: CheckJob, signal: AbortSignal): Promise<CheckReport> {
  return findingsOf(await gatherFacts(job, signal));
}
