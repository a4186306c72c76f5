/** What a person makes of templates: each has a name of its own, and the window says it as it is typed. */
import { expect, test } from 'vitest';
import { AppState } from '../../renderer/frame/app.svelte.ts';
import { titleOf } from '../../renderer/frame/title.svelte.ts';
import { call } from '../../renderer/frame/connection/call.ts';
import { templateRows } from '../../shared/api/templates.ts';
import type { Source } from '../../shared/renderscript/source.ts';

const source: Source = { output_format: 'png', width: 32, height: 32, elements: [] };

/** A window that has loaded its lists, with a template of each of these names. */
async function openApp(...names: readonly string[]): Promise<AppState> {
  const app = new AppState();
  await app.projects.load();
  const project = app.projects.chosen?.id ?? '';
  for (const name of names)
    await call(templateRows.create, { body: { project, name, tags: [], source } });
  await app.templates.load();
  return app;
}

const namesOf = (app: AppState, like: string): string[] =>
  app.templates.list.flatMap(({ name }) => (name.startsWith(like) ? [name] : [])).sort();

test('34: new ones, copies and imported ones get a number beside their names', async () => {
  const app = await openApp('Gorge reel', 'gorge reel 2');
  const project = app.projects.chosen?.id ?? '';
  await app.templateTasks.newTemplate({ name: 'Gorge reel', source });
  // Imported at once, before any event has come.
  for (let count = 0; count < 2; count += 1)
    await app.templateTasks.create({ project, name: 'Gorge reel', tags: [], source });
  const [first] = app.templates.list.filter(({ name }) => name === 'Gorge reel');
  if (first) await app.templateTasks.duplicate(first);
  if (first) await app.templateTasks.duplicate(first);
  expect(namesOf(app, 'Gorge')).toEqual([
    ...['Gorge reel', 'Gorge reel 3', 'Gorge reel 4', 'Gorge reel 5'],
    ...['Gorge reel copy', 'Gorge reel copy 2'],
  ]);
});

test('21: the title of the tab has the name that is typed', async () => {
  const app = await openApp('Stored');
  const [stored] = app.templates.list.filter(({ name }) => name === 'Stored');
  app.navigation.edit(stored?.id ?? '');
  expect(titleOf(app)).toBe('Stored – Framewright');
  app.navigation.typedName = 'Typed';
  expect(titleOf(app)).toBe('Typed – Framewright');
});
