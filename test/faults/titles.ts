/** Which tests carry which number of the fault table: read from the titles in the test files, without running any. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A test, or a group of tests, that carries numbers. */
export interface FaultTest {
  /** From the project's folder, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly numbers: readonly number[];
}

/** `F52: …`, `F63 F64 …`: numbers stand at the beginning. */
const leadingNumbers = /^(?:F\d{1,3}[ ,:]*)+(?![\w-])/;

function numbersOf(title: string): number[] {
  const lead = leadingNumbers.exec(title)?.[0] ?? '';
  return Array.from(lead.matchAll(/\d+/g), ([digits]) => Number(digits));
}

/** Every test of a folder that carries a number, by file and line. */
export function faultTests(root: string): FaultTest[] {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(?:test|spec)\.ts$/.test(file))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .sort()
    .flatMap((file) => testsIn(file, readFileSync(path.join(root, file), 'utf8')));
}

/** Those of one file. */
export function testsIn(file: string, text: string): FaultTest[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FaultTest[] = [];
  const add = (node: ts.Node, title: string): void => {
    const numbers = numbersOf(title);
    if (numbers.length === 0) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push({ file, line: line + 1, title, numbers });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      const words = title === undefined ? null : textOf(title);
      if (title !== undefined && words !== null) add(title, words);
      // The words of a row come first in the title: `test.each([['F45', '/missing']])('%s %s', …)`.
      if (words !== null && /^[%$]/.test(words)) {
        for (const row of rowsOf(node.expression, source)) {
          const first = ts.isArrayLiteralExpression(row) ? row.elements[0] : row;
          const said = first === undefined ? null : textOf(first);
          if (said !== null) add(row, said);
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `test`, `describe.skipIf(…)`, `test.each(…)` and their like. */
function isTest(callee: ts.Expression): boolean {
  let root = callee;
  while (ts.isPropertyAccessExpression(root) || ts.isCallExpression(root)) root = root.expression;
  return ts.isIdentifier(root) && ['test', 'it', 'describe'].includes(root.text);
}

/** The table of `test.each(table)`: written there, or as a constant of the same file. */
function rowsOf(callee: ts.Expression, source: ts.SourceFile): readonly ts.Expression[] {
  if (!ts.isCallExpression(callee)) return [];
  const [table] = callee.arguments;
  if (table === undefined) return [];
  if (ts.isArrayLiteralExpression(table)) return table.elements;
  let rows: readonly ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      ts.isIdentifier(table) &&
      node.name.text === table.text &&
      node.initializer !== undefined
    ) {
      const value = ts.isAsExpression(node.initializer)
        ? node.initializer.expression
        : node.initializer;
      if (ts.isArrayLiteralExpression(value)) rows = value.elements;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return rows;
}

/** The text of a literal; of a template, what stands before its first value. */
function textOf(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : null;
}
