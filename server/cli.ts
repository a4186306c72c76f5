#!/usr/bin/env node
/**
 * The command line: runs the commands of the table. Plain Node. `serve` runs the whole server in this process; other
 * commands need none, or a running one. Each command loads only what it needs: the server's parts take 0.2 s.
 */
import { FramewrightError } from '../client/index.ts';
import packageFile from '../package.json' with { type: 'json' };
import { commandRows, type CommandName } from './commands/command-rows.ts';
import { CommandError, listOf, usageOf, type CommandRow } from './commands/option-rows.ts';
import { errorCode, fileRefusal } from './system/files.ts';

type Command = (args: readonly string[]) => number | Promise<number>;

/** Loads the code of each command. */
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  worker: async () => (await import('./cluster/open-worker.ts')).workerCommand,
  render: async () => (await import('./commands/render-file.ts')).renderCommand,
  receipt: async () => (await import('./commands/receipts.ts')).receiptCommand,
  verify: async () => (await import('./commands/receipts.ts')).verifyCommand,
  validate: async () => (await import('./commands/validate.ts')).validateCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  transcribe: async () => (await import('./commands/transcribe.ts')).transcribeCommand,
  models: async () => (await import('./commands/models.ts')).modelsCommand,
  templates: async () => (await import('./commands/templates.ts')).templatesCommand,
  renders: async () => (await import('./commands/renders.ts')).rendersCommand,
  trash: async () => (await import('./commands/templates.ts')).trashCommand,
  media: async () => (await import('./commands/media.ts')).mediaCommand,
  fonts: async () => (await import('./commands/fonts.ts')).fontsCommand,
  feeds: async () => (await import('./commands/feeds.ts')).feedsCommand,
  projects: async () => (await import('./commands/projects.ts')).projectsCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  webhooks: async () => (await import('./commands/projects.ts')).webhooksCommand,
  backups: async () => (await import('./commands/backups.ts')).backupsCommand,
  settings: async () => (await import('./commands/settings.ts')).settingsCommand,
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
  migrate: async () => (await import('./cluster/move.ts')).migrateCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
};

const helpWords = ['help', '--help', '-h'];

function usage(): string {
  return [
    'Usage: framewright COMMAND',
    ...listOf(Object.entries(commandRows).map(([name, { summary }]) => [name, summary])),
    '',
    'framewright COMMAND --help lists the options of a command; framewright --version names the version.',
  ].join('\n');
}

/** Runs one command. @returns the exit status: 0, or another one after one sentence that says why. */
async function main([word = 'help', ...args]: readonly string[]): Promise<number> {
  if (['--version', '-v', 'version'].includes(word)) {
    console.log(packageFile.version);
    return 0;
  }
  const [name, ...rest] = helpWords.includes(word) ? [...args, '--help'] : [word, ...args];
  if (name === '--help') {
    console.log(usage());
    return 0;
  }
  if (!isCommand(name)) {
    console.error(`There is no command '${name}'.\n\n${usage()}`);
    return 1;
  }
  const row: CommandRow = commandRows[name];
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(usageOf(name, row));
    return 0;
  }
  try {
    return await (
      await commands[name]()
    )(rest);
  } catch (error) {
    const isExpected = error instanceof CommandError || error instanceof FramewrightError;
    const sentence = isExpected ? error.message : fileRefusal(error);
    if (sentence === null) throw error;
    console.error(sentence);
    return row.failure ?? 1;
  }
}

function isCommand(name = ''): name is CommandName {
  return Object.hasOwn(commandRows, name);
}

// The reader needs no more, e.g. head.
process.stdout.on('error', (error) => {
  if (errorCode(error) === 'EPIPE') process.exit();
  throw error;
});
// A server has errors that nobody caught logged, also one of its own start.
process.exitCode = 1;
process.exitCode = await main(process.argv.slice(2));
// On Windows, pipes are written asynchronously.
await new Promise((resolve) => process.stdout.write('', resolve));
// A pooled connection of a webhook must not keep a server alive that has closed.
process.exit();
