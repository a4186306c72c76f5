/**
 * `GET /healthz`: the program runs. `GET /readyz`: it can also do its work. For whoever restarts it or sends it
 * requests: Docker, Kubernetes, a load balancer. Neither needs a key, and neither tells more than a word.
 */
import { Router } from 'express';
import type { OutputFiles } from '../jobs/files/output-files.ts';
import type { Store } from '../store/store.ts';

/** What readiness is asked of. */
export interface ReadyParts {
  readonly store: Pick<Store, 'health'>;
  readonly files: Pick<OutputFiles, 'storage'>;
}

/** What may keep a server from its work. */
export type ReadyProblem = 'records' | 'storage';

/** What keeps it now; empty: it is ready. Asks the storage; of the records the last try is known. */
export async function problemsOf({ store, files }: ReadyParts): Promise<ReadyProblem[]> {
  const problems: ReadyProblem[] = [];
  if (store.health.problem !== null) problems.push('records');
  if (files.storage && !(await files.storage.answers())) problems.push('storage');
  return problems;
}

/** See above. */
export function healthRoutes(parts: ReadyParts): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  routes.get('/readyz', async (_request, response) => {
    const problems = await problemsOf(parts);
    const isReady = problems.length === 0;
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'not ready', problems });
  });
  return routes;
}
