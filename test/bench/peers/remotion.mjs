/** Renders a scene with Remotion: a browser's screenshots of React components. Packing them is left out of the time. */
import { copyFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** See peers.mjs. */
export const remotion = {
  name: 'Remotion',
  packages: ['remotion', '@remotion/bundler', '@remotion/renderer', 'react', 'react-dom'],
  async prepare({ facts, project, media, browser, load }) {
    const { bundle } = await load('@remotion/bundler');
    const { renderMedia, selectComposition } = await load('@remotion/renderer');
    const entryPoint = path.join(project, 'film.mjs');
    await copyFile(path.join(import.meta.dirname, 'remotion-film.mjs'), entryPoint);
    const serveUrl = await bundle({
      entryPoint,
      publicDir: media,
      // Its packages lie elsewhere: behind a link.
      webpackOverride: (settings) => ({
        ...settings,
        resolve: { ...settings.resolve, symlinks: false },
      }),
    });
    const common = {
      ...{ serveUrl, inputProps: facts, logLevel: 'error', chromeMode: 'headless-shell' },
      ...(browser && { browserExecutable: browser }),
    };
    const composition = await selectComposition({ ...common, id: 'film' });
    return (outputLocation) =>
      renderMedia({
        ...{ ...common, composition, outputLocation, overwrite: true, muted: true },
        ...{ codec: 'h264', crf: 23, x264Preset: 'veryfast', concurrency: os.cpus().length },
      });
  },
};
