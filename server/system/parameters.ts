/** Checks parameters against a schema, field by field; also runs on the desk, which checks large bodies. */
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/renderscript/source.ts';

/**
 * Checks the parameters of a request with a schema whose messages say what each should be, e.g. `a number from 0.1 to
 * 10`. Fields that the schema doesn't know are left out, and so are optional ones that are null.
 *
 * @throws ApiError `invalid_parameter`, naming the first wrong one.
 */
export function parseParameters<T>(schema: z.ZodType<T>, given: unknown): T {
  const values = withoutNulls(schema, given);
  let result: z.ZodSafeParseResult<T>;
  try {
    result = schema.safeParse(values);
  } catch {
    // zod compares lengths without a type check, and throws on an object whose `length` is not a number.
    result = schema.safeParse(withoutTraps(schema, values));
  }
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ApiError('invalid_parameter', {
    name: String(issue?.path[0] ?? ''),
    what: issue?.message ?? 'valid',
  });
}

/** The values without optional ones that are null, unless null is one of their values. */
function withoutNulls(schema: z.ZodType, values: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || !isJsonObject(values)) return values;
  const isAbsent = (name: string, value: unknown): boolean => {
    const field: unknown =
      value === null && Object.hasOwn(schema.shape, name) ? schema.shape[name] : null;
    return field instanceof z.ZodExactOptional && !field.safeParse(null).success;
  };
  const entries = Object.entries(values);
  if (!entries.some(([name, value]) => isAbsent(name, value))) return values;
  return Object.fromEntries(entries.filter(([name, value]) => !isAbsent(name, value)));
}

/** The values, with each one that makes the schema throw replaced by something that no parameter may be. */
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
