/** Checks what was sent against a schema, field by field; also on the desk, where large bodies are looked through. */
import { z } from 'zod';
import { ApiError } from '../shared/errors.ts';
import { isJsonObject } from '../shared/renderscript/source.ts';

/**
 * Checks the parameters of a request with a schema whose messages say what each should be, e.g. `a number from 0.1 to
 * 10`. Fields that the schema doesn't know are left out.
 *
 * @throws ApiError `invalid_parameter`, naming the first one that is wrong.
 */
export function parseParameters<T>(schema: z.ZodType<T>, values: unknown): T {
  let result: z.ZodSafeParseResult<T>;
  try {
    result = schema.safeParse(values);
  } catch {
    // Lengths are compared whatever has them: an object whose `length` is no number can't be compared.
    result = schema.safeParse(withoutTraps(schema, values));
  }
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ApiError('invalid_parameter', {
    name: String(issue?.path[0] ?? ''),
    what: issue?.message ?? 'valid',
  });
}

/** The values with something that no parameter may be in the place of each that the schema can't even look at. */
function withoutTraps(schema: z.ZodType, values: unknown): unknown {
  if (!isJsonObject(values)) return values;
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : Object.keys(values);
  const entries = known.flatMap((name): [string, unknown][] => {
    if (!Object.hasOwn(values, name)) return [];
    try {
      schema.safeParse({ [name]: values[name] });
      return [[name, values[name]]];
    } catch {
      return [[name, Symbol()]];
    }
  });
  return Object.fromEntries(entries);
}
