/** Music turned down under speech by a command of the editor: one step, taken back to the same bytes. */
import { expect, test } from 'vitest';
import { timelineCommands } from '../../renderer/editor/timeline/timeline-commands.svelte.ts';
import type { Command } from '../../renderer/frame/commands/command.ts';
import { elementsOf, openEditor } from './editor.ts';

const film = `{
  "output_format": "mp4", "width": 64, "height": 64, "frame_rate": 25, "duration": 12,
  "elements": [
    { "type": "audio", "name": "Music", "duration": 12, "source": "music.mp3", "volume": "60%" },
    { "type": "audio", "name": "Voice", "time": 4, "duration": 2, "source": "voice.mp3" },
    { "type": "text", "name": "Title", "text": "Hi" }
  ]
}`;

test('the command changes the selected sound alone, in one step', async () => {
  const { editor, app } = await openEditor(film);
  const command = (): Command => {
    const found = timelineCommands(editor, app).find(({ id }) => id === 'duck-music');
    if (!found) throw new Error('There is no such command.');
    return found;
  };
  expect(command().enabled).toBe(false);
  editor.canvas.selectAll(['elements[2]']);
  expect(command().enabled).toBe(false);
  editor.canvas.selectAll(['elements[0]']);
  expect(command().enabled).toBe(true);
  command().run();
  const volume = [
    { time: 0, value: '60%', easing: 'linear' },
    { time: 3.8, value: '60%', easing: 'linear' },
    { time: 4, value: '15.1%', easing: 'linear' },
    { time: 6, value: '15.1%', easing: 'linear' },
    { time: 6.6, value: '60%', easing: 'linear' },
    { time: 12, value: '60%', easing: 'linear' },
  ];
  expect(elementsOf(editor)[0]).toMatchObject({ name: 'Music', volume });
  expect(elementsOf(editor)[1]).not.toHaveProperty('volume');
  editor.document.undo();
  expect(editor.document.text).toBe(film);

  // Both selected: nothing is left that they could make way for.
  editor.canvas.selectAll(['elements[0]', 'elements[1]']);
  command().run();
  expect(editor.document.text).toBe(film);
  expect(app.messages.toasts.at(-1)?.text).toBe('Nothing else is heard while this plays.');
});
