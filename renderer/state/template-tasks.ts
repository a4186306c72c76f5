/**
 * What a person can do with templates: render, make, duplicate, change, delete and take back, export. Window only.
 * What goes wrong is shown, never thrown.
 */
import type { WindowTemplate } from '../../shared/api.ts';
import {
  changeTemplate,
  createTemplate,
  duplicateTemplate,
  loadSamples,
  loadSource,
  purgeTemplate,
  renderTemplate,
  restoreTemplate,
  trashTemplate,
  type NewTemplate,
} from '../lib/api.ts';
import { saveText } from '../lib/save-text.ts';
import { say } from '../lib/say.ts';
import { templateFileName, templateFileText } from '../lib/template-file.ts';
import { snippet } from '../views/editor/snippets.ts';
import type { AppState } from './app.svelte.ts';

/** Tasks on templates; the last deletion can be taken back. */
export class TemplateTasks {
  readonly #app: AppState;
  /** The template that came into the Trash last, for Ctrl Z. */
  #trashed: WindowTemplate | null = null;

  constructor(app: AppState) {
    this.#app = app;
  }

  /** Opens the render dialog of a template. */
  async openRenderDialog(id: string): Promise<void> {
    await this.#app.attempt(async () => {
      const template = this.#app.templates.get(id);
      if (template) this.#app.rendering = { template, source: await loadSource(id) };
    });
  }

  /** Queues a template as it is stored. */
  async renderTemplate(id: string): Promise<void> {
    await this.#app.attempt(async () => {
      this.#app.tellQueued(say('toast.queued'), await renderTemplate(id));
    });
  }

  /** Stores a template in the chosen project and opens it. */
  async newTemplate({ name, source }: Pick<NewTemplate, 'name' | 'source'>): Promise<void> {
    const { project } = this.#app;
    if (!project) return;
    await this.#app.attempt(async () => {
      const { id } = await createTemplate({ project: project.id, tags: [], name, source });
      this.#app.edit(id);
    });
  }

  async duplicate({ id, name }: WindowTemplate): Promise<void> {
    await this.#app.attempt(() => duplicateTemplate(id, say('template.copyName', { name })));
  }

  /** @returns true when it was stored. */
  async changeTemplate(id: string, change: Parameters<typeof changeTemplate>[1]): Promise<boolean> {
    return this.#app.attempt(() => changeTemplate(id, change));
  }

  async trash(template: WindowTemplate): Promise<void> {
    await this.#app.attempt(async () => {
      await trashTemplate(template.id);
      this.#trashed = template;
      this.#app.messages.show(say('toast.trashed', { name: template.name }), {
        action: { label: say('toast.undo'), run: () => void this.restore(template) },
      });
    });
  }

  async restore({ id, name }: Pick<WindowTemplate, 'id' | 'name'>): Promise<void> {
    await this.#app.attempt(async () => {
      await restoreTemplate(id);
      this.#app.messages.show(say('toast.restored', { name }));
    });
  }

  /** Asks, then deletes what is named for good. */
  async purge(list: readonly Pick<WindowTemplate, 'id' | 'name'>[]): Promise<void> {
    const [first] = list;
    if (!first) return;
    const title =
      list.length === 1
        ? say('ask.purge.title', { name: first.name })
        : say('ask.empty.title', { count: list.length });
    const yes = await this.#app.ask({
      ...{ title, text: say('ask.purge.text'), yes: say('ask.purge.yes') },
      ...{ no: say('ask.no'), danger: true },
    });
    if (!yes) return;
    await this.#app.attempt(async () => {
      for (const { id } of list) await purgeTemplate(id);
      await this.#app.templates.loadTrash();
    });
  }

  /** Saves a template as a file. */
  async exportTemplate({ id, name, tags }: WindowTemplate): Promise<void> {
    await this.#app.attempt(async () => {
      saveText(templateFileName(name), templateFileText(name, tags, await loadSource(id)));
    });
  }

  async copyTemplateCurl({ id }: WindowTemplate): Promise<void> {
    const url = this.#app.server?.api.url ?? '';
    await this.#app.copy(
      snippet('cURL', { url, body: { template_id: id } }),
      say('editor.copied.code'),
    );
  }

  /** Once; without them the menu is only shorter. */
  async loadSamples(): Promise<void> {
    if (this.#app.samples.length === 0) this.#app.samples = await loadSamples().catch(() => []);
  }

  /** Takes the last deletion back, when there is one. */
  undo(): void {
    const trashed = this.#trashed;
    this.#trashed = null;
    if (trashed) void this.restore(trashed);
  }
}
