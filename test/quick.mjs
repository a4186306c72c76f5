/**
 * What `npm test` leaves to CI (`npm run test:ci`), so that it ends while one waits for it: tests of whole programs
 * that start, are killed, packed and started again many times, and the window's paths that others cross. Each can be
 * named: `npm test -- test/jobs/farm.test.ts`, `npx playwright test test/ui/fonts.spec.ts`.
 */

/** Files in Node, with what they do all the time. */
export const leftInNode = {
  'test/jobs/farm*.test.ts': 'several servers and workers on one database, started for each test',
  'test/store/backups-kill.test.ts': 'kills the program at every change of its data',
  'test/jobs/killed-server.test.ts': 'kills and starts servers',
  'test/jobs/faults.test.ts': 'kills encoders, and takes folders away from films',
  'test/jobs/encoder.test.ts': 'takes the encoder away from servers, and gives it back',
  'test/jobs/priority.test.ts': 'looks at long films while they are encoded',
  'test/desktop/worker-process.test.ts': 'kills workers, in two ways each',
  'test/uncaught.test.ts': 'servers that end and start again',
  'test/cli-mcp.test.ts': 'commands that start and end servers',
  'test/jobs/held-up.test.ts': 'attacks every route with megabytes',
  'test/jobs/attack.test.ts': 'renders that end and hang their worker',
  'test/jobs/endless-pictures.test.ts': 'pictures that are drawn until they are given up',
  'test/jobs/real-worker.test.ts': 'renders that fill the memory',
  'test/jobs/transcription-ends.test.ts': 'programs that are waited for until they are given up',
  'test/jobs/desk-patience.test.ts': 'the same of tasks',
  'test/soak.test.ts': 'a hundred renders, one after the other',
  'test/fuzz.test.ts': 'runs fuzzers, which CI does by themselves',
  'test/repeatable-build.test.ts': 'builds the program twice',
  'test/packages-app.test.ts': 'packs the program',
  'test/packages-npm.test.ts': 'packs and installs it with npm, twice',
  'test/packages-client.test.ts': 'installs the client, and compiles with it in four ways',
  'test/desktop/installer.test.ts': 'makes an installer',
  'test/docs-samples.test.ts': 'runs the samples of the help',
  'test/commands-in-docs.test.ts': 'runs the commands of all documents',
  'test/cli-watch.test.ts': 'waits for changes of files',
  'test/store/many-renders.test.ts': 'starts with fifty thousand renders',
  'test/store/large-templates.test.ts': 'starts with large ones',
  'test/engine/media-frames.test.ts': 'random cases; video.test.ts has the plain ones',
  'test/engine/video-many.test.ts': 'opens a decoder for each frame',
  'test/engine/frames-alone.test.ts': 'films drawn frame by frame, twice',
  'test/engine/plain-and-fast.test.ts': 'films made twice',
  'test/engine/repeatable.test.ts': 'films made twice',
  'test/engine/media-grid.test.ts': 'films of full size',
  'test/engine/picture-copies.test.ts': 'photos of full size',
};

/** The window's files that `npm test` runs: its pages, and the editor's parts. */
export const windowFiles = [
  ...['canvas', 'conditions', 'connection', 'details', 'dialogs-by-key', 'editor', 'editor-adding'],
  ...['editor-commands', 'editor-live', 'feeds-large', 'files', 'home', 'inspector', 'keyframes'],
  ...[
    'narrow',
    'new-template',
    'pages',
    'queue',
    'render-dialog',
    'states',
    'templates',
    'timeline',
  ],
  ...['editor-problems', 'engine-parity', 'keyboard-path'],
].map((name) => `test/ui/${name}.spec.ts`);
