/** `framewright validate`: what is wrong with documents and where, for people, editors and code scanners. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import packageFile from '../../package.json' with { type: 'json' };
import { counted } from '../../shared/counted.ts';
import { problemSentence } from '../../shared/renderscript/source.ts';
import { commandRows } from './command-rows.ts';
import { placesIn, readDocumentFile, type DocumentFile, type TextPlace } from './document-file.ts';
import { foldersOf, localProblems, problemsOf } from './document-problems.ts';
import { CommandError, readOptions, usageOf, type Given } from './option-rows.ts';

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
export async function validateCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(commandRows.validate, args);
  if (positionals.length === 0) throw new CommandError(usageOf('validate', commandRows.validate));
  // All are read first: a name that is wrong is told before anything else.
  const files = positionals.map(readDocumentFile);
  const all: Finding[] = [];
  const counts: string[] = [];
  for (const file of files) {
    const findings = await findingsIn(file, values);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    counts.push(`${file.name}: ${errors === 0 ? 'no errors' : counted(errors, 'error')}`);
    all.push(...findings);
  }
  if (values.format === 'json') console.log(JSON.stringify(all, null, 2));
  else if (values.format === 'sarif') console.log(JSON.stringify(sarif(all), null, 2));
  else console.log([...all.map(lineOf), ...counts].join('\n'));
  return all.some(({ severity }) => severity === 'error') ? 1 : 0;
}

async function findingsIn(
  { name, text, content, notes }: DocumentFile,
  { strict, media }: Given<typeof commandRows.validate.options>,
): Promise<readonly Finding[]> {
  if ('fault' in content) {
    const { code, fault, at } = content;
    return [{ file: name, ...at, path: '', severity: 'error', code, message: fault }];
  }
  const placeOf = placesIn(text);
  const checked = problemsOf({ ...content, strict: strict === true });
  const folders = foldersOf(name === 'stdin' ? '-' : name, media);
  const local = await localProblems(checked, folders);
  const found = [...checked.problems, ...local].map((problem): Finding => {
    const { severity, code } = problem;
    const path = problem.path === '' ? '' : `${content.within}${problem.path}`;
    const message = problemSentence(problem);
    return { file: name, ...placeOf(path), path, severity, code, message };
  });
  return [
    ...found,
    ...notes.map((note) => ({ file: name, severity: 'warning' as const, ...note })),
  ];
}

/** A form that terminals and editors turn into links. */
function lineOf({ file, line, column, severity, message, path: at }: Finding): string {
  const place = at === '' ? '' : ` (at ${at})`;
  return `${file}:${line}:${column}: ${severity}: ${message}${place}`;
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
                artifactLocation: { uri: uriOf(file) },
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

/** Every sign of a name that an address reads otherwise is encoded, `#` and `?` too. */
function uriOf(file: string): string {
  if (path.isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(path.sep).map(encodeURIComponent).join('/');
}
