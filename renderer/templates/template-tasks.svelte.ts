/**
 * Actions on templates: render, create, duplicate, change, delete, restore, export. Errors are shown, never thrown.
 * Window only.
 */
import { call } from '../frame/connection/call.ts';
import { renderRows } from '../../shared/api/renders.ts';
import type { SharedTemplateFile, WindowTemplate } from '../../shared/api.ts';
import { requestLimits as limits } from '../../shared/limits.ts';
import type { Marker } from '../../shared/markers.ts';
import type { RequestFor } from '../../shared/api/row.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { editorRows } from '../../shared/api/editor.ts';
import {
  type NewTemplate,
  templateRows,
  trashRows,
  templateShareRows,
} from '../../shared/api/templates.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { handoverForms, lossLines, type HandoverForm } from '../../shared/handover.ts';
import { cutMiddle } from '../ui/format.ts';
import { saveBlob, saveText } from '../ui/files.ts';
import { say } from '../ui/say.ts';
import { readTemplateFile, templateFileName, templateFileText } from './template-file.ts';
import { snippet, type snippetLanguages } from '../api/snippets.ts';
import type { TemplateEditor } from '../editor/template-editor.svelte.ts';
import type { WindowParts } from '../frame/window-parts.svelte.ts';

/** A template as it is in the editor; without a source there is nothing to store. */
export interface OpenTemplate {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly source: JsonObject | null;
  readonly markers: readonly Marker[];
}

/** The parts of the window that they use and change. */
type UsedParts = Pick<
  WindowParts,
  | 'attempt'
  | 'clipboard'
  | 'dialogs'
  | 'tellQueued'
  | 'templates'
  | 'messages'
  | 'undoSteps'
  | 'desktop'
  | 'projects'
  | 'server'
  | 'navigation'
  | 'copy'
>;

/** Actions on templates; deletions can be undone. */
export class TemplateTasks {
  readonly #app: UsedParts;
  /** What ends the offer to undo a deletion, by the template's ID. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is shown of it
  readonly #offers = new Map<string, () => void>();

  constructor(app: UsedParts) {
    this.#app = app;
  }

  /** Opens the render dialog of a template. @param request filled in; default: what was chosen last. */
  async openRenderDialog(id: string, request?: JsonObject): Promise<void> {
    await this.#app.attempt(async () => {
      const template = this.#app.templates.get(id);
      if (!template) return;
      const { source } = await call(editorRows.open, { params: { id } });
      this.#app.dialogs.show({ kind: 'render', template, source, request });
    });
  }

  /** Queues the stored template. */
  async renderTemplate(id: string): Promise<void> {
    await this.#app.attempt(async () => {
      this.#app.tellQueued(
        say('toast.queued'),
        await call(renderRows.create, { params: { id } }),
        say('toast.show'),
      );
    });
  }

  /**
   * Stores a template in the chosen project and opens it.
   *
   * @param at a place in its document to begin at; see AppState.edit.
   * @returns true when it was stored.
   */
  async newTemplate(
    {
      name,
      source,
      tags = [],
    }: Pick<NewTemplate, 'name' | 'source'> & Partial<Pick<NewTemplate, 'tags'>>,
    at?: string,
  ): Promise<boolean> {
    const project = this.#app.projects.chosen;
    if (!project) return false;
    return this.#app.attempt(async () => {
      const { id } = await this.create({ project: project.id, tags, name, source });
      this.#app.navigation.edit(id, at);
    });
  }

  /** Stores a template under a name that no other of its project has. @throws {RequestProblem} */
  async create(made: NewTemplate): Promise<WindowTemplate> {
    const { templates } = this.#app;
    const name = templates.freeName(made.name, made.project);
    const stored = await call(templateRows.create, { body: { ...made, name } });
    templates.put(stored);
    return stored;
  }

  /**
   * Stores the clipboard's text as a template and opens it. Where the clipboard can't be read, offers a box to paste
   * into.
   */
  async newFromClipboard(): Promise<void> {
    const text = await this.#app.clipboard.readText();
    if (text === null) {
      this.#app.navigation.goTo('templates');
      this.#app.dialogs.show({ kind: 'import', files: [] });
      this.#app.messages.show(say('import.clipboard.refused'), { tone: 'problem' });
      return;
    }
    const read = readTemplateFile('', text);
    if (read.ok) await this.newTemplate(read.file);
    else this.#app.messages.show(say('import.clipboard'), { tone: 'problem' });
  }

  async duplicate({ id, name, project }: WindowTemplate): Promise<void> {
    const { templates } = this.#app;
    await this.#app.attempt(async () => {
      const made = await call(templateRows.duplicate, {
        params: { id },
        body: { name: templates.freeName(nameOfCopy(name), project) },
      });
      templates.put(made);
      this.#tellMade(made);
    });
  }

  /** Stores what is in the editor as another template. */
  async duplicateOpen({ id, name, source, ...rest }: OpenTemplate): Promise<void> {
    if (source) await this.copyOpen(id, { ...rest, name: nameOfCopy(name), source });
  }

  /** Stores a changed document of an open template beside it. */
  async copyOpen(id: string, made: Omit<NewTemplate, 'project' | 'id'>): Promise<void> {
    const project = this.#app.templates.get(id)?.project ?? this.#app.projects.chosen?.id;
    if (project === undefined) return;
    await this.#app.attempt(async () => this.#tellMade(await this.create({ ...made, project })));
  }

  #tellMade({ id, name }: WindowTemplate): void {
    this.#app.messages.show(say('toast.duplicated', { name: cutMiddle(name) }), {
      action: { label: say('toast.open'), run: () => this.#app.navigation.edit(id) },
    });
  }

  /** @returns true when it was stored. */
  async changeTemplate(
    id: string,
    change: RequestFor<typeof templateRows.change>['body'],
  ): Promise<boolean> {
    return this.#app.attempt(() => call(templateRows.change, { params: { id }, body: change }));
  }

  async trash(template: WindowTemplate): Promise<void> {
    const { undoSteps } = this.#app;
    const work = async (): Promise<void> => {
      await call(templateRows.remove, { params: { id: template.id } });
      const told = say('toast.trashed', { name: cutMiddle(template.name) });
      const end = undoSteps.offer(told, () => void this.#takeBack(template));
      this.#offers.set(template.id, end);
    };
    await undoSteps.offering(() => this.#app.attempt(work));
  }

  /** Undoes a deletion, unless someone else did. */
  async #takeBack(template: WindowTemplate): Promise<void> {
    const { templates } = this.#app;
    if (templates.get(template.id)) return;
    await templates.loadTrash();
    if (templates.trash.some(({ id }) => id === template.id)) return this.restore(template);
    const told = say('toast.undo.gone', { name: cutMiddle(template.name) });
    this.#app.messages.show(told, { tone: 'problem' });
  }

  async restore({ id, name }: Pick<WindowTemplate, 'id' | 'name'>): Promise<void> {
    await this.#app.attempt(async () => {
      await call(trashRows.restore, { params: { id } });
      this.#endOffer(id);
      this.#app.messages.show(say('toast.restored', { name: cutMiddle(name) }));
    });
  }

  #endOffer(id: string): void {
    this.#offers.get(id)?.();
    this.#offers.delete(id);
  }

  /** Asks, then deletes these templates for good. */
  async purge(list: readonly Pick<WindowTemplate, 'id' | 'name'>[]): Promise<void> {
    const [first] = list;
    if (!first) return;
    const title =
      list.length === 1
        ? say('ask.purge.title', { name: cutMiddle(first.name) })
        : say('ask.empty.title', { count: list.length });
    const yes = await this.#app.dialogs.ask({
      title,
      text: say('ask.purge.text'),
      yes: say('ask.purge.yes'),
      no: say('ask.no'),
      danger: true,
    });
    if (!yes) return;
    await this.#app.attempt(async () => {
      for (const { id } of list) {
        await call(trashRows.purge, { params: { id } });
        this.#endOffer(id);
      }
      await this.#app.templates.loadTrash();
    });
  }

  /** Saves a template as a file. */
  async exportTemplate({ id, name, tags }: WindowTemplate): Promise<void> {
    await this.#app.attempt(async () => {
      const { source } = await call(editorRows.open, { params: { id } });
      saveText(templateFileName(name), templateFileText(id, name, tags, source));
    });
  }

  /** Shows what a file of templates with their media and fonts would contain; several are a kit. */
  async shareTemplates(templates: readonly WindowTemplate[]): Promise<void> {
    await this.#app.attempt(async () => {
      const content = await this.prepareShare(templates);
      this.#app.dialogs.show({ kind: 'share', templates, content });
    });
  }

  /** Has such a file prepared: its address is valid for a minute. */
  prepareShare([first, ...others]: readonly WindowTemplate[]): Promise<SharedTemplateFile> {
    const also = others.map(({ id }) => id).join(',');
    const query = others.length > 0 ? { also } : {};
    return call(templateShareRows.share, { params: { id: first?.id ?? '' }, query });
  }

  /** Saves what is in the editor as a file. */
  exportOpen({ id, name, tags, source }: OpenTemplate): void {
    if (source) saveText(templateFileName(name), templateFileText(id, name, tags, source));
  }

  /** Saves what is in the editor as a file for other programs, and tells what is not in it. */
  async handOver(form: HandoverForm, open: OpenTemplate): Promise<void> {
    const { id, name, source, markers } = open;
    if (!source) return;
    await this.#app.attempt(async () => {
      const body = { form, name, source, markers: [...markers] };
      const { text, lost } = await call(editorRows.handOver, { params: { id }, body });
      const { type } = handoverForms[form];
      saveBlob(`${cleanFileName(name) || 'film'}.${form}`, new Blob([text], { type }));
      const lines = lossLines(lost);
      if (lines.length === 0) return;
      this.#app.messages.show(say('handover.lost', { count: lines.length }), {
        action: { label: say('handover.copy'), run: () => void this.#app.copy(lines.join('\n')) },
      });
    });
  }

  /** Copies a request that renders the open template, with the values of its fields as examples. */
  async copyExample(
    language: (typeof snippetLanguages)[number],
    { id, fields }: Pick<TemplateEditor, 'id' | 'fields'>,
  ): Promise<void> {
    const values = fields.list.flatMap(({ key, value }) =>
      key !== null && value !== undefined && value !== null ? [[key, value] as const] : [],
    );
    const body: JsonObject = {
      template_id: id,
      ...(values.length > 0 && { modifications: Object.fromEntries(values) }),
    };
    const url = this.#app.server.state?.api.url ?? '';
    await this.#app.copy(snippet(language, { url, body }), say('editor.copied.code'));
  }

  async copyTemplateCurl({ id }: WindowTemplate): Promise<void> {
    const url = this.#app.server.state?.api.url ?? '';
    await this.#app.copy(
      snippet('cURL', { url, body: { template_id: id } }),
      say('editor.copied.code'),
    );
  }

  /** Asks whether a template begins with a sample: links come from outside. @param id its folder's name */
  async offerSample(id: string): Promise<void> {
    await this.loadSamples();
    const sample = this.#app.templates.samples.find((one) => one.id === id);
    if (!sample) return;
    const yes = await this.#app.dialogs.ask({
      title: say('samples.use.title', { name: sample.name }),
      text: say('samples.use.text'),
      yes: say('samples.use.yes'),
      no: say('ask.no'),
    });
    if (yes) await this.newTemplate(sample);
  }

  /** Loads them once; without them the menu is only shorter. */
  async loadSamples(): Promise<void> {
    if (this.#app.templates.samples.length === 0)
      this.#app.templates.samples = await call(templateRows.samples).catch(() => []);
  }
}

/** A name for a copy, short enough to be stored. */
function nameOfCopy(name: string): string {
  return say('template.copyName', { name: name.slice(0, limits.nameLength - 20) });
}
