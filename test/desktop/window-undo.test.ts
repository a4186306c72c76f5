/** What can be taken back: the last first, each once, and what is only being done once it is done. */
import { expect, test } from 'vitest';
import type { Messages } from '../../renderer/frame/messages.svelte.ts';
import { UndoStack } from '../../renderer/frame/undo.svelte.ts';

/** A stack, the texts that are shown, and what was taken back. */
function make(): { stack: UndoStack; shown: string[]; undone: string[] } {
  const texts: string[] = [];
  const shown: string[] = [];
  const messages: Pick<Messages, 'show' | 'dismiss'> = {
    show: (text) => {
      shown.push(text);
      return texts.push(text) - 1;
    },
    dismiss: (id) => void shown.splice(shown.indexOf(texts[id]!), 1),
  };
  // The stack uses these two alone.
  return { stack: new UndoStack(messages as Messages), shown, undone: [] };
}

test('the last first, each once; an offer that was ended is passed over', () => {
  const { stack, shown, undone } = make();
  const offer = (text: string): (() => void) => stack.offer(text, () => void undone.push(text));
  offer('first');
  const end = offer('second');
  offer('third');
  end();
  expect(shown).toEqual(['first', 'third']);
  expect([stack.undo(), stack.undo(), stack.undo()]).toEqual([true, true, false]);
  expect([undone, shown]).toEqual([['third', 'first'], []]);
});

test('what is only being done is taken back when it is done; when it fails, nothing is', async () => {
  const { stack, undone } = make();
  stack.offer('before', () => void undone.push('before'));
  let finish: () => void = () => undefined;
  const slow = stack.offering(async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    stack.offer('slow', () => void undone.push('slow'));
  });
  expect(stack.undo()).toBe(true);
  expect(undone).toEqual([]);
  finish();
  await slow;
  await Promise.resolve();
  expect(undone).toEqual(['slow']);

  const refused = stack.offering(() => Promise.resolve());
  stack.undo();
  await refused;
  await Promise.resolve();
  expect(undone).toEqual(['slow']);
  expect([stack.undo(), undone]).toEqual([true, ['slow', 'before']]);
});
