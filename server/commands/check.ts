/**
 * `framewright check`: everything that can go wrong with a document's render, before it is rendered. Without a server;
 * a worker process looks at the files.
 */
import { counted } from '../../shared/counted.ts';
import {
  countOf,
  findingSentence,
  type CheckReport,
  type Finding,
  type RenderEstimate,
} from '../../shared/findings.ts';
import { commandRows } from './command-rows.ts';
import { withDocument } from './opened-document.ts';
import { readOptions } from './option-rows.ts';

const row = commandRows.check;

/** @returns 0 without errors, 1 with. @throws CommandError, FramewrightError. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const report = await withDocument({ name: 'check', row }, positionals, values, (opened) => {
    const { asked, source, problems, service, signal } = opened;
    const { scaling } = asked;
    return service.check({ source: source ?? asked.source, problems, scaling }, null, signal);
  });
  const [given] = positionals;
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else console.log(linesOf(report, given ?? values.template ?? '').join('\n'));
  return countOf(report.findings, 'error') > 0 ? 1 : 0;
}

/** The findings for people: place and cause, and the cure below. */
function linesOf({ findings, more, estimate }: CheckReport, name: string): string[] {
  const counts = (['error', 'warning', 'hint'] as const).flatMap((level) => {
    const count = countOf(findings, level);
    return count === 0 ? [] : [counted(count, level)];
  });
  return [
    ...findings.flatMap((finding) => [lineOf(finding), `  ${finding.cure}`]),
    ...(more === 0 ? [] : [`${more} more are not listed.`]),
    `${name}: ${counts.length === 0 ? 'nothing was found' : counts.join(', ')}`,
    ...(estimate === null ? [] : [estimateLine(estimate)]),
  ];
}

function lineOf(finding: Finding): string {
  const { level, path: at, time } = finding;
  const moment = time === undefined ? '' : ` at ${Math.round(time * 10) / 10} s`;
  const place = at === '' ? '' : ` (${at}${moment})`;
  return `${level}: ${findingSentence(finding)}${place}`;
}

function estimateLine({ seconds, bytes, width, height, duration }: RenderEstimate): string {
  const frame = width === 0 ? [] : [`${width} × ${height}`];
  const length = duration === 0 ? [] : [`${Math.round(duration * 10) / 10} s`];
  const size =
    bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  const work = [`about ${Math.ceil(seconds)} s to render`, `about ${size}`];
  return `Estimated: ${[...frame, ...length, ...work].join(', ')}`;
}
