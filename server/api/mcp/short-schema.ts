/**
 * The shapes of tools as clients are shown them: agents pay for every character of the list of tools, so what says
 * nothing to them is left out. Checks are not changed. Pure.
 */
import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';

/** A shape that validates as before and is described in short. */
export function shortSchema<Shape extends z.ZodObject>(
  shape: Shape,
): { readonly '~standard': Shape['~standard'] } {
  const standard = shape['~standard'];
  const { jsonSchema } = standard;
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: (options) => shortened(jsonSchema.input(options) as JsonObject, false),
        output: (options) => shortened(jsonSchema.output(options) as JsonObject, true),
      },
    },
  };
}

/** @param isOutput Answers may have more than their shape says. */
function shortened(schema: JsonObject, isOutput: boolean): Record<string, Json> {
  const kept = Object.entries(schema).filter(([name, value]) => {
    if (name === '$schema' || name === 'propertyNames') return false;
    if (name === 'additionalProperties')
      return value === false ? !isOutput : isJsonObject(value) && Object.keys(value).length > 0;
    if (name === 'minimum' || name === 'maximum')
      return Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER;
    // The format says the same.
    return name !== 'pattern' || schema.format !== 'uuid';
  });
  return Object.fromEntries(
    kept.flatMap(([name, value]): [string, Json][] => {
      if (value === undefined) return [];
      if (name === 'properties' || name === '$defs') {
        const parts = Object.entries(value as JsonObject);
        // Each is a schema.
        return [
          [
            name,
            Object.fromEntries(
              parts.map(([part, inner]) => [part, shortened(inner as JsonObject, isOutput)]),
            ),
          ],
        ];
      }
      if (name === 'items' && isJsonObject(value)) return [[name, shortened(value, isOutput)]];
      return [[name, value]];
    }),
  );
}
