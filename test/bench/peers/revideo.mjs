/** Renders a scene with Revideo: a canvas in a browser, coded there. */
import { copyFile, rename, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** See peers.mjs. */
export const revideo = {
  name: 'Revideo',
  packages: [
    '@revideo/core',
    '@revideo/2d',
    '@revideo/renderer',
    '@revideo/vite-plugin',
    '@revideo/ui',
  ],
  async prepare({ facts, project, media, browser, load }) {
    // It would send to its makers what it renders on.
    process.env.DISABLE_TELEMETRY = 'true';
    const { renderVideo } = await load('@revideo/renderer');
    const projectFile = path.join(project, 'project.mjs');
    await copyFile(path.join(import.meta.dirname, 'revideo-film.mjs'), projectFile);
    await symlink(media, path.join(project, 'public'));
    // It looks for media in the folder `public` beside the one it writes to.
    const outDir = path.join(project, 'output');
    return async (file) => {
      const made = await renderVideo({
        projectFile,
        variables: { facts },
        settings: {
          ...{ outDir, outFile: 'film.mp4', logProgress: false, workers: os.cpus().length },
          viteConfig: { root: project, publicDir: media, logLevel: 'error' },
          puppeteer: { ...(browser && { executablePath: browser }), args: ['--no-sandbox'] },
        },
      });
      await rename(made, file);
    };
  },
};
