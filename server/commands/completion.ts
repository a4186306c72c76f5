/**
 * `framewright completion`: generates the scripts that complete commands, actions, options and values, from the table
 * of commands.
 */
import { commandRows } from './command-rows.ts';
import { actionOf, readOptions, type CommandRow, type OptionRow } from './option-rows.ts';

const row = commandRows.completion;
const rows: readonly (readonly [name: string, row: CommandRow])[] = Object.entries(commandRows);

/** What kind of value an option takes. */
type Kind = 'folder' | 'file' | 'choice' | 'free' | 'none';

/** @returns the exit status. @throws CommandError. */
export function completionCommand(args: readonly string[]): number {
  const { positionals } = readOptions(row, args);
  console.log({ bash, zsh, fish }[actionOf('completion', row, positionals).action]());
  return 0;
}

function kindOf({ value, choices }: OptionRow): Kind {
  if (value === undefined) return 'none';
  if (choices) return 'choice';
  if (value === 'DIR') return 'folder';
  return value === 'FILE' || value === 'PATH' ? 'file' : 'free';
}

function bash(): string {
  // Line ends separate words: file names may have spaces.
  const wordsOf = (words: readonly string[]): string => `$'${words.join(String.raw`\n`)}'`;
  const flagsOf = (options: readonly OptionRow[]): string =>
    wordsOf([...options.map(({ name }) => `--${name}`), '--help']);
  const values = rows.flatMap(([name, { options }]) =>
    options.flatMap((option) => {
      const words = {
        folder: 'compgen -d -- "$word"',
        file: 'compgen -f -- "$word"',
        choice: `compgen -W ${wordsOf(option.choices ?? [])} -- "$word"`,
        free: ':',
        none: null,
      }[kindOf(option)];
      return words === null ? [] : [`    ${name}:--${option.name}) found="$(${words})" ;;`];
    }),
  );
  const flags = rows.map(([name, { options }]) => `    ${name}) words=${flagsOf(options)} ;;`);
  const actions = rows.flatMap(([name, { actions: all = [] }]) =>
    all.length === 0 ? [] : [`    ${name}) words=${wordsOf(all.map((one) => one.name))} ;;`],
  );
  return `# bash completion of framewright
_framewright() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" command="\${COMP_WORDS[1]}"
  local words="" found=""
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ${wordsOf([...rows.map(([name]) => name), '--help', '--version'])} -- "$word"))
    return
  fi
  case "$command:$before" in
${values.join('\n')}
    *) found=- ;;
  esac
  if [[ $found != - ]]; then
    COMPREPLY=($found)
    return
  fi
  if [[ $word == -* ]]; then
    case "$command" in
${flags.join('\n')}
    esac
  elif ((COMP_CWORD == 2)); then
    case "$command" in
${actions.join('\n')}
    esac
  fi
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _framewright framewright`;
}

/** Text in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const oneLine = (text: string): string => text.replaceAll('\n', ' ');

function zsh(): string {
  const described = (pairs: readonly (readonly [string, string])[]): string =>
    pairs
      .map(([name, text]) => quoted(`${name}:${oneLine(text).replaceAll(':', String.raw`\:`)}`))
      .join(' ');
  const commands = described(rows.map(([name, { summary }]) => [name, summary]));
  const spec = (option: OptionRow): string => {
    const help = oneLine(option.help).replaceAll(/[[\]:\\]/g, String.raw`\$&`);
    const value = {
      folder: ':folder:_files -/',
      file: ':file:_files',
      choice: `:word:(${option.choices?.join(' ') ?? ''})`,
      free: ':value: ',
      none: '',
    }[kindOf(option)];
    return quoted(`${option.many ? '*' : ''}--${option.name}[${help}]${value}`);
  };
  const cases = rows.map(([name, { options, actions = [] }]) => {
    const pairs = actions.map((one): [string, string] => [one.name, one.summary]);
    const first =
      actions.length === 0
        ? []
        : [
            `      if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then _values action ${pairs.map(([one, text]) => quoted(`${one}[${text.replaceAll(/[[\]:\\]/g, String.raw`\$&`)}]`)).join(' ')}; return; fi`,
          ];
    const specs = [...options.map(spec), "'--help[show the help]'", "'*:file:_files'"];
    return [`    ${name})`, ...first, `      _arguments ${specs.join(' ')} ;;`].join('\n');
  });
  return `#compdef framewright
# zsh completion of framewright
_framewright() {
  if ((CURRENT == 2)); then
    local -a commands=(${commands})
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _framewright ]]; then _framewright "$@"; else compdef _framewright framewright; fi`;
}

function fish(): string {
  const line = (...parts: readonly string[]): string =>
    `complete -c framewright ${parts.join(' ')}`;
  const described = (text: string): string =>
    `-d ${quoted(oneLine(text)).replaceAll(String.raw`'\''`, String.raw`\'`)}`;
  const lines = rows.flatMap(([name, { summary, options, actions = [] }]) => {
    const seen = `-n '__fish_seen_subcommand_from ${name}'`;
    const words = actions.map((one) => one.name).join(' ');
    return [
      line('-n __fish_use_subcommand', `-f -a ${name}`, described(summary)),
      ...actions.map((one) =>
        line(
          `-n '__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${words}'`,
          `-f -a ${one.name}`,
          described(one.summary),
        ),
      ),
      ...options.map((option) => {
        const value = {
          folder: ` -x -a '(__fish_complete_directories)'`,
          file: ' -r -F',
          choice: ` -x -a '${option.choices?.join(' ') ?? ''}'`,
          free: ' -x',
          none: '',
        }[kindOf(option)];
        return line(seen, `-l ${option.name}${value}`, described(option.help));
      }),
    ];
  });
  return ['# fish completion of framewright', ...lines].join('\n');
}
