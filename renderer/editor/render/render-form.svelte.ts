/**
 * The choices of one template's render dialog, the server's check of them, and a picture of the result. Window only.
 */
import { untrack } from 'svelte';
import type { DryRun } from '../../../shared/api.ts';
import type { CompiledElement } from '../../../shared/preview.ts';
import {
  formatOf,
  formats,
  hasCodecs,
  hasSound,
  isSound,
  type OutputFormat,
  usualQuality,
  type VideoCodec,
} from '../../../shared/renderscript/formats.ts';
import type { Json, JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { say } from '../../ui/say.ts';
import { fieldProblem, type FieldProblem, type OutputField } from './words.ts';
import { goodMoment } from '../../../shared/good-moment.ts';
import { fieldsOf, outlineOf, type Field } from '../outline/elements.ts';
import { estimateOf, type Estimate } from './estimate.ts';
import {
  choiceOf,
  chosenPreset,
  lighterGif,
  presetsFor,
  type LighterGif,
  type Preset,
  type PresetDocument,
  type PresetId,
} from './presets.ts';
import { isChosen, rememberedOptions, withOptions } from './remembered-options.ts';
import {
  chosenCodec,
  chosenFormat,
  fileSides,
  momentIn,
  neededFrameRate,
  noOptions,
  optionsOf,
  ownFrameRate,
  requestBody,
  showsMoment,
  type RenderOptions,
} from './render-request.ts';
import { editorRows } from '../../../shared/api/editor.ts';
import { RequestProblem } from '../../frame/connection/api.ts';
import { call } from '../../frame/connection/call.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import { PreviewState } from '../preview/preview-state.svelte.ts';

/** Longest side of the dialog's picture, pixels. */
const pictureSide = 640;
/** Quiet before the server is asked, in ms. */
const quiet = 200;

/** Bytes of a GIF that pages and messengers still take well. */
const largeGif = 10_000_000;

/** The name under which the choices of the last render of each template are remembered. */
const remembered = 'renderOptions';

/** The template that is to be rendered. */
export interface RenderSubject {
  readonly id: string;
  readonly name: string;
  readonly source: Source;
  /** It has unsaved changes: the request carries the source. */
  readonly isDraft: boolean;
  /** The moment that is shown, in seconds; 0 outside of the editor: one that shows most of it. */
  readonly time: number;
  /** A request whose choices to start with. Default: those of the template's last render. */
  readonly request?: JsonObject | undefined;
  /** As the editor drew it last; undefined outside of it, where fields are offered. */
  readonly elements: readonly CompiledElement[] | undefined;
}

/** The dialog's form. `follow` runs as an effect while it is open. */
export class RenderForm {
  options = $state<RenderOptions>({ ...noOptions });
  /** The choices are those of the last render; `startAfresh` drops them. */
  remembers = $state(false);
  /** The moment to show is known. */
  isPlaced = $state(false);
  readonly preview = new PreviewState(pictureSide, undefined, 'sound');
  /** The values to fill in; none in the editor, where they are those on the picture. */
  readonly fields: readonly Field[];
  readonly presets: readonly Preset[];
  /** The newest answer; null before the first. */
  check = $state.raw<DryRun | null>(null);
  /** Why there is no answer; '' when there is one. */
  problem = $state('');
  checking = $state(true);
  sending = $state(false);
  /** The render that was queued last, and its request. */
  #queued = $state.raw<{ readonly id: string; readonly body: JsonObject } | null>(null);
  /** Renders that were queued since the dialog was opened. */
  added = $state(0);

  readonly #subject: RenderSubject;
  #isMomentKnown = false;
  /** The preset that was chosen last; several may make the same file. */
  #preset = $state<PresetId | null>(null);
  /** Something in the document may be heard. */
  readonly #sounds: boolean;
  /** The fields of the document, shown or not. */
  readonly #named: readonly Field[];
  readonly #app: AppState;
  /** Called once the present choices are checked. */
  #waiting: (() => void)[] = [];

  readonly request = $derived.by(() => requestBody(this.#subject, this.#plain()));
  /** What is checked: the request without its moment, any of which is right. Null while it can't be read. */
  readonly #checked = $derived(this.request.ok ? this.request.body : null);
  /** The file shows one moment of the film. */
  readonly picksMoment = $derived.by(() => showsMoment(this.#subject.source, this.options));
  /** What would be sent; null while it can't be read. */
  readonly body = $derived.by((): JsonObject | null => {
    if (!this.#checked || !this.picksMoment) return this.#checked;
    const { time, frameRate } = this.preview;
    const moment = Number((Math.round(time * frameRate) / frameRate).toFixed(6));
    const asked = requestBody(this.#subject, this.#plain(), moment);
    return asked.ok ? asked.body : null;
  });
  /** What the server refuses, by field. */
  readonly problems = $derived.by((): readonly FieldProblem[] => {
    if (this.problem !== '') return [fieldProblem(this.problem)];
    return (this.check?.errors ?? []).map(fieldProblem);
  });
  /** Names of elements whose files are missing, each once: they would be left out, or make the render fail. */
  readonly missing = $derived.by((): readonly string[] => {
    const lost = this.preview.warnings.filter(({ code }) => code.startsWith('media_'));
    const empty = this.#named.filter(
      (field) => field.kind === 'source' && (this.valueOf(field).value ?? '') === '',
    );
    const names = [...lost.map(({ element }) => element), ...empty.map(({ label }) => label)];
    return names.filter((name, index) => names.indexOf(name) === index);
  });
  /** The file has sound, as far as its elements tell. */
  readonly hasSound = $derived.by(() => this.#sounds && hasSound(this.format));
  /** What presets go by; null before it is known. */
  readonly document = $derived.by((): PresetDocument | null => {
    const { facts } = this.preview;
    if (!facts) return null;
    const { documentWidth: width, documentHeight: height } = facts;
    return { source: this.#subject.source, width, height };
  });
  /** The preset whose file is chosen; null: none. */
  readonly preset = $derived(
    this.document && chosenPreset(this.options, this.document, this.#preset),
  );
  /** The pixels of the file; null before they are known. */
  readonly size = $derived(this.document && fileSides(this.document, this.options));
  /** So many times as large as designed, with two digits; null: not larger. */
  readonly enlarged = $derived.by((): number | null => {
    const { size, document } = this;
    if (isSound(this.format)) return null;
    const factor = size && document ? Math.round((100 * size.width) / document.width) / 100 : 1;
    return factor > 1 ? factor : null;
  });
  /** The render that was queued last, until something changes; otherwise null. */
  readonly made = $derived(
    this.#queued && this.#queued.body === this.body ? this.#queued.id : null,
  );
  readonly canAdd = $derived(this.body !== null && !this.checking && this.problems.length === 0);
  /** Why it can't be queued; undefined while it can, and while that is being found out. */
  readonly reason = $derived.by((): string | undefined => {
    if (!this.request.ok) return say('editor.dialog.other.wrongCheck');
    if (this.checking) return undefined;
    return this.problems[0]?.sentence;
  });
  /** From earlier measurements; null where nothing like it was rendered yet. */
  readonly estimate = $derived.by((): Estimate | null => {
    const { size } = this;
    const { facts } = this.preview;
    if (!facts || !size || !this.canAdd) return null;
    return estimateOf(this.#app.renders.ordered, {
      template: this.#subject.id,
      format: this.format,
      duration: this.picksMoment ? 0 : facts.duration,
      frameRate: this.frameRate,
      quality: this.options.quality,
      codec: this.options.codec,
      sounds: this.#sounds,
      ...size,
    });
  });
  /** What a GIF that is too large for pages and messengers can be instead; null: it is not. */
  readonly lighter = $derived.by((): LighterGif | null => {
    const { size, estimate, frameRate } = this;
    const isGif = formats[this.format].quality?.property === 'gif_quality';
    if (!isGif || !size || !estimate) return null;
    return lighterGif({ ...size, frameRate, bytes: estimate.bytes }, largeGif);
  });

  constructor(subject: RenderSubject, app: AppState) {
    this.#subject = subject;
    this.#app = app;
    const { source, time, request, elements } = subject;
    const outline = outlineOf(source, elements ?? []);
    this.#sounds = outline.some(({ type }) => type === 'audio' || type === 'video');
    const { list } = fieldsOf(source, outline);
    this.#named = list.filter(({ key }) => key !== null);
    this.fields = elements ? [] : this.#named;
    this.presets = presetsFor(source);
    const keys = this.fields.flatMap(({ key }) => key ?? []);
    const begun = request
      ? optionsOf(request, keys)
      : rememberedOptions(app.preferences.object(remembered), subject);
    this.options = { ...this.#usual(), ...begun };
    if (elements) this.options.modifications = {};
    this.remembers = request === undefined && isChosen(this.options, this.#usual());
    const asked = request ? momentIn(request) : null;
    this.preview.time = asked ?? time;
    this.#isMomentKnown = asked !== null || time > 0 || elements !== undefined;
  }

  get format(): OutputFormat {
    return chosenFormat(this.#subject.source, this.options);
  }

  /** How the file is coded; null: that is not to be chosen. */
  get codec(): VideoCodec | null {
    const { source } = this.#subject;
    return hasCodecs(this.format) ? chosenCodec(source, this.options) : null;
  }

  set codec(codec: VideoCodec | null) {
    const own = chosenCodec(this.#subject.source, noOptions);
    this.options.codec = codec === null || codec === own ? '' : codec;
  }

  /** Frames per second of the file, as far as they are known. */
  get frameRate(): number {
    const given = Number(this.options.frameRate.trim().replace(',', '.'));
    return given > 0 ? given : (this.usualFrameRate ?? this.preview.frameRate);
  }

  /** Chooses the file of a preset. */
  choosePreset(preset: Preset): void {
    if (!this.document) return;
    this.#preset = preset.id;
    Object.assign(this.options, choiceOf(preset, this.document));
  }

  /** Makes a large GIF the smaller one that is offered. */
  lighten({ choice }: LighterGif): void {
    Object.assign(this.options, choice);
  }

  /** Chooses a format, with its usual quality: qualities belong to one format. */
  choose(format: OutputFormat): void {
    this.options.format = format;
    this.options.quality = usualQuality(this.#subject.source, format);
  }

  /** The frame rate when none is chosen; null where the media decide. */
  get usualFrameRate(): number | null {
    const { source } = this.#subject;
    return neededFrameRate(source, this.options) ?? ownFrameRate(source);
  }

  /** Goes back to the template's own values and the usual file. */
  startAfresh(): void {
    this.options = this.#usual();
    this.remembers = false;
  }

  #usual(): RenderOptions {
    const { source } = this.#subject;
    return { ...noOptions, quality: usualQuality(source, formatOf(source)) };
  }

  /** Goes to a moment that shows most of the film, once its clock is known. An effect. */
  place(): void {
    const { facts, phase } = this.preview;
    if (this.isPlaced) return;
    if (!facts) {
      this.isPlaced = phase === 'failed' || phase === 'off';
      return;
    }
    if (this.#isMomentKnown) {
      this.isPlaced = true;
      return;
    }
    this.#isMomentKnown = true;
    const moment = goodMoment(facts);
    if (moment === 0) this.isPlaced = true;
    else untrack(() => this.preview.seek(moment));
  }

  /** Asks the server and draws after every change. @returns what ends it */
  follow(): () => void {
    const body = this.#checked;
    this.checking = true;
    // Made by requestBody from an object.
    const modifications = $state.snapshot<unknown>(body?.modifications ?? {}) as JsonObject;
    // As in the file: a GIF has other frames. A picture shows what the film shows then.
    const { source } = this.#subject;
    const { output_format: format = source.output_format, frame_rate: rate = source.frame_rate } =
      body ?? {};
    const drawn = this.picksMoment
      ? source
      : { ...source, output_format: format, frame_rate: rate };
    if (body) untrack(() => this.preview.show(drawn, { modifications }));
    const timer = setTimeout(() => void this.#look(body), quiet);
    return () => clearTimeout(timer);
  }

  /** The value of a field, and whether it is the dialog's own. */
  valueOf({ key, value }: Field): { readonly value: Json | undefined; readonly isSet: boolean } {
    const isSet = key !== null && Object.hasOwn(this.options.modifications, key);
    return { value: isSet ? this.options.modifications[key] : value, isSet };
  }

  set({ key, value: initial }: Field, value: Json): void {
    if (key === null) return;
    // The template's own value needs no modification.
    if (value === initial) this.#without(key);
    else this.options.modifications[key] = value;
  }

  /** Resets a field to the template's value. */
  unset({ key }: Field): void {
    if (key !== null) this.#without(key);
  }

  /** The problem of one of the template's fields. */
  errorOf({ key, path }: Field): string | undefined {
    const property = path.slice(path.lastIndexOf('.') + 1);
    const element = key?.replace(new RegExp(`\\.${property}$`), '') ?? '';
    return this.problems.find(({ place }) => place === `${element}.${property}`)?.what;
  }

  /** The problem of one of the output's fields. */
  problemOf(field: OutputField): string | undefined {
    return this.problems.find((problem) => problem.field === field)?.what;
  }

  /** Queues it once it is checked; shows errors. @returns whether it was queued */
  async add(): Promise<boolean> {
    if (this.checking) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const { body } = this;
    if (!body || !this.canAdd || this.sending) return false;
    this.sending = true;
    const added = await this.#app.attempt(async () => {
      const { id, name, isDraft } = this.#subject;
      const query = isDraft && name !== '' ? { name } : {};
      const render = await call(editorRows.render, { params: { id }, query, body });
      if (!('id' in render)) throw new RequestProblem(say('problem.answer'));
      this.added += 1;
      this.#queued = { id: render.id, body };
      const { preferences } = this.#app;
      const kept = preferences.object(remembered);
      preferences.set(remembered, withOptions(kept, this.#subject.id, this.#plain()));
      this.#app.tellQueued(say('editor.dialog.added'), render, say('editor.dialog.show'));
    });
    this.sending = false;
    return added;
  }

  close(): void {
    this.preview.close();
  }

  /** Without the proxies of the state; written out because the type of JSON goes deeper than the compiler follows. */
  #plain(): RenderOptions {
    return { ...this.options, modifications: { ...this.options.modifications } };
  }

  #without(key: string): void {
    const kept = Object.entries(this.options.modifications).filter(([name]) => name !== key);
    this.options.modifications = Object.fromEntries(kept);
  }

  async #look(asked: JsonObject | null): Promise<void> {
    if (!asked) {
      this.#settle();
      return;
    }
    try {
      const answer = await call(editorRows.render, {
        params: { id: this.#subject.id },
        query: {},
        body: { ...asked, dry_run: true },
      });
      if (asked !== this.#checked) return;
      if (!('valid' in answer)) throw new RequestProblem(say('problem.answer'));
      this.check = answer;
      this.problem = '';
    } catch (reason) {
      if (asked !== this.#checked) return;
      this.check = null;
      this.problem = reason instanceof Error ? reason.message : String(reason);
    }
    this.#settle();
  }

  #settle(): void {
    this.checking = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
