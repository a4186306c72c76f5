/**
 * Loaded into a server under test. On request it reports, since the last request: the longest time that its thread was
 * blocked, the most that it made, read or copied in one call, and the programs that it started, each of which blocked
 * it until it ran. The first depends on how busy the computer is, the others do not.
 */
import { ChildProcess } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { TextDecoder } from 'node:util';

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();

let most = { what: '', length: 0 };
const note = (what, length) => {
  if (length > most.length) most = { what, length };
};
const sizeOf = (value) => value?.byteLength ?? value?.length ?? 0;

/** Replaces a function by one that records the larger of what `measure` returns and its result. */
function watch(owner, name, measure) {
  const original = owner[name];
  owner[name] = function (...given) {
    const result = Reflect.apply(original, this, given);
    const length = Math.max(measure(this, given), typeof result === 'string' ? result.length : 0);
    if (length > 500_000 && length > most.length) {
      const [, , ...callers] = String(new Error().stack).split('\n');
      note(`${name} ${callers.slice(0, 3).join(' ').replace(/\s+/g, ' ')}`, length);
    }
    return result;
  };
}
watch(JSON, 'parse', (_json, [text]) => sizeOf(text));
watch(JSON, 'stringify', () => 0);
watch(Buffer, 'concat', (_class, [list]) => list.reduce((sum, one) => sum + one.length, 0));
const isText = (value) => typeof value === 'string';
watch(Buffer, 'from', (_class, [value]) =>
  isText(value) || value instanceof Uint8Array ? value.length : 0,
);
watch(Buffer.prototype, 'toString', () => 0);
watch(Buffer.prototype, 'utf8Write', (_buffer, [text]) => sizeOf(text));
watch(TextDecoder.prototype, 'decode', (_decoder, [bytes]) => sizeOf(bytes));

/** Arguments of each. */
const started = [];
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  started.push(options.args.join(' '));
  return Reflect.apply(spawn, this, [options]);
};

process.on('message', () => {
  process.send({ longest: delays.max / 1e6, usual: delays.percentile(99) / 1e6, most, started });
  delays.reset();
  most = { what: '', length: 0 };
});
process.channel.unref();
