/**
 * How the window is built: renderer/ into dist/window/. build.mjs calls this with renderer/ as root; `npm run dev`
 * serves it with hot reload. The result keeps to the window's content policy: no inline script, no inline style, no
 * `eval`.
 */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, loadEnv, type Plugin, type ProxyOptions } from 'vite';

/** How long plugins take depends on the computer; nobody who starts the program can do anything about it. */
const checks = { bundlerTimings: false };

/** What is always loaded together is one file, not fifty: with all that it imports. */
const chunks = [
  { name: languageOf, priority: 2 },
  // Not main.ts, which waits for the page: nothing of the page may wait for it.
  { name: 'start', test: /\/renderer\/ui\/language\.ts$|\/node_modules\/svelte\//, priority: 1 },
  { name: 'page', test: /\/renderer\/App\.svelte$/ },
];

/** The page's script, style and letters: main.ts would ask for them one after the other. */
const firstFiles: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [/\/page-[^/]+\.js$/, { rel: 'modulepreload' }],
  [/\/page-[^/]+\.css$/, { rel: 'stylesheet' }],
  [/\/inter-latin-wght-normal-[^/]+$/, { rel: 'preload', as: 'font' }],
];

const early: Plugin = {
  name: 'early',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      firstFiles.flatMap(([name, attributes]) =>
        Object.keys(bundle)
          .filter((file) => name.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { ...attributes, crossorigin: true, href: `./${file}` },
            injectTo: 'head' as const,
          })),
      ),
  },
};

export default defineConfig(({ mode }) => ({
  // Relative addresses: the private listener's port differs at every start.
  base: './',
  publicDir: '../resources/icons/window',
  plugins: [svelte({ configFile: false }), early],
  build: {
    outDir: '../dist/window',
    emptyOutDir: true,
    target: 'chrome120',
    // Small files stay files: `data:` addresses are not allowed by the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In kB: that of all pages but the editor. Dialogs that few open are loaded on first use. A chunk beyond this is
    // reported.
    chunkSizeWarningLimit: 950,
    rolldownOptions: { checks, output: { codeSplitting: { groups: chunks } } },
  },
  worker: {
    format: 'es',
    // The rules of line breaking are found by the names of their functions.
    rolldownOptions: { output: { keepNames: true }, checks },
  },
  server: { host: '127.0.0.1', proxy: proxyTo(loadEnv(mode, '.', 'FRAMEWRIGHT_')) },
}));

/** A file for each language but English, which is part of the program. */
function languageOf(module: string): string | null {
  const language = /\/shared\/words\/(\w+)\/\w+\.json$/.exec(module)?.[1];
  return language === undefined || language === 'en' ? null : `words-${language}`;
}

/**
 * While developing, the page comes from Vite and its data from a server started beside it; FRAMEWRIGHT_WINDOW is the
 * window address that this server printed. See README.md.
 */
function proxyTo({
  FRAMEWRIGHT_WINDOW: address,
}: Record<string, string>): Record<string, ProxyOptions> {
  if (address === undefined) return {};
  const target = new URL(address).origin;
  const options: ProxyOptions = { target, changeOrigin: true, headers: { origin: target } };
  return Object.fromEntries(['/api', '/renders', '/snapshots'].map((path) => [path, options]));
}
