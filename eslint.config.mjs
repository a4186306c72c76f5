/**
 * House style. Who may import whom is in test/imports.mjs: of two `no-restricted-imports` for a file ESLint keeps only
 * the last.
 */
import eslint from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

const formatByName = {
  selector: 'BinaryExpression[operator=/^[!=]==$/] > Literal[value=/^(jpg|png|gif|mp4)$/]',
  message:
    'Ask the table of output formats (shared/renderscript/formats.ts), so that a new format is one row.',
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'resources/fonts/',
      'client/generated/',
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
      'no-restricted-syntax': ['error', formatByName],
    },
  },
  {
    files: ['renderer/frame/connection/**/*.ts', 'renderer/api/**/*.{ts,svelte}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        formatByName,
        {
          selector: 'TSAsExpression:not([typeAnnotation.typeName.name="const"])',
          message:
            'What the server answers is parsed by its row (shared/api/), not said to have a form.',
        },
      ],
    },
  },
  {
    files: ['server/api/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        formatByName,
        {
          selector:
            "CallExpression[callee.property.name=/^(on|once)$/][callee.object.name!='response'][arguments.0.value=/^(data|end|readable|drain|finish|field|file|.*Limit)$/] > :function[body.type='BlockStatement']",
          message:
            'What a handler throws ends the server: wrap it in guarded() (server/api/uploads.ts), so that its request fails.',
        },
      ],
    },
  },
  {
    files: ['{server,main}/**/*.ts'],
    // Each opens many parts in an order and hands them out as one: a cut would only pass them along.
    ignores: ['server/engine/stage.ts', 'server/store/store.ts'],
    rules: {
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
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
);
