/** Reads arguments by a row of the table of commands, and makes the text of `--help` from it. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearest } from '../../shared/renderscript/nearest.ts';
import { StartError } from '../system/start-error.ts';

/** A command that can't be carried out: one sentence for the person at the terminal. */
export class CommandError extends Error {
  /** For programs. Default: something is wrong with the options. */
  readonly code: string;

  constructor(
    message: string,
    { code = 'invalid_arguments', ...options }: ErrorOptions & { readonly code?: string } = {},
  ) {
    super(message, options);
    this.code = code;
  }
}

/** One option. */
export interface OptionRow {
  readonly name: string;
  /** A letter that stands for it, e.g. `o` for `-o`. */
  readonly short?: string;
  /** Name or example of its value; shells complete `DIR`, `FILE` and `PATH`. Absent: a switch. */
  readonly value?: string;
  /** The only valid values. */
  readonly choices?: readonly string[];
  /** True if it may be repeated. */
  readonly many?: true;
  /**
   * The environment variable that stands for it where it is not given; a switch is on with `1` or `true`, off with `0`
   * or `false`.
   */
  readonly variable?: string;
  /** One line; further lines go below it. */
  readonly help: string;
}

/** An action: the first argument of some commands. */
export interface ActionRow {
  readonly name: string;
  /** Its arguments, e.g. `NAME [FILE]`: `[…]` is optional, `…` repeats the last one. */
  readonly takes: string;
  /** One line. */
  readonly summary: string;
}

/** A command. */
export interface CommandRow {
  /** One line. */
  readonly summary: string;
  /** The arguments, e.g. `source.json out.mp4`. */
  readonly takes: string;
  /** What it does, for its help. */
  readonly about?: string;
  /** Exit status when it can't be carried out. Default 1. */
  readonly failure?: number;
  readonly actions?: readonly ActionRow[];
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
};

/**
 * Reads arguments, and the environment for options that are not among them.
 *
 * @throws CommandError for unknown options and wrong values.
 */
export function readOptions<const Row extends CommandRow>(
  { options, takes }: Row,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): { readonly values: Given<Row['options']>; readonly positionals: readonly string[] } {
  const config: NonNullable<ParseArgsConfig['options']> = {};
  for (const { name, value, many, short } of options) {
    config[name] = { type: value === undefined ? 'boolean' : 'string', multiple: many === true };
    if (short !== undefined) config[name].short = short;
  }
  // Node's own refusals name no cure.
  const asked = { args: [...args], allowPositionals: true, options: config, strict: false };
  const { values, positionals, tokens } = parseArgs({ ...asked, tokens: true });
  for (const token of tokens) if (token.kind === 'option') checkOption(options, token);
  if (takes === '[options]' && positionals.length > 0) {
    throw new CommandError(`Expected options alone, found '${positionals.join(' ')}'.`);
  }
  for (const row of options) {
    const { name, choices, variable } = row;
    values[name] ??= fromEnvironment(row, environment);
    const given = values[name];
    if (choices && typeof given === 'string' && !choices.includes(given)) {
      const place = variable === undefined ? `--${name}` : `--${name} or ${variable}`;
      throw new CommandError(`${place}: Expected ${choices.join(', ')}, found '${given}'.`);
    }
  }
  // Node returns what each row says.
  return { values: values as Given<Row['options']>, positionals };
}

interface Written {
  readonly name: string;
  /** With its dashes. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** Whether the value follows a `=`. */
  readonly inlineValue?: boolean | undefined;
}

/** @throws CommandError for an unknown option, and one whose value is missing or too much. */
function checkOption(rows: readonly OptionRow[], { name, rawName, ...written }: Written): void {
  const { value, inlineValue } = written;
  const refuse = (message: string): never => {
    throw new CommandError(`${rawName}: ${message}`);
  };
  const names = rows.map((row) => row.name);
  const row = rows[names.indexOf(name)];
  if (!row) {
    const meant = nearest(name, names);
    const advice = meant === null ? '--help names all of them.' : `Did you mean --${meant}?`;
    return refuse(`There is no such option. ${advice}`);
  }
  if (row.value === undefined) {
    if (value !== undefined) refuse(`Expected no value, found '${value}'.`);
  } else if (value === undefined) refuse(`Expected ${row.value}, found nothing.`);
  else if (inlineValue !== true && value.startsWith('-') && value !== '-')
    refuse(`Expected ${row.value}, found '${value}'. If that is the value: ${rawName}=${value}`);
}

/** What a variable says for an option; an empty one says nothing, as in files for Docker. */
function fromEnvironment(
  { variable, value }: OptionRow,
  environment: NodeJS.ProcessEnv,
): string | boolean | undefined {
  const text = variable === undefined ? undefined : environment[variable]?.trim();
  if (variable === undefined || text === undefined || text === '') return undefined;
  if (value !== undefined) return text;
  if (/^(1|true)$/i.test(text)) return true;
  if (/^(0|false)$/i.test(text)) return false;
  throw new CommandError(`${variable}: Expected 1 or 0, found '${text}'.`);
}

/** A whole number from 1 on. @throws StartError with what was expected. */
export function wholeNumber(option: string, text: string, most: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= most) return count;
  throw new StartError(`${option}: Expected a whole number from 1 to ${most}, found '${text}'.`);
}

/** The name of an action of a row. */
export type ActionOf<Row> = Row extends { actions: readonly (infer Action extends ActionRow)[] }
  ? Action['name']
  : never;

/** The action with its arguments. @throws CommandError for an unknown one, or too few or too many arguments. */
export function actionOf<const Row extends CommandRow>(
  name: string,
  { actions = [] }: Row,
  [word = '', ...rest]: readonly string[],
): { readonly action: ActionOf<Row>; readonly rest: readonly string[] } {
  const action = actions.find((one) => one.name === word);
  if (!action) {
    const known = actions.map((one) => one.name).join(', ');
    const found = word === '' ? 'nothing' : `'${word}'`;
    throw new CommandError(`framewright ${name}: Expected ${known}, found ${found}.`);
  }
  const words = action.takes === '' ? [] : action.takes.split(' ');
  const needed = words.filter((one) => /^[A-Z]/.test(one)).length;
  const most = words.includes('…') ? Infinity : words.length;
  if (rest.length < needed || rest.length > most) {
    throw new CommandError(
      `Usage: framewright ${name} ${word} ${action.takes}`.trimEnd() +
        (most === 0 ? ` takes nothing more, found '${rest[0] ?? ''}'.` : ''),
    );
  }
  return { action: action.name as ActionOf<Row>, rest }; // one of the row's
}

/** The help of a command. */
export function usageOf(name: string, row: CommandRow): string {
  const { takes, about, actions = [], options } = row;
  const heads = options.map(({ name: own, short, value }) => {
    const names = short === undefined ? `--${own}` : `--${own}, -${short}`;
    return value === undefined ? names : `${names} ${value}`;
  });
  return [
    `Usage: framewright ${name} ${takes}`,
    ...listOf(actions.map((one) => [`${one.name} ${one.takes}`.trimEnd(), one.summary])),
    ...(about === undefined ? [] : ['', about]),
    ...listOf(
      options.map(({ help, variable }, index) => [
        heads[index] ?? '',
        variable === undefined ? help : `${help}\n(or ${variable} in the environment)`,
      ]),
    ),
  ].join('\n');
}

/** Two columns below an empty line; nothing if there are no rows. */
export function listOf(rows: readonly (readonly [head: string, text: string])[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([head]) => head.length)) + 3;
  const lines = rows.map(([head, text]) => {
    const below = text.replaceAll('\n', `\n${' '.repeat(width + 2)}`);
    return `  ${head.padEnd(width)}${below}`;
  });
  return ['', ...lines];
}
