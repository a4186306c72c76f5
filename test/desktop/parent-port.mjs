/**
 * Loaded into a forked process by `--import`: gives it the way to its parent that Electron's utility processes have.
 */
process.parentPort = {
  postMessage: (message) => process.send?.(message),
  on: (_event, listener) => process.on('message', (data) => listener({ data })),
};
