/** The commands of the command line with their options, as Markdown for the help. */
import { commandRows } from '../../commands/command-rows.ts';
import type { CommandRow } from '../../commands/option-rows.ts';

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

/** All commands. */
export function commandTexts(): string {
  return commands.map(commandText).join('\n\n');
}
