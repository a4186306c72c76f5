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

/** Phases of the engine, in order; layout and text are one. Those in shared/ run wherever there is something to draw with. */
const phases = {
  assets: { order: 1, folder: 'server/engine' },
  compile: { order: 2, folder: 'shared/engine' },
  layout: { order: 3, folder: 'shared/engine' },
  text: { order: 3, folder: 'shared/engine' },
  paint: { order: 4, folder: 'shared/engine' },
  encode: { order: 5, folder: 'server/engine' },
};

/** What nothing in shared/ may know. */
const strangers = [
  'node:*',
  'electron',
  'svelte',
  '@napi-rs/canvas',
  '**/server/**',
  '**/main/**',
  '**/renderer/**',
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'resources/fonts/',
      'server/engine/encode/*.wasm.ts',
      'test-results/',
      'shared/words/en/*.d.json.ts',
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
    files: ['{shared,renderer,main}/**/*.{ts,cts,svelte}', 'server/**/*.ts'],
    // Files that come in have formats of the same names.
    ignores: ['server/engine/assets/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'BinaryExpression[operator=/^[!=]==$/] > Literal[value=/^(jpg|png|gif|mp4)$/]',
          message:
            'Ask the table of output formats (shared/renderscript/formats.ts), so that a new format is one row.',
        },
      ],
    },
  },
  {
    files: ['server/api/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.property.name=/^(on|once)$/][callee.object.name!='response'][arguments.0.value=/^(data|end|readable|drain|finish|field|file|.*Limit)$/] > :function[body.type='BlockStatement']",
          message:
            'What a handler throws ends the server: wrap it in guarded() (server/api/guarded.ts), so that its request fails.',
        },
      ],
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
        setInterval: 'readonly',
        clearInterval: 'readonly',
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
    ['client/**/*.ts'],
    [...strangers, '**/shared/**'],
    'The client runs anywhere and is handed out alone: nothing of the program is in it.',
  ),
  wall(
    ['client/{testing,server-process}.ts'],
    strangers.filter((name) => name !== 'node:*').concat('**/shared/**'),
    'The test double starts the built program and knows nothing else of it.',
  ),
  wall(
    ['shared/**/*.ts'],
    [...strangers, '**/engine/**'],
    'shared/ knows no Node, no DOM, no Electron, no drawing library, and none of the programs that use it.',
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
    ['server/system/**/*.ts'],
    [
      'electron',
      'express',
      '**/engine/**',
      '**/api/**',
      '**/window/**',
      '**/jobs/**',
      '**/store/**',
      '**/renderer/**',
      '**/main/**',
    ],
    'system/ is the ground that server and engine stand on: it knows none of its users.',
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
  wall(
    ['server/storage/**/*.ts'],
    [
      'electron',
      'express',
      '**/engine/**',
      '**/api/**',
      '**/window/**',
      '**/jobs/**',
      '**/store/**',
      '**/main/**',
    ],
    'storage/ knows files by their keys, and nothing of what they are for: servers and workers use it alike.',
  ),
  wall(
    ['shared/engine/**/*.ts'],
    strangers,
    'The engine in shared/ draws on the surface that it is given: no Node, no DOM, no drawing library.',
  ),
  ...Object.entries(phases).map(([phase, { folder }]) =>
    wall(
      [`${folder}/${phase}/**/*.ts`],
      [
        ...(folder === 'shared/engine'
          ? strangers
          : ['electron', 'express', '**/api/**', '**/jobs/**', '**/store/**', '**/window/**']),
        ...laterPhases(phase).map((later) => `**/${later}/*`),
      ],
      'An engine phase imports earlier phases only; render.ts and stage.ts join them. Those in shared/ know no machine.',
    ),
  ),
  wall(
    ['server/{worker,drawing,tree-memory,render-file,cli}.ts', 'server/commands/**/*.ts'],
    ['electron', '**/api/**', '**/store/**', '**/window/**'],
    'The worker and the command line know the engine and the protocol, not the API.',
  ),
);

/** Phases that come after one: it may not look at them. */
function laterPhases(phase) {
  return Object.keys(phases).filter((other) => phases[other].order > phases[phase].order);
}
