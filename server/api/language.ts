/**
 * The JSON Schema of the language at `/renderscript.schema.json`, for editors. It needs no key; nothing in it belongs
 * to a project.
 */
import { Router } from 'express';
import { renderScriptSchema } from '../../shared/renderscript/schema.ts';

/** Its route. */
export function languageRoutes(): Router {
  const routes = Router({ caseSensitive: true });
  routes.get('/renderscript.schema.json', (_request, response) => {
    response
      .type('application/schema+json')
      .send(`${JSON.stringify(renderScriptSchema(), null, 2)}\n`);
  });
  return routes;
}
