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
export function parseParameters<T>(schema: z.core.$ZodType<T>, given: unknown): T {
  const values = withoutNulls(schema, given);
  let result: z.ZodSafeParseResult<T>;
  try {
    result = z.safeParse(schema, values);
  } catch {
    // zod compares lengths without a type check, and throws on an object whose `length` is not a number.
    result = z.safeParse(schema, withoutTraps(schema, values));
  }
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ApiError('invalid_parameter', {
    name: String(issue?.path[0] ?? ''),
    what: issue?.message ?? 'valid',
  });
}

/** Refuses a change of nothing. @param names What can be changed. @throws ApiError `nothing_to_change`. */
export function sureChange(given: object, names: readonly string[]): void {
  if (Object.keys(given).length > 0) return;
  const quoted = names.map((name) => `'${name}'`);
  const list = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(quoted);
  throw new ApiError('nothing_to_change', { names: list });
}

/** The same for what follows the `?` of an address, where an optional one without a value is not set. */
export function parseQuery<T>(schema: z.core.$ZodType<T>, given: object): T {
  const entries = Object.entries(given).map(([name, value]: [string, unknown]) => [
    name,
    value === '' ? null : value,
  ]);
  return parseParameters(schema, Object.fromEntries(entries));
}

/** The values without optional ones that are null, unless null is one of their values. */
function withoutNulls(schema: z.core.$ZodType, values: unknown): unknown {
  if (!(schema instanceof z.core.$ZodObject) || !isJsonObject(values)) return values;
  const isAbsent = (name: string, value: unknown): boolean => {
    const field: unknown =
      value === null && Object.hasOwn(schema._zod.def.shape, name)
        ? schema._zod.def.shape[name]
        : null;
    return field instanceof z.core.$ZodExactOptional && !z.safeParse(field, null).success;
  };
  const entries = Object.entries(values);
  if (!entries.some(([name, value]) => isAbsent(name, value))) return values;
  return Object.fromEntries(entries.filter(([name, value]) => !isAbsent(name, value)));
}

/** The values, with each one that makes the schema throw replaced by something that no parameter may be. */
function withoutTraps(schema: z.core.$ZodType, values: unknown): unknown {
  if (!isJsonObject(values)) return values;
  const known =
    schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : Object.keys(values);
  const entries = known.flatMap((name): [string, unknown][] => {
    if (!Object.hasOwn(values, name)) return [];
    try {
      z.safeParse(schema, { [name]: values[name] });
      return [[name, values[name]]];
    } catch {
      return [[name, Symbol()]];
    }
  });
  return Object.fromEntries(entries);
}
