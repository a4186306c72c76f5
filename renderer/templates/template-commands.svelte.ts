/**
 * What can be done with a template of the Templates page: one table for the menu of its card, the keys and the palette.
 */
import type { WindowTemplate } from '../../shared/api.ts';
import type { AppState } from '../frame/app.svelte.ts';
import { command, whileSaving, type Command } from '../frame/commands/command.ts';
import { say } from '../ui/say.ts';

/** The commands of one template, in the order of its menu. */
export function templateCommands(app: AppState, template: WindowTemplate): readonly Command[] {
  const { templateTasks } = app;
  const { id } = template;
  return whileSaving(app.server, [
    command('edit-template', 'open', () => app.navigation.edit(id), {
      label: say('action.openPlain'),
    }),
    command('render-template', 'play', () => void templateTasks.openRenderDialog(id)),
    command('duplicate-template', 'duplicate', () => void templateTasks.duplicate(template), {
      line: true,
    }),
    command('rename-template', 'rename', () => {
      app.dialogs.show({ kind: 'naming', what: 'name', template });
    }),
    command('edit-tags', 'tags', () => {
      app.dialogs.show({ kind: 'naming', what: 'tags', template });
    }),
    command('copy-id', 'copy', () => void app.copy(id), { line: true }),
    command('copy-curl', 'copy', () => void templateTasks.copyTemplateCurl(template)),
    command('export-template', 'download', () => void templateTasks.exportTemplate(template)),
    command('share-template', 'share', () => void templateTasks.shareTemplates([template])),
    command('trash-template', 'trash', () => void templateTasks.trash(template), {
      line: true,
      danger: true,
    }),
  ]);
}
