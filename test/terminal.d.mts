/** See terminal.mjs. */
export function startInTerminal(how: {
  readonly folder: string;
  readonly options?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly patience?: number;
}): Promise<{
  lines: string[];
  window: number | string;
  api: number | string;
  code: number | null;
}>;
export const ctrlC: number;
export function expectedLines(how: { readonly isFirst: boolean }): RegExp[];
