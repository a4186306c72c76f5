/** `framewright import`: a document of another program as one of ours. Without a server. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import json5 from 'json5';
import { counted } from '../../shared/counted.ts';
import { decodeText } from '../../shared/decode-text.ts';
import {
  importDocument,
  importForms,
  importNames,
  recogniseImport,
  type ImportName,
} from '../../shared/imports/imports.ts';
import { requestLimits } from '../../shared/limits.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import { isJsonObject, problemSentence, type Json } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { depthOf } from '../jobs/desk/json-body.ts';
import { makeFolders } from '../system/files.ts';
import { commandRows } from './command-rows.ts';
import { readAtMost, unreadable } from './document-file.ts';
import { CommandError, readOptions, usageOf } from './option-rows.ts';

/** @returns 0 once the document is written. @throws CommandError. */
export function importCommand(args: readonly string[]): number {
  const { values, positionals } = readOptions(commandRows.import, args);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) {
    throw new CommandError(usageOf('import', commandRows.import));
  }
  const name = file === '-' ? 'stdin' : file;
  const document = readForeign(file, name);
  const form = values.from === undefined ? recogniseImport(document) : formNamed(values.from);
  if (form === null || !isJsonObject(document)) {
    const known = importNames.map((each) => importForms[each].label).join(', ');
    throw new CommandError(
      `${name} is no document of a program that can be read (${known}). If it is one, say which with --from.`,
    );
  }
  const { label, source, notes } = importDocument(document, form);
  const text = `${JSON.stringify(source, null, 2)}\n`;
  const { output } = values;
  if (output === undefined || output === '-') process.stdout.write(text);
  else {
    makeFolders(path.dirname(path.resolve(output)));
    writeFileSync(output, text);
    console.log(`Wrote ${output}, read from ${label}`);
  }
  const problems = validate(source).map(problemSentence);
  const lines = notes.map(({ path: place, message }) => `${place}: ${message}`);
  if (lines.length > 0) {
    console.error([`${counted(lines.length, 'thing')} lost or changed:`, ...lines].join('\n  '));
  }
  if (problems.length > 0) console.error(['Look at these:', ...problems].join('\n  '));
  return 0;
}

function formNamed(given: string): ImportName {
  const form = importNames.find((name) => name === given);
  if (form !== undefined) return form;
  throw new CommandError(`--from: Expected ${importNames.join(', ')}, found ${given}.`);
}

/** JSON as these programs read it: editly's may have comments and keys without quotes. */
function readForeign(file: string, name: string): Json {
  let bytes: Buffer;
  try {
    bytes = readAtMost(file, 2 * documentLimits.characters);
  } catch (error) {
    throw error instanceof CommandError ? error : unreadable(name, error);
  }
  const text = decodeText(bytes)?.text ?? bytes.toString('utf8');
  // Before anything walks the value, which would overflow the stack.
  if (depthOf(text) > requestLimits.jsonDepth) {
    throw new CommandError(`${name}: More than ${requestLimits.jsonDepth} levels of brackets.`);
  }
  try {
    return json5.parse<Json>(text);
  } catch (error) {
    const { message } = error as Error; // json5 throws errors alone
    const reason = message.replace(/^JSON5: /, '');
    throw new CommandError(`${name} is not valid JSON: ${reason}.`, { code: 'invalid_json' });
  }
}
