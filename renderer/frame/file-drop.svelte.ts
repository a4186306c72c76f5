/**
 * Files dropped anywhere on the window: templates and tables go to their import dialogs, fonts and speech models to the
 * settings, anything else gets a message. Without this the browser would open the file in place of the page. Window
 * only; App.svelte connects it.
 */
import { say } from '../ui/say.ts';
import { cutMiddle } from '../ui/format.ts';
import type { AppState } from './app.svelte.ts';
import { fontFiles } from '../settings/fonts.svelte.ts';
import { modelFiles } from '../settings/speech-models.svelte.ts';

/** A pane that takes files itself has prevented the default already; text dragged into a field is left alone. */
function isOurs(event: DragEvent): boolean {
  return !event.defaultPrevented && event.dataTransfer?.types.includes('Files') === true;
}

/** Files are dragged over the window. */
export function dragFiles(event: DragEvent): void {
  if (isOurs(event)) event.preventDefault();
}

export function dropFiles(event: DragEvent, app: AppState): void {
  if (!isOurs(event)) return;
  event.preventDefault();
  const files = [...(event.dataTransfer?.files ?? [])];
  const templates = files.filter(({ name }) => /\.(framewright|json|renderscript)$/i.test(name));
  const table = files.find(({ name }) => /\.(csv|tsv|tab|xlsx)$/i.test(name));
  const fonts = files.filter(({ name }) => fontFiles.test(name));
  const models = files.filter(({ name }) => modelFiles.test(name));
  const other = files.find(
    (file) => file !== table && ![templates, fonts, models].some((list) => list.includes(file)),
  );
  if (templates.length > 0) {
    app.navigation.goTo('templates');
    // An open dialog adds them to its own.
    app.dialogs.show({ kind: 'import', files: templates });
  }
  if (table) {
    app.navigation.goTo('feeds');
    app.dialogs.show({ kind: 'import-feed', file: table });
  }
  if (fonts.length > 0) {
    app.navigation.goToSetting('fonts');
    app.fonts.uploads.add(fonts);
  }
  if (models.length > 0) {
    app.navigation.goToSetting('speechModel');
    app.speechModels.uploads.add(models);
  }
  if (other) {
    const text = say('import.notTemplate', { name: cutMiddle(other.name) });
    app.messages.show(text, { tone: 'problem' });
  }
}
