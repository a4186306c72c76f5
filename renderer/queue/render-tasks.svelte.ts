/**
 * Actions on renders: cancel, render again, remove and undo, move, open. Errors are shown, never thrown. Window only.
 */
import { call } from '../frame/connection/call.ts';
import { renderRows, archiveRows } from '../../shared/api/renders.ts';
import type { WindowRender } from '../../shared/api.ts';
import { fileEnding } from '../../shared/renderscript/formats.ts';
import type { MenuItem } from '../ui/menu.ts';
import { actionsOf, type RenderAction } from './render-actions.ts';
import { menuLine, whileSaving, type Command } from '../frame/commands/command.ts';
import { canCancel, nameOf, stageOf } from './display.ts';
import { fileName, filePattern } from '../settings/file-pattern.ts';
import { machineTime } from '../ui/format.ts';
import { moveTarget } from './queue-view.ts';
import { saveAddress, saveText } from '../ui/files.ts';
import { say } from '../ui/say.ts';
import { snippet } from '../api/snippets.ts';
import type { TemplateTasks } from '../templates/template-tasks.svelte.ts';
import type { WindowParts } from '../frame/window-parts.svelte.ts';

/** Milliseconds in which a removal can be undone. */
const undoTime = 10_000;
/** Milliseconds of work that are lost only after a question. */
const muchWork = 30_000;

/** A removal that is still pending. */
interface Removal {
  readonly ids: readonly string[];
  readonly timer: ReturnType<typeof setTimeout>;
  /** Ends the offer to undo it. */
  readonly end: () => void;
}

/** The parts of the window that they use and change. */
type UsedParts = Pick<
  WindowParts,
  | 'attempt'
  | 'dialogs'
  | 'tellQueued'
  | 'renders'
  | 'templates'
  | 'messages'
  | 'undoSteps'
  | 'preferences'
  | 'shortcuts'
  | 'desktop'
  | 'server'
  | 'navigation'
  | 'copy'
> & { readonly templateTasks: TemplateTasks };

/** Actions on renders; the last removal can be undone. */
export class RenderTasks {
  readonly #app: UsedParts;
  #removal: Removal | null = null;

  constructor(app: UsedParts) {
    this.#app = app;
  }

  /** Asks first when much work would be lost. */
  async cancel(render: WindowRender): Promise<void> {
    if (!(await this.#mayLoseWork([render]))) return;
    await this.#app.attempt(async () => {
      await this.#app.renders.cancel(render.id);
      this.#app.messages.show(say('toast.cancelled'), {
        action: { label: say('action.again'), run: () => void this.again(render) },
      });
    });
  }

  /** Asks when one of the renders has run for long. @returns false when they should go on. */
  async #mayLoseWork(renders: readonly WindowRender[]): Promise<boolean> {
    const now = Date.now();
    const active = renders.filter((render) => stageOf(render) === 'active');
    const worked = Math.max(0, ...active.map(({ startedAt = now }) => now - startedAt));
    if (worked <= muchWork) return true;
    return this.#app.dialogs.ask({
      title:
        renders.length === 1
          ? say('ask.cancel.title')
          : say('ask.cancel.titleAll', { count: renders.length }),
      text: say('ask.cancel.text', { count: Math.max(1, Math.round(worked / 60_000)) }),
      yes:
        renders.length === 1
          ? say('ask.cancel.yes')
          : say('ask.cancel.yesAll', { count: renders.length }),
      no: say('ask.cancel.no'),
      danger: true,
    });
  }

  async again(render: WindowRender): Promise<void> {
    await this.#app.attempt(async () => {
      this.#app.tellQueued(say('toast.again'), await this.#app.renders.again(render.id));
    });
  }

  /** One new render for each; the caller decides whether to include cancelled ones. */
  async againAll(renders: readonly WindowRender[]): Promise<void> {
    await this.#app.attempt(async () => {
      for (const { id } of renders) await this.#app.renders.again(id);
      this.#app.messages.show(say('toast.againAll', { count: renders.length }));
    });
  }

  /** Several at once, with one question for all of them and one undo. */
  async cancelAll(renders: readonly WindowRender[]): Promise<void> {
    if (!(await this.#mayLoseWork(renders))) return;
    await this.#app.attempt(async () => {
      // Queued ones first, so that none of them starts meanwhile.
      const waiting = renders.filter((render) => stageOf(render) === 'queued');
      const active = renders.filter((render) => stageOf(render) === 'active');
      for (const { id } of [...waiting.toReversed(), ...active]) await this.#app.renders.cancel(id);
      const stopped = [...active, ...waiting];
      this.#app.messages.show(say('toast.cancelledAll', { count: stopped.length }), {
        action: { label: say('action.again'), run: () => void this.againAll(stopped) },
      });
    });
  }

  /** Hides finished renders at once; they are removed when the time to undo is over. */
  remove(renders: readonly WindowRender[]): void {
    const ids = renders.filter((render) => !canCancel(render)).map(({ id }) => id);
    if (ids.length === 0) return;
    this.carryOut();
    this.#app.renders.hide(ids);
    if (this.#app.navigation.selected !== null && ids.includes(this.#app.navigation.selected))
      this.#app.navigation.selected = null;
    const told = say('toast.removed', { count: ids.length });
    this.#removal = {
      ids,
      timer: setTimeout(() => this.carryOut(), undoTime),
      end: this.#app.undoSteps.offer(told, () => this.#takeBack()),
    };
  }

  /** Removes hidden renders for good: the time to undo is over. */
  carryOut(): void {
    const removal = this.#removal;
    if (!removal) return;
    clearTimeout(removal.timer);
    removal.end();
    this.#removal = null;
    void this.#app.attempt(() => this.#app.renders.remove(removal.ids));
  }

  #takeBack(): void {
    const removal = this.#removal;
    if (!removal) return;
    clearTimeout(removal.timer);
    this.#removal = null;
    this.#app.renders.unhide(removal.ids);
    this.#app.messages.speak(say('toast.undone'));
  }

  /** Moves a queued render. */
  async move(
    id: string,
    where: 'moveTop' | 'moveUp' | 'moveDown' | 'moveBottom' | { before: string | null },
  ): Promise<void> {
    const { waiting } = this.#app.renders;
    const before = typeof where === 'string' ? moveTarget(waiting, id, where) : where.before;
    if (before === undefined || before === id) return;
    await this.#app.attempt(async () => {
      await this.#app.renders.move(id, before);
      const others = waiting.filter((one) => one !== id);
      const place = before === null ? others.length + 1 : others.indexOf(before) + 1;
      this.#app.messages.speak(say('queue.moved', { place }));
    });
  }

  /** What can be done with a render now. */
  commandsOf(render: WindowRender): readonly Command[] {
    const { desktop, renders, templates } = this.#app;
    const context = {
      isDesktop: desktop !== undefined,
      place: renders.places[render.id],
      queued: renders.waiting.length,
      hasTemplate: templates.get(render.record.template_id ?? '') !== undefined,
    };
    const offered = actionsOf(render, context).map(({ name, command, ...action }) => ({
      ...action,
      id: command,
      enabled: action.reason === undefined,
      run: () => void this.act(name, render),
    }));
    return whileSaving(this.#app.server, offered);
  }

  /** The same as menu items. */
  menuOf(render: WindowRender): readonly MenuItem[] {
    return this.commandsOf(render).map((one) => menuLine(one, this.#app.shortcuts));
  }

  /** Runs an action of the table in render-actions.ts. */
  async act(action: RenderAction, render: WindowRender): Promise<void> {
    switch (action) {
      case 'open':
        return this.openFile(render);
      case 'play':
        this.#app.navigation.showRender(render.id);
        this.#app.navigation.playing = render.id;
        return;
      case 'show':
        return this.showInFolder(render);
      case 'saveCopy':
        return this.saveCopy(render);
      case 'download':
        this.#download(render);
        return;
      case 'again':
        return this.again(render);
      case 'againWith':
        return this.#againWith(render);
      case 'cancel':
        return this.cancel(render);
      case 'moveUp':
      case 'moveDown':
      case 'moveTop':
      case 'moveBottom':
        return this.move(render.id, action);
      case 'openTemplate':
        this.#app.navigation.edit(render.record.template_id ?? null, render.errorElement?.path);
        return;
      case 'copyId':
        return this.#app.copy(render.id);
      case 'copyUrl':
        return this.#app.copy(render.record.url);
      case 'copyError':
        return this.#app.copy(render.record.error_message ?? '');
      case 'copyCurl':
        return this.#copyCurl(render);
      case 'saveLog':
        return this.#saveLog(render);
      case 'keep':
      case 'letExpire':
        await this.#app.attempt(async () => {
          this.#app.renders.put(
            await call(renderRows.keep, {
              params: { id: render.id },
              body: { kept: action === 'keep' },
            }),
          );
        });
        return;
      case 'remove':
        this.remove([render]);
    }
  }

  /** Opens the render dialog, filled in with the render's request. */
  async #againWith({ id, record }: WindowRender): Promise<void> {
    await this.#app.attempt(async () => {
      const { request } = await call(renderRows.request, { params: { id } });
      await this.#app.templateTasks.openRenderDialog(record.template_id ?? '', request);
    });
  }

  /** Makes a new template from a render, and opens it at the place that made the render fail. */
  async openAsTemplate(render: WindowRender): Promise<void> {
    await this.#app.attempt(async () => {
      const { source } = await call(renderRows.request, { params: { id: render.id } });
      if (!source) throw new Error(say('request.sourceGone'));
      const at = render.errorElement?.path;
      await this.#app.templateTasks.newTemplate(
        { name: render.name ?? nameOf(render), source },
        at,
      );
    });
  }

  #download(render: WindowRender): void {
    const { filePath, record } = render;
    if (filePath === undefined) return;
    const name = this.#fileName(render);
    // The name that the server gives takes precedence over the link's.
    saveAddress(
      `${filePath}?as=${encodeURIComponent(name)}`,
      `${name}.${fileEnding(record.output_format)}`,
    );
  }

  #fileName(render: WindowRender, number = 1): string {
    return fileName(render, this.#app.preferences.text(filePattern), number);
  }

  /** Saves the files of finished renders: one as it is, several as a zip, named by the person's pattern. */
  async downloadAll(renders: readonly WindowRender[]): Promise<void> {
    const [first] = renders;
    if (!first) return;
    if (renders.length === 1) {
      this.#download(first);
      return;
    }
    await this.#app.attempt(async () => {
      const files = renders.map((render, index) => ({
        id: render.id,
        name: this.#fileName(render, index + 1),
      }));
      const { path, missing } = await call(archiveRows.pack, { body: { files } });
      if (missing > 0) {
        this.#app.messages.show(say('files.zip.some', { count: missing }), { tone: 'problem' });
      }
      saveAddress(path, '');
    });
  }

  async #copyCurl({ id }: WindowRender): Promise<void> {
    await this.#app.attempt(async () => {
      const { request } = await call(renderRows.request, { params: { id } });
      const url = this.#app.server.state?.api.url ?? '';
      await this.#app.copy(snippet('cURL', { url, body: request }), say('editor.copied.code'));
    });
  }

  async #saveLog(render: WindowRender): Promise<void> {
    await this.#app.attempt(async () => {
      const lines = await call(renderRows.log, { params: { id: render.id } });
      const text = lines.map(
        (line) => `${machineTime(line.time)}  ${line.level.padEnd(7)}  ${line.text}\n`,
      );
      saveText(`${this.#fileName(render)}.log.txt`, text.join(''));
    });
  }

  /** Opens the finished file with the system's program, or in a tab of the browser. */
  async openFile(render: WindowRender): Promise<void> {
    await this.#app.attempt(async () => {
      const { desktop } = this.#app;
      if (desktop) await desktop.openFile(asFile(render));
      else window.open(render.filePath, '_blank', 'noopener');
    });
  }

  async showInFolder(render: WindowRender): Promise<void> {
    await this.#app.attempt(async () => this.#app.desktop?.showInFolder(asFile(render)));
  }

  async saveCopy(render: WindowRender): Promise<void> {
    await this.#app.attempt(async () => {
      const { desktop } = this.#app;
      const copy = await desktop?.saveCopy(asFile(render), this.#fileName(render));
      if (!desktop || typeof copy !== 'number') return;
      const show = (): void => void this.#app.attempt(() => desktop.showCopy(copy));
      this.#app.messages.show(say('toast.copySaved'), {
        action: { label: say('toast.show'), run: show },
      });
    });
  }
}

function asFile({ id, record }: WindowRender): {
  id: string;
  format: WindowRender['record']['output_format'];
} {
  return { id, format: record.output_format };
}
