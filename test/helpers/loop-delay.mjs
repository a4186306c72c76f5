/** Loaded into a server under test: tells on request how long its thread was held up at most since it was last asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 5 });
delays.enable();
process.on('message', () => {
  process.send({ longest: delays.max / 1e6, usual: delays.percentile(99) / 1e6 });
  delays.reset();
});
process.channel.unref();
