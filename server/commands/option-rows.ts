/** The options of a command as rows of a table: what to parse, what `--help` says, and what a shell completes. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** One option. */
export interface OptionRow {
  readonly name: string;
  /** Its argument, e.g. `DIR`; absent: a switch. */
  readonly value?: string;
  /** The only valid values. */
  readonly choices?: readonly string[];
  /** True if it may be repeated. */
  readonly many?: true;
  /** One line; further lines go below it. */
  readonly help: string;
}

/** A command. */
export interface CommandRow {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** The arguments, e.g. `source.json out.mp4`. */
  readonly takes: string;
  /** What it does, for its help. */
  readonly about?: string;
  readonly options: readonly OptionRow[];
}

type ValueOf<Row> = Row extends { many: true }
  ? string[]
  : Row extends { value: string }
    ? string
    : boolean;

/** The given values by option name. */
export type Given<Rows extends readonly OptionRow[]> = {
  readonly [Row in Rows[number] as Row['name']]?: ValueOf<Row>;
} & { readonly help?: boolean };

/** Reads arguments. @throws Node's TypeError for unknown options. */
export function readOptions<const Row extends CommandRow>(
  { options }: Row,
  args: readonly string[],
): { readonly values: Given<Row['options']>; readonly positionals: readonly string[] } {
  const config: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean', short: 'h' } };
  for (const { name, value, many } of options) {
    config[name] = { type: value === undefined ? 'boolean' : 'string', multiple: many === true };
  }
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: config,
  });
  for (const { name, choices } of options) {
    const given = values[name];
    if (choices && typeof given === 'string' && !choices.includes(given)) {
      throw new OptionError(`--${name}: Expected ${choices.join(', ')}, found '${given}'.`);
    }
  }
  // Node returns what each row says.
  return { values: values as Given<Row['options']>, positionals };
}

/** An option or argument that can't be used: one sentence for the person at the terminal. */
export class OptionError extends Error {}

/** The help of a command. */
export function usageOf({ name, takes, about, options }: CommandRow): string {
  const heads = options.map(
    (row) => `--${row.name}${row.value === undefined ? '' : ` ${row.value}`}`,
  );
  const width = Math.max(...heads.map((head) => head.length)) + 3;
  const lines = options.map(({ help }, index) => {
    const text = help.replaceAll('\n', `\n${' '.repeat(width + 2)}`);
    return `  ${(heads[index] ?? '').padEnd(width)}${text}`;
  });
  const list = lines.length === 0 ? [] : ['', ...lines];
  return [
    `Usage: framewright ${name} ${takes}`,
    ...(about === undefined ? [] : ['', about]),
    ...list,
  ].join('\n');
}
