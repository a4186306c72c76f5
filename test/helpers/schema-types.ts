/**
 * TypeScript types of the OpenAPI document, written as the usual generators (openapi-typescript and its like) write them, and
 * what the compiler says of code that uses them. The generators themselves bring more code than the whole server.
 */
import ts from 'typescript';
import { openApi } from './answers.ts';

/** The keywords of JSON Schema that our document uses and that mean something for types. */
interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** Declarations of all components, `type CreateRender = …`. */
function schemaTypes(): string {
  const schemas = openApi().components.schemas as Readonly<Record<string, Schema>>;
  return Object.entries(schemas)
    .map(([name, schema]) => `type ${name} = ${typeOf(schema)};`)
    .join('\n');
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  const forms = schema.oneOf ?? schema.anyOf;
  // A form that says nothing of its type makes the whole union unknown.
  if (forms) return forms.map((form) => `(${typeOf(form)})`).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return `(${schema.items ? typeOf(schema.items) : 'unknown'})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`,
  );
  const own = `{ ${fields.join(' ')} }`;
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    return `${own} & { [key: string]: ${typeOf(additionalProperties)} }`;
  }
  const isOpen = additionalProperties === true || typeof additionalProperties === 'object';
  return isOpen ? `${own} & { [key: string]: unknown }` : own;
}

/** The lines of `code`, counted from 1, that the compiler refuses when the types of all components are known. */
export function refusedLines(code: readonly string[]): readonly number[] {
  const name = '/use.ts';
  const types = schemaTypes();
  const text = `${types}\n${code.join('\n')}\nexport {};`;
  const before = types.split('\n').length;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es5.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
  host.getSourceFile = (path, ...rest) => (path === name ? file : read(path, ...rest));
  const program = ts.createProgram([name], options, host);
  const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  const lines = found.map(
    ({ start = 0 }) => file.getLineAndCharacterOfPosition(start).line + 1 - before,
  );
  return [...new Set(lines)].sort((one, other) => one - other);
}
