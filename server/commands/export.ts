/** `framewright export`: a document as a file for editing programs or players. Without a server. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../shared/counted.ts';
import { handoverNames, lossLines, type HandoverForm } from '../../shared/handover.ts';
import { placedSentence } from '../../shared/renderscript/source.ts';
import { makeFolders } from '../system/files.ts';
import { commandRows } from './command-rows.ts';
import { withDocument } from './opened-document.ts';
import { CommandError, readOptions, type Given } from './option-rows.ts';

const row = commandRows.export;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function exportCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const [given] = positionals;
  const form = formOf(values);
  const title = values.template ?? (given === undefined ? '' : path.parse(given).name);
  const { text, lost } = await withDocument(
    { name: 'export', row },
    positionals,
    values,
    ({ asked, source, problems, service, signal }) => {
      const errors = problems.filter(({ severity }) => severity === 'error');
      const [first] = errors;
      if (first) {
        const found = counted(errors.length, 'error');
        throw new CommandError(
          `The document has ${found}. The first: ${placedSentence(first)}. framewright validate lists all of them.`,
        );
      }
      const name = title === '-' ? '' : title;
      const question = { source: source ?? asked.source, form, name, markers: [] };
      return service.handOver({ ...question, transcribes: true }, null, signal);
    },
  );
  const { output } = values;
  if (output === undefined || output === '-') process.stdout.write(text);
  else {
    makeFolders(path.dirname(path.resolve(output)));
    writeFileSync(output, text);
    console.log(`Wrote ${output}`);
  }
  const lines = lossLines(lost);
  if (lines.length > 0) console.error(['Not in the file:', ...lines].join('\n  '));
  return 0;
}

/** @throws CommandError if neither the option nor the file's name says what to write. */
function formOf({ as, output }: Given<typeof row.options>): HandoverForm {
  const wanted = as ?? (output === undefined ? '' : path.extname(output).slice(1).toLowerCase());
  const form = handoverNames.find((name) => name === wanted);
  if (form !== undefined) return form;
  const found = output === undefined ? 'nothing' : `a file ${output}`;
  throw new CommandError(`--as: Expected ${handoverNames.join(', ')}, found ${found}.`);
}
