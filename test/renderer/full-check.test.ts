/** Findings of the check before rendering as lines of the editor's list: where they stand, and what repairs them. */
import { describe, expect, test } from 'vitest';
import { changesOf, foundProblems } from '../../renderer/editor/check/found.ts';
import { checkText } from '../../renderer/editor/source/check.ts';
import { applied, treeOf } from '../../renderer/editor/source/json-text.ts';
import type { Finding } from '../../shared/findings.ts';
import type { Source } from '../../shared/renderscript/source.ts';

const source: Source = {
  output_format: 'mp4',
  elements: [
    { type: 'text', name: 'Title', text: 'Hello', font_size: 8 },
    { type: 'audio', name: 'Tone', source: 'tone.wav', volume: '900%' },
  ],
};
const text = JSON.stringify(source, null, 2);
const small: Finding = {
  ...{ path: 'elements[0].font_size', element: 'Title', level: 'hint', code: 'text_too_small' },
  ...{ message: 'Expected 15 pixels, found 8', cure: 'Make the letters larger.', time: 2 },
  patch: [{ op: 'add', path: '/elements/0/font_size', value: '2 vmin' }],
};

/** The list for a text that has become of the one that was checked. */
function listed(now: string, findings: readonly Finding[] = [small]) {
  const shown = { text: now, source: JSON.parse(now) as Source, tree: treeOf(now) };
  const placeOf = (offset: number): { line: number; column: number } => {
    const lines = now.slice(0, offset).split('\n');
    return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  };
  return foundProblems(findings, source, { ...shown, placeOf }, checkText(now).problems);
}

describe('a finding in the list', () => {
  test('stands at its place in the text, with moment, cure and repair', () => {
    const [line, more] = listed(text);
    expect(more).toBeUndefined();
    expect(line).toMatchObject({
      ...{ severity: 'hint', path: 'elements[0].font_size', time: 2 },
      ...{ text: 'Title: Expected 15 pixels, found 8', cure: 'Make the letters larger.' },
    });
    expect(text.split('\n')[(line?.line ?? 0) - 1]).toContain('"font_size"');
    const mended = JSON.parse(applied(text, line?.fix?.changes ?? [])) as typeof source;
    expect(mended).toEqual({
      ...source,
      elements: [
        { type: 'text', name: 'Title', text: 'Hello', font_size: '2 vmin' },
        { type: 'audio', name: 'Tone', source: 'tone.wav', volume: '900%' },
      ],
    });
  });

  test('is gone once its element is another one, and stays when others change', () => {
    expect(listed(text.replace('"Hello"', '"Good day"'))).toEqual([]);
    expect(listed(text.replace('900%', '50%'))).toHaveLength(1);
  });

  test('is not told twice where the checker tells of it', () => {
    const wrong = text.replace('8', '"8 apples"');
    const [known] = checkText(wrong).problems;
    const finding = { ...small, message: (known?.text ?? '').replace(/^[^:]*: /, '') };
    const asChecked = JSON.parse(wrong) as Source;
    const shown = { text: wrong, source: asChecked, tree: treeOf(wrong) };
    const placeOf = (): { line: number; column: number } => ({ line: 1, column: 1 });
    const list = foundProblems(
      [finding],
      asChecked,
      { ...shown, placeOf },
      checkText(wrong).problems,
    );
    expect(list).toEqual([]);
  });
});

test.each([
  ['adds', [{ op: 'add', path: '/elements/1/loop', value: true }], '"loop": true'],
  ['removes', [{ op: 'remove', path: '/elements/1/volume' }], '"source": "tone.wav"\n'],
  ['replaces', [{ op: 'replace', path: '/elements/1/volume', value: '70%' }], '"volume": "70%"'],
  [
    'renames',
    [{ op: 'move', from: '/elements/1/volume', path: '/elements/1/gain' }],
    '"gain": "900%"',
  ],
] as const)('a patch that %s becomes a change of the text', (_, patch, written) => {
  const after = applied(text, changesOf(text, source, patch));
  expect(after).toContain(written);
  expect(after.match(/900%/g)?.length ?? 0).toBeLessThanOrEqual(1);
});
