/**
 * House style and import walls. One block per folder says whom that folder may not import; see server/README.md for
 * the picture of it.
 */
import eslint from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

/** `files` may not import any of `forbidden` (glob patterns), for the reason given. */
function wall(files, forbidden, message) {
  return {
    files,
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ group: forbidden, message }] }],
    },
  };
}

const phases = ['assets', 'compile', 'layout', 'text', 'paint', 'encode'];
const engine = (phase) => [`server/engine/${phase}/**/*.ts`];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'resources/fonts/',
      'server/engine/encode/pixels.wasm.ts',
      'test-results/',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,cts,svelte}'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        projectService: true,
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.{mjs,js}', '.ci/*'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
      },
    },
  },
  {
    files: ['test/clients/n8n-workflow/*.js'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { module: 'writable', setTimeout: 'readonly' },
    },
  },
  ...svelte.configs['flat/recommended'],
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    // One bindable property makes `let` of all that are taken out of $props() with it.
    rules: { 'prefer-const': ['error', { destructuring: 'all' }] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },

  // ---- import walls ----------------------------------------------------------------------------------------------
  wall(
    ['shared/**/*.ts'],
    ['node:*', 'electron', 'svelte', '**/server/**', '**/main/**', '**/renderer/**'],
    'shared/ knows no Node, no DOM, no Electron, and none of the programs that use it.',
  ),
  wall(
    ['renderer/**/*.{ts,svelte}'],
    ['node:*', 'electron', '**/server/**', '**/main/**'],
    'The window talks to the server over HTTP and server-sent events; only shared/ is common.',
  ),
  wall(
    [
      'server/{api,window,jobs,store}/**/*.ts',
      'server/{app,start,create-services,services,choices,options,api-address,api-control,api-listener,connections,listen,runtime-file}.ts',
    ],
    ['electron', '**/engine/**', '**/renderer/**', '**/main/**'],
    'Only drawing.ts, render-file.ts and cli.ts enter the engine; the server never imports Electron.',
  ),
  wall(
    ['server/jobs/**/*.ts'],
    ['electron', '**/engine/**', '**/api/**', '**/window/**', '**/main/**'],
    'jobs/ is reached by api/ and window/, and reaches only store/ and shared/.',
  ),
  wall(
    ['server/network/**/*.ts'],
    [
      'electron',
      'express',
      '**/engine/**',
      '**/api/**',
      '**/window/**',
      '**/jobs/**',
      '**/store/**',
    ],
    'network/ is the ground that server and engine stand on: it knows addresses, and none of its users.',
  ),
  wall(
    ['server/store/**/*.ts'],
    [
      'electron',
      '**/engine/**',
      '**/api/**',
      '**/window/**',
      '**/jobs/**',
      '**/main/**',
      'express',
    ],
    'store/ knows the database only.',
  ),
  ...phases.map((phase) =>
    wall(
      engine(phase),
      [
        'electron',
        'express',
        '**/api/**',
        '**/jobs/**',
        '**/store/**',
        '**/window/**',
        ...(['compile', 'layout', 'text'].includes(phase)
          ? ['@napi-rs/canvas', 'node:*', '**/network/**']
          : []),
        ...laterPhases(phase).map((later) => `**/${later}/*`),
      ],
      'An engine phase imports earlier phases only; render.ts and stage.ts join them. compile, layout and text are pure.',
    ),
  ),
  wall(
    ['server/{worker,drawing,tree-memory,render-file,cli}.ts'],
    ['electron', '**/api/**', '**/store/**', '**/window/**'],
    'The worker and the command line know the engine and the protocol, not the API.',
  ),
);

/** Phases that come after one: it may not look at them. Layout and text are one phase. */
function laterPhases(phase) {
  const order = { assets: 1, compile: 2, layout: 3, text: 3, paint: 4, encode: 5 };
  return phases.filter((other) => order[other] > order[phase]);
}
