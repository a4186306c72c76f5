/** What help pages take from the tables of the program: `%{limit requestLimits.tags}` calls the row `limit`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../../shared/counted.ts';
import { errorCatalogue, type ErrorCode } from '../../../shared/errors.ts';
import * as limits from '../../../shared/limits.ts';
import { quickStarts } from '../../../shared/quick-start.ts';
import { easingCalls, easingNames } from '../../../shared/renderscript/easing.ts';
import {
  formats,
  movingFormats,
  timedFormats,
  type OutputFormat,
} from '../../../shared/renderscript/formats.ts';
import { documentLimits } from '../../../shared/renderscript/limits.ts';
import { animationOptionTable } from '../../../shared/renderscript/reference.ts';
import { commonAnimationOptions } from '../../../shared/renderscript/animation-types.ts';
import { commandRows } from '../../commands/command-rows.ts';
import type { CommandRow } from '../../commands/option-rows.ts';
import { sampleFolder, shownDataFolder } from '../../system/paths.ts';
import { operations } from '../operations.ts';
import { fieldTable, refusalList, routeReference } from './api-reference.ts';
import { fontTexts, shippedFamilies } from './fonts.ts';
import {
  animationLinks,
  animationTexts,
  easingTexts,
  propertyLinks,
  propertyTexts,
} from './language.ts';
import { sheetOf } from './pictures.ts';
import { sampleCount, sampleTexts } from './samples.ts';

/** Makes Markdown of the words after its name. @throws for words that it doesn't know. */
export type PageValue = (apiUrl: string, ...words: readonly string[]) => string;

/** By name. */
export const pageValues: ReadonlyMap<string, PageValue> = new Map<string, PageValue>([
  ['address', (apiUrl) => apiUrl],
  ['limit', (_, place = '', unit = '') => limitText(place, unit)],
  ['webhook-pauses', () => limits.webhookLimits.pauses.map(timeText).join(', ')],
  ['frame-rates', () => ofFormats(movingFormats, ({ frameRate }) => String(frameRate))],
  ['lengths', () => ofFormats(timedFormats, ({ seconds }) => `${seconds / 60} minutes`)],
  ['folder', (_, system, program) => folderText(system, program)],
  ['fields', (_, shape = '') => fieldTable(shape)],
  ['routes', (_, topic) => routesText(topic)],
  ['refusals', (_, ...codes) => refusalsText(codes)],
  ['quick-start', (apiUrl, name = '') => quickStartText(name, apiUrl)],
  ['scrape-config', scrapeConfig],
  ['recipe', (_, name = '') => recipeText(name)],
  ['commands', commandTexts],
  ['font-count', () => String(shippedFamilies().length)],
  ['fonts', fontTexts],
  ['sample-count', sampleCount],
  ['samples', sampleTexts],
  ['property-links', propertyLinks],
  ['properties', (_, group = '') => propertyTexts(group)],
  ['animation-links', animationLinks],
  ['animation-options', () => animationOptionTable(commonAnimationOptions)],
  ['animations', (_, target) => animationTexts(target === 'text' ? 'text' : 'element')],
  ['easing-names', () => codes(easingNames)],
  ['easing-calls', () => codes(easingCalls)],
  ['easing-curves', easingTexts],
]);

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function unknown(what: string): never {
  throw new Error(`a help page names ${what}, which is not there`);
}

/** What a limit is divided by to have a unit. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  MB: 1e6,
  GB: 1e9,
  percent: 1 / 100,
  seconds: 1000,
  hours: 3_600_000,
  days: 24 * 3_600_000,
};

/** @param place a table of limits and what of it, `requestLimits.page.most`. */
function limitText(place: string, unit: string): string {
  let value: unknown = { ...limits, documentLimits };
  for (const name of place.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const by = units[unit];
  if (typeof value !== 'number' || by === undefined) return unknown(`the limit ${place} ${unit}`);
  return String(value / by);
}

/** `5 seconds`, `30 minutes`, `2 hours`. */
function timeText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return counted(seconds, 'second');
  return seconds < 3600 ? counted(seconds / 60, 'minute') : counted(seconds / 3600, 'hour');
}

type Most = (typeof formats)[OutputFormat]['most'];

function ofFormats(chosen: readonly OutputFormat[], text: (most: Most) => string): string {
  return chosen.map((format) => `${format} ${text(formats[format].most)}`).join(', ');
}

function folderText(system?: string, program?: string): string {
  if (system !== 'linux' && system !== 'darwin' && system !== 'win32') return unknown(`${system}`);
  return shownDataFolder(system, program === 'desktop' ? 'desktop' : 'server');
}

function routesText(name?: string): string {
  const topic = operations.find((operation) => operation.topic === name)?.topic;
  return topic ? routeReference(topic) : unknown(`the routes of ${name}`);
}

/** @param names none: all. */
function refusalsText(names: readonly string[]): string {
  const all = Object.keys(errorCatalogue) as ErrorCode[]; // the keys of a const object
  if (names[0] === '') return refusalList(all);
  const find = (name: string): ErrorCode =>
    all.find((code) => code === name) ?? unknown(`the refusal ${name}`);
  return refusalList(names.map(find));
}

function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}

function quickStartText(name: string, apiUrl: string): string {
  const { language, text } =
    quickStarts.find((start) => start.name === name) ?? unknown(`the quick start ${name}`);
  return codeBlock(language, text({ url: apiUrl, key: 'YOUR_KEY' }));
}

/** The pictures and the document of a recipe: a file, so that the command line and a test can render it. */
function recipeText(name: string): string {
  const file = path.join(sampleFolder(), 'recipes', `${name}.json`);
  return `${sheetOf(`recipes/${name}`, false)}\n\n${codeBlock('json', readFileSync(file, 'utf8'))}`;
}

/** Prometheus' settings for a server at this address. */
function scrapeConfig(apiUrl: string): string {
  const [, scheme = 'http', host = '', path = ''] = /^(https?):\/\/([^/]*)(.*)$/.exec(apiUrl) ?? [];
  const more = [
    ...(scheme === 'http' ? [] : [`"scheme": "${scheme}",`]),
    ...(path === '' ? [] : [`"metrics_path": "${path}/metrics",`]),
  ];
  return `{
  "scrape_configs": [
    {
      "job_name": "framewright",${more.map((line) => `\n      ${line}`).join('')}
      "authorization": { "credentials": "YOUR_KEY" },
      "static_configs": [{ "targets": ["${host}"] }]
    }
  ]
}`;
}

/** A row as the table's own type, which is narrower. */
const commands: readonly (readonly [string, CommandRow])[] = Object.entries(commandRows);

/** Lines that go on where one does not end a sentence are one paragraph; commands are code. */
function aboutText(about: string): string {
  const isCommand = (line: string): boolean => line.startsWith('framewright ');
  const parts: string[] = [];
  for (const line of about.split('\n')) {
    const before = parts.at(-1);
    const goesOn = before !== undefined && !isCommand(line) && /[^.:`]$/.test(before);
    if (goesOn) parts[parts.length - 1] = `${before} ${line}`;
    else parts.push(isCommand(line) ? `\`${line}\`` : line);
  }
  return parts.join('\n\n');
}

function commandText([name, { summary, takes, about, actions = [], options }]: readonly [
  string,
  CommandRow,
]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const actionRows = actions.map(
    (action) =>
      `| \`${action.name}${action.takes === '' ? '' : ` ${action.takes}`}\` | ${cell(action.summary)} |`,
  );
  const optionRows = options.map(
    (option) =>
      `| \`--${option.name}${option.value === undefined ? '' : ` ${option.value}`}\` | ${cell(option.help)} |`,
  );
  return [
    `## framewright ${name}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    `\`framewright ${name} ${takes}\``,
    ...(about === undefined ? [] : [aboutText(about)]),
    ...(actionRows.length === 0
      ? []
      : [['| Action | Does |', '|---|---|', ...actionRows].join('\n')]),
    ...(optionRows.length === 0
      ? []
      : [['| Option | Means |', '|---|---|', ...optionRows].join('\n')]),
  ].join('\n\n');
}

/** All commands of the command line with their options. */
function commandTexts(): string {
  return commands.map(commandText).join('\n\n');
}
