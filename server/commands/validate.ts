/** `framewright validate`: what is wrong with documents and where, for people, editors and code scanners. */
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { counted } from '../../shared/counted.ts';
import { hintProblems } from '../../shared/renderscript/hints.ts';
import { resolvePlaceholders } from '../../shared/renderscript/modifications.ts';
import { problemSentence } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { commandRows } from './command-rows.ts';
import { placesIn, readDocumentFile, type DocumentFile, type TextPlace } from './document-file.ts';
import { CommandError, readOptions, usageOf } from './option-rows.ts';

/** One problem of a file. */
interface Finding extends TextPlace {
  readonly file: string;
  /** Where in the document, e.g. `elements[2].x`; empty for the whole. */
  readonly path: string;
  readonly severity: 'error' | 'warning';
  /** A stable code. */
  readonly code: string;
  readonly message: string;
}

/** @returns 0 without errors, 1 with. */
export function validateCommand(args: readonly string[]): number {
  const { values, positionals } = readOptions(commandRows.validate, args);
  if (positionals.length === 0) throw new CommandError(usageOf('validate', commandRows.validate));
  // All are read first: a name that is wrong is told before anything else.
  const files = positionals.map(readDocumentFile);
  const findings = files.map((file) => findingsIn(file, values.strict === true));
  const all = findings.flat();
  if (values.format === 'json') console.log(JSON.stringify(all, null, 2));
  else if (values.format === 'sarif') console.log(JSON.stringify(sarif(all), null, 2));
  else files.forEach(({ name }, index) => sayText(name, findings[index] ?? []));
  return all.some(({ severity }) => severity === 'error') ? 1 : 0;
}

function findingsIn({ name, text, content }: DocumentFile, strict: boolean): readonly Finding[] {
  if ('fault' in content) {
    const { fault, at } = content;
    return [
      { file: name, ...at, path: '', severity: 'error', code: 'invalid_json', message: fault },
    ];
  }
  const placeOf = placesIn(text);
  const source = resolvePlaceholders(content.source);
  return [...validate(source), ...hintProblems(source, strict)].map((problem) => ({
    file: name,
    ...placeOf(problem.path),
    path: problem.path,
    severity: problem.severity,
    code: problem.code,
    message: problemSentence(problem),
  }));
}

/** Prints problems to stderr, in a form that terminals and editors turn into links. */
function sayText(name: string, findings: readonly Finding[]): void {
  for (const { file, line, column, severity, message, path: at } of findings) {
    const place = at === '' ? '' : ` (at ${at})`;
    console.error(`${file}:${line}:${column}: ${severity}: ${message}${place}`);
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  console.log(`${name}: ${errors === 0 ? 'no errors' : counted(errors, 'error')}`);
}

/** SARIF 2.1.0, as GitHub and others read it. */
function sarif(findings: readonly Finding[]): object {
  const rules = [...new Set(findings.map(({ code }) => code))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'framewright',
            version: packageFile.version,
            rules: rules.map((id) => ({ id })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map(({ file, line, column, severity, code, message, path: at }) => ({
          ruleId: code,
          level: severity,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(file.split(path.sep).join('/')) },
                region: { startLine: line, startColumn: column },
              },
              ...(at !== '' && { logicalLocations: [{ fullyQualifiedName: at }] }),
            },
          ],
        })),
      },
    ],
  };
}
