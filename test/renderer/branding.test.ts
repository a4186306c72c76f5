/** "Use my brand" in the editor: one step, said and taken back. */
import { describe, expect, it } from 'vitest';
import { noBrand } from '../../renderer/editor/making/brand.ts';
import { useBrand } from '../../renderer/editor/making/branding.svelte.ts';
import { openEditor } from './editor.ts';

const text = `{
  "output_format": "png",
  "width": 400,
  "height": 400,
  "fill_color": "#ff4d2e",
  "elements": [
    { "type": "text", "text": "Sale", "font_family": "Lato", "font_size": "20 vmin", "fill_color": "#fff" }
  ]
}
`;
const brand = { ...noBrand, colors: ['#14213d'], titleFont: 'Lobster' };

describe('the brand of a project', async () => {
  const { app, editor } = await openEditor(text);
  let asked = 0;
  const use = (): void => useBrand(editor, app, () => (asked += 1));
  const last = () => app.messages.toasts.at(-1);

  it('is asked for where nothing of it is chosen', () => {
    use();
    expect(asked).toBe(1);
    expect(editor.document.text).toBe(text);
  });

  it('changes values only, and says which', () => {
    editor.brand = brand;
    use();
    expect(editor.document.text).toBe(
      text.replace('#ff4d2e', '#14213d').replace('Lato', 'Lobster'),
    );
    expect(last()?.text).toBe('Your brand is used: 1 colour, 1 font.');
  });

  it('changes nothing the second time', () => {
    const before = editor.document.text;
    use();
    expect(editor.document.text).toBe(before);
    expect(last()?.text).toMatch(/already/);
    expect(asked).toBe(1);
  });

  it('is one step of the history', () => {
    editor.document.undo();
    expect(editor.document.text).toBe(text);
    use();
    last()?.action?.run();
    expect(editor.document.text).toBe(text);
  });

  it('takes nothing else back', () => {
    use();
    const { action } = last() ?? {};
    editor.document.setValue('width', 500);
    const after = editor.document.text;
    action?.run();
    expect(editor.document.text).toBe(after);
  });
});
