/** The commands of the timeline's markers. */
import { command, type Command } from '../../frame/commands/command.ts';
import { say } from '../../ui/say.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

/** The commands in their current state. */
export function markerCommands({ markers, preview }: TemplateEditor): readonly Command[] {
  const moves = preview.frameCount > 1;
  const some = { enabled: moves && markers.list.length > 0 };
  return [
    command('add-marker', 'marker', () => markers.add(), {
      enabled: moves,
      ...(markers.isFull && { reason: say('editor.marker.full') }),
    }),
    command('previous-marker', 'previousMarker', () => markers.step(-1), some),
    command('next-marker', 'nextMarker', () => markers.step(1), some),
  ];
}
