/**
 * Runs the built command line once for each message with its arguments, all in this process; the answer is what the
 * program would have said and its exit status. Started by cli.ts, in the folder and with the variables of the commands.
 */
import { pathToFileURL } from 'node:url';

const cli = pathToFileURL(process.argv[2] ?? '').href;
/** Ends this process; the program's own call at its end does nothing. */
const { exit } = process;
process.exit = () => undefined;
process.on('disconnect', () => exit.call(process, 0));
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

const said = { out: '', error: '' };
for (const [name, stream] of [
  ['out', process.stdout],
  ['error', process.stderr],
]) {
  stream.write = (part, ...rest) => {
    said[name] += part;
    rest.find((one) => typeof one === 'function')?.();
    return true;
  };
}

let count = 0;
process.on('message', async (args) => {
  Object.assign(said, { out: '', error: '' });
  process.argv.splice(2, Infinity, ...args);
  // Its first file runs again, and what that loads is kept.
  await import(`${cli}?${++count}`);
  process.send({ status: process.exitCode, ...said });
});
