#!/usr/bin/env node
/**
 * The command line: `framewright serve | render | validate | doctor`. Plain Node; `serve` runs the whole server in this
 * process; the others need none. Each command loads only what it needs: loading the server takes 0.2 s.
 */
import packageFile from '../package.json' with { type: 'json' };

const usage = `Usage: framewright <command>

  serve      start the API, the renderer and the window's server
  render     render a source.json to a file, without a server
  validate   check a source.json
  doctor     check what this computer has for it, and say what to do

framewright COMMAND --help lists the options of a command; framewright --version names the version.`;

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  serve: async (args) => (await import('./serve.ts')).serveCommand(args),
  render: async (args) => (await import('./render-file.ts')).renderCommand(args),
  validate: async (args) => (await import('./commands/validate.ts')).validateCommand(args),
  doctor: async (args) => (await import('./doctor.ts')).doctorCommand(args),
};

/** Runs one command. @returns the exit status: 0, or 1 after one sentence that says why. */
async function main([name = '', ...args]: readonly string[]): Promise<number> {
  if (['--version', '-v', 'version'].includes(name)) {
    console.log(packageFile.version);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const asked = ['help', '--help', '-h', ''].includes(name);
    if (!asked) console.error(`There is no command '${name}'.\n`);
    console[asked ? 'log' : 'error'](usage);
    return asked ? 0 : 1;
  }
  try {
    return await command(args);
  } catch (error) {
    const wrongOption = error instanceof TypeError && 'code' in error;
    if (!wrongOption) throw error;
    console.error(error.message);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
// A webhook's pooled connection must not keep a closed server alive.
process.exit();
