/** What other services call things: advice for requests that are meant for them. Pure. */
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';

/** Other names of fields of a request for renders. */
const otherFields = new Map(
  Object.entries({
    source: ['render_script', 'renderScript', 'script', 'document', 'composition', 'edit', 'json'],
    template_id: ['template', 'templateId', 'templateID'],
    modifications: ['data', 'values', 'variables', 'merge', 'merge_fields', 'substitutions'],
    webhook_url: ['webhook', 'webhookUrl', 'callback', 'callback_url'],
    render_scale: ['renderScale', 'scale'],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

/** What to write instead of a field that has no effect; null without a good guess. @param value If it is at hand. */
export function adviceOnField(name: string, value?: unknown): string | null {
  const isWrapper = isJsonObject(value) && (value.template_id ?? value.source) !== undefined;
  if (isWrapper) return `Send what is in '${name}' as the body itself.`;
  const isDocument = isJsonObject(value) && Array.isArray(value.elements);
  const meant = isDocument ? 'source' : otherFields.get(name);
  return meant === undefined ? null : `'${name}' is called '${meant}' here.`;
}

/** The first good advice on fields of a body without anything to render; null if there is none. */
export function adviceOnBody(body: JsonObject, names: readonly string[]): string | null {
  for (const name of names.slice(0, 20)) {
    const advice = adviceOnField(name, body[name]);
    if (advice !== null) return advice;
  }
  return null;
}

/** Where requests go that other services take at another address, by the end of the path. */
const otherRoutes: readonly (readonly [pattern: RegExp, route: string])[] = [
  [/\/(uploads?|files?|assets?|media|ingest)\/?$/i, 'Files are sent to POST /v2/media.'],
  [/\/(render|videos?|images?|movies?|create)\/?$/i, 'Renders are created with POST /v2/renders.'],
];

/** Where a request to an unknown path belongs; null without a good guess. */
export function adviceOnPath(path: string): string | null {
  if (path.length > 100) return null;
  return otherRoutes.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
