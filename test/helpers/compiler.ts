/** Checks code that uses the client's types with the TypeScript compiler. */
import path from 'node:path';
import ts from 'typescript';

const name = path.join(import.meta.dirname, '../../client/use.ts');

/** The refused lines of code, counted from 1, and why. Compiles it as a file beside the client, without writing one. */
export function refusedLines(code: readonly string[]): ReadonlyMap<number, string> {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: ['node'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const exists = host.fileExists.bind(host);
  const file = ts.createSourceFile(
    name,
    code.join('\n'),
    { languageVersion: ts.ScriptTarget.ES2022, impliedNodeFormat: ts.ModuleKind.ESNext },
    true,
  );
  host.getSourceFile = (at, ...rest) => (at === name ? file : read(at, ...rest));
  host.fileExists = (at) => at === name || exists(at);
  const program = ts.createProgram([name], options, host);
  const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  const lines = found.map(({ start = 0, messageText }): [number, string] => [
    file.getLineAndCharacterOfPosition(start).line + 1,
    ts.flattenDiagnosticMessageText(messageText, ' '),
  ]);
  return new Map(lines.sort(([one], [other]) => one - other));
}
