/**
 * The desk: works on large requests, so that other clients don't wait. At most two threads, started when first needed
 * and ended after a while without work (not under Electron). Each task has a deadline and each thread a memory limit; a
 * thread that exceeds either is ended and replaced.
 */
import { Worker } from 'node:worker_threads';
import type { TableChoice, TableLook } from '../../../shared/api.ts';
import { ApiError, type ErrorCode } from '../../../shared/errors.ts';
import type { FeedMapping } from '../../../shared/feed-mapping.ts';
import { deskLimits } from '../../../shared/limits.ts';
import { sizeOf, type Bounds } from '../../../shared/renderscript/budget.ts';
import { deskScript } from '../../system/paths.ts';
import { endsIdleThreads } from '../../system/programs.ts';
import { rowList, type FeedColumn, type FeedRow, type RowBytes } from '../../store/feeds.ts';
import {
  doTask,
  wholeBuffers,
  type BodyParts,
  type BodyWish,
  type DeskAnswers,
  type DeskTask,
  type MessageParts,
  type SharedParts,
  type TableBytes,
} from './desk-tasks.ts';
import { contentOf, JsonText, valueOf, type TextContent } from '../../system/json-text.ts';
import { isSpreadsheet } from '../feeds/feed-spreadsheet.ts';
import { checkSize } from '../feeds/feed-table.ts';
import type { SheetReader } from '../feeds/sheet-reader.ts';
import type { CheckedRows, RowCheck } from '../feeds/feed-check.ts';
import type { NamedFile } from '../share/document-files.ts';
import type { BatchWish, FeedTable, KnownTable, NamedInRows } from '../feeds/feed-rows.ts';
import {
  limitElements,
  prepareDocument,
  TooLargeHere,
  type DocumentOrder,
  type PreparedDocument,
} from './prepare-document.ts';
import type { TemplateField } from './template-fields.ts';
import type { JsonObject, Problem } from '../../../shared/renderscript/source.ts';

/** A prepared document, as text that this thread does not parse. */
export type PreparedText = PreparedDocument<JsonText>;

/** What a thread answers. */
export type DeskReply =
  /** It has loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly answer: unknown }
  /** An expected refusal: what an ApiError is made of. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'broken'; readonly error: string };

/** All of it replaces the program's own, for tests; but for the reader of spreadsheets and the check of addresses. */
export interface DeskOptions {
  readonly script?: string;
  /** Milliseconds of computing for one task. */
  readonly deadline?: number;
  /** Megabytes of a thread's JavaScript values. */
  readonly memory?: number;
  /** Reads spreadsheets; without it there are none. */
  readonly sheets?: SheetReader;
  /** Checks addresses of documents by the server's settings; without it none is refused. */
  readonly refused?: (
    local: PreparedText['local'],
    project: string | undefined,
  ) => Promise<readonly Problem[]>;
}

interface Waiting {
  readonly task: DeskTask;
  /** Its turn: when it came, later the longer it is, so that short ones don't wait for many long ones. */
  readonly turn: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  /** It has loaded: what that takes is no part of a task. */
  isReady: boolean;
  current: Waiting | null;
  timer: NodeJS.Timeout | undefined;
}

/** The threads and the tasks that wait for them. */
export class Desk {
  readonly #options: Required<Omit<DeskOptions, 'sheets' | 'refused'>>;
  readonly #sheets: SheetReader | undefined;
  readonly #refused: DeskOptions['refused'];
  readonly #threads = new Set<Thread>();
  readonly #waiting: Waiting[] = [];
  #closed = false;

  constructor({
    script = deskScript(),
    deadline = deskLimits.deadline,
    memory = deskLimits.megabytes,
    sheets,
    refused,
  }: DeskOptions = {}) {
    this.#options = { script, deadline, memory };
    this.#sheets = sheets;
    this.#refused = refused;
  }

  /** The current number of threads. */
  get threads(): number {
    return this.#threads.size;
  }

  /** Takes a large body apart. @throws ApiError as json-body.ts, and `asks_too_much`, `busy`. */
  readBody(bytes: Uint8Array, wish: BodyWish): Promise<BodyParts> {
    return this.#run({ kind: 'body', bytes, wish }, bytes.length);
  }

  /**
   * Takes the items of a large batch apart, by their index.
   * @throws ApiError as `readBody`, and `invalid_parameter`.
   */
  readBatch(bytes: Uint8Array, wish: BodyWish): Promise<Readonly<Record<string, BodyParts>>> {
    return this.#run({ kind: 'renders', bytes, wish }, bytes.length);
  }

  /** Takes a long message for agents apart. @throws ApiError as json-body.ts, and `asks_too_much`, `busy`. */
  readMessage(bytes: Uint8Array): Promise<MessageParts> {
    return this.#run({ kind: 'message', bytes }, bytes.length);
  }

  /** Reads a table; columns and rows that are known keep their IDs. @throws ApiError `feed_refused`, `busy`. */
  async readTable(
    bytes: Uint8Array,
    choice: TableChoice = {},
    known: KnownTable = { columns: [] },
  ): Promise<FeedTable> {
    const table = await this.#tableOf(bytes, choice);
    return this.#run({ kind: 'table', ...table, choice, known }, table.bytes.length);
  }

  /** The beginning of a table, and how it was read. @throws ApiError `feed_refused`, `busy`. */
  async lookAtTable(bytes: Uint8Array, choice: TableChoice): Promise<TableLook> {
    const table = await this.#tableOf(bytes, choice);
    return this.#run({ kind: 'look', ...table, choice }, table.bytes.length);
  }

  /** A file as a thread may read it: no thread opens a spreadsheet, because that can end the whole program. */
  async #tableOf(bytes: Uint8Array, { sheet = 1 }: TableChoice): Promise<TableBytes> {
    if (!isSpreadsheet(bytes)) return { bytes };
    checkSize(bytes);
    if (!this.#sheets) throw new Error('this desk reads no spreadsheets');
    const { rows, ...facts } = await this.#sheets.read(bytes, sheet);
    return { bytes: rows, sheet: facts };
  }

  /** Reads rows that were sent. @param stored those that are there @throws ApiError as feed-rows.ts, and `busy`. */
  readRows(bytes: Uint8Array, stored: Uint8Array): Promise<RowBytes> {
    return this.#do({ kind: 'rows', bytes, stored }, bytes.length + stored.length);
  }

  /**
   * Rows of a stored table as a batch keeps them.
   *
   * @param document of the template; null for rows that only are to be read.
   * @throws ApiError `busy`.
   */
  batchRows(bytes: Uint8Array, wish: BatchWish, document: JsonText | null): Promise<RowBytes> {
    const source = document?.content ?? null;
    return this.#do({ kind: 'batch', bytes, wish, source }, bytes.length + (source?.length ?? 0));
  }

  /** What rows of a stored table write where a template names files. @throws ApiError `busy`. */
  rowFiles(
    bytes: Uint8Array,
    mapping: FeedMapping,
    { content: source }: JsonText,
  ): Promise<NamedInRows> {
    return this.#do({ kind: 'row files', bytes, mapping, source }, bytes.length + source.length);
  }

  /** What is wrong with rows of a batch; always on a thread. @throws ApiError `busy`, `asks_too_much`. */
  checkRows(check: RowCheck): Promise<CheckedRows> {
    return this.#run({ kind: 'check', check }, check.source.length + check.lines.length);
  }

  /** What is kept of a sent draft, as JSON. @throws ApiError as the text of a draft, and `busy`. */
  draftText(bytes: Uint8Array, savedAt: number): Promise<Uint8Array> {
    return this.#do({ kind: 'draft', bytes, savedAt }, bytes.length);
  }

  /** Refuses to keep a document that no render would take. @throws ApiError `too_many_elements`, `busy`. */
  async checkLimits(source: JsonObject | JsonText): Promise<void> {
    if (!(source instanceof JsonText)) {
      limitElements(source);
      return;
    }
    const { content } = source;
    await this.#do({ kind: 'limits', source: content }, content.length);
  }

  /** What can be changed in a template. @throws ApiError `busy`. */
  fieldsOf({ content }: JsonText): Promise<readonly TemplateField[]> {
    return this.#do({ kind: 'fields', source: content }, content.length);
  }

  /** The addresses of a document that may lead to local files. @throws ApiError `busy`. */
  localFiles({ content }: JsonText): Promise<readonly NamedFile[]> {
    return this.#do({ kind: 'files', source: content }, content.length);
  }

  /** The font families that a document names: in lower case → as written. @throws ApiError `busy`. */
  familiesOf({ content }: JsonText): Promise<ReadonlyMap<string, string>> {
    return this.#do({ kind: 'families', source: content }, content.length);
  }

  /** A template as JSON, with other addresses for its files and further fonts. @throws ApiError `busy`. */
  sharedTemplate(
    { content }: JsonText,
    facts: { readonly name: string; readonly tags: readonly string[] },
    parts: SharedParts,
  ): Promise<Uint8Array> {
    return this.#do({ kind: 'share', source: content, facts, parts }, content.length);
  }

  /** Maps the columns of a feed to a template (feed-mapping.ts). @throws ApiError `busy`. */
  mapColumns(
    columns: readonly FeedColumn[],
    { content }: JsonText,
  ): Promise<readonly FeedColumn[]> {
    return this.#do({ kind: 'columns', source: content, columns }, content.length);
  }

  /**
   * Prepares a document: at once when it is small and little work, else on a thread.
   *
   * @param project ID of its project, whose files it may name. Absent: no file is told missing.
   * @throws ApiError as prepare-document.ts, and `busy`.
   */
  async prepare(
    order: DocumentOrder<JsonObject | JsonText>,
    project?: string,
  ): Promise<PreparedText> {
    const prepared = await this.#prepare(order);
    const { local, problems } = prepared;
    if (!this.#refused || local.length === 0) return prepared;
    return { ...prepared, problems: [...problems, ...(await this.#refused(local, project))] };
  }

  async #prepare(order: DocumentOrder<JsonObject | JsonText>): Promise<PreparedText> {
    const { source, modifications, transcripts, ...rest } = order;
    const length = [source, modifications, transcripts].reduce(
      (sum, one) => sum + lengthOf(one),
      0,
    );
    if (length <= deskLimits.inlineDocument) {
      try {
        const given = {
          ...rest,
          source: valueOf(source),
          ...(modifications !== undefined && { modifications: valueOf(modifications) }),
          ...(transcripts !== undefined && { transcripts: valueOf(transcripts) }),
        };
        return asPreparedText(prepareDocument(given, inlineBounds));
      } catch (error) {
        // A small document can ask for much work.
        if (!(error instanceof TooLargeHere)) throw error;
      }
    }
    const texts = {
      ...rest,
      source: contentOf(source),
      ...(modifications !== undefined && { modifications: contentOf(modifications) }),
      ...(transcripts !== undefined && { transcripts: contentOf(transcripts) }),
    };
    return asPreparedText(await this.#run({ kind: 'document', order: texts }, length));
  }

  /** The last rows of a stored table; parsed on this thread only when small. @throws ApiError `busy`. */
  async lastRows(bytes: Uint8Array, count: number): Promise<FeedRow[]> {
    return rowList.parse(await this.#do({ kind: 'last rows', bytes, count }, bytes.length));
  }

  /**
   * The name of the element at a path of a document; undefined if there is none, or if finding it takes too much work.
   */
  async elementName({ content }: JsonText, path: string): Promise<string | undefined> {
    try {
      return await this.#do({ kind: 'element', source: content, path }, content.length);
    } catch {
      // The path alone says enough, even for a document damaged on the disk.
      return undefined;
    }
  }

  /** Ends the threads and refuses what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#sheets?.close();
    for (const { reject } of this.#waiting.splice(0)) reject(new ApiError('busy'));
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, new ApiError('busy'))));
  }

  /** Runs a task: at once when its input is short, else on a thread. */
  #do<Kind extends DeskTask['kind']>(
    task: Extract<DeskTask, { kind: Kind }>,
    length: number,
  ): Promise<DeskAnswers[Kind]> {
    if (length > deskLimits.inlineDocument) return this.#run(task, length);
    // The answer fits the task's kind.
    return doTask(task) as Promise<DeskAnswers[Kind]>;
  }

  #run<Kind extends DeskTask['kind']>(
    task: Extract<DeskTask, { kind: Kind }>,
    length: number,
  ): Promise<DeskAnswers[Kind]> {
    return new Promise((resolve, reject) => {
      const isSmall = length <= deskLimits.inlineCharacters;
      const most = isSmall ? deskLimits.waitingSmall : deskLimits.waiting;
      if (this.#closed || this.#waiting.length >= most) {
        reject(new ApiError('busy'));
        return;
      }
      const { courtesy, mostCourtesy } = deskLimits;
      const turn = performance.now() + Math.min((courtesy * length) / 1_000, mostCourtesy);
      // The thread runs our own code, whose answer fits the task's kind.
      const one = { task, turn, resolve: resolve as (answer: unknown) => void, reject };
      const place = this.#waiting.findIndex((other) => other.turn > turn);
      this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, one);
      this.#next();
    });
  }

  /** Gives waiting tasks to free threads, starting one if needed. */
  #next(): void {
    while (this.#waiting.length > 0) {
      let thread = [...this.#threads].find(({ current }) => current === null);
      if (thread === undefined && this.#threads.size < deskLimits.threads) thread = this.#start();
      if (thread === undefined) return;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      thread.current = next;
      this.#watch(thread, next.task);
      thread.worker.postMessage(next.task, givenAway(next.task));
    }
  }

  /**
   * Ends a thread whose task takes too long: when the whole process has computed for longer than the deadline, since a
   * busy computer is not the request's fault, or when a multiple of it has passed.
   */
  #watch(thread: Thread, task: DeskTask): void {
    clearTimeout(thread.timer);
    const { deadline } = this.#options;
    const allowed = thread.isReady ? deadline : deadline + deskLimits.loading;
    const before = process.cpuUsage();
    const begun = performance.now();
    const look = (): void => {
      const { user, system } = process.cpuUsage(before);
      const passed = performance.now() - begun;
      const computed = Math.min((user + system) / 1_000, passed);
      const left = Math.min(allowed - computed, allowed * deskLimits.patience - passed);
      // Timers can fire a little early.
      if (left > 1) {
        thread.timer = setTimeout(look, left);
        return;
      }
      const reason = `working on it takes longer than ${deadline / 1_000} seconds`;
      void this.#end(thread, refusalOf(task, reason));
    };
    thread.timer = setTimeout(look, allowed);
  }

  #start(): Thread {
    const { script, memory } = this.#options;
    const worker = new Worker(script, {
      // The thread needs neither the environment nor the arguments.
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 64 },
    });
    // This thread must not keep a closed server alive.
    worker.unref();
    const thread: Thread = { worker, isReady: false, current: null, timer: undefined };
    this.#threads.add(thread);
    worker.on('message', (reply: DeskReply) => this.#answered(thread, reply));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const task = thread.current?.task;
      const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY' && task !== undefined;
      const reason = `working on it needs more than ${memory} MB of memory`;
      void this.#end(thread, isFull ? refusalOf(task, reason) : error);
    });
    worker.on('exit', (code) => {
      void this.#end(thread, new Error(`a thread of the desk ended with code ${code}`));
    });
    return thread;
  }

  #answered(thread: Thread, reply: DeskReply): void {
    const { current } = thread;
    if (reply.kind === 'ready') {
      thread.isReady = true;
      if (current) this.#watch(thread, current.task);
      return;
    }
    thread.current = null;
    clearTimeout(thread.timer);
    if (reply.kind === 'done') current?.resolve(reply.answer);
    else if (reply.kind === 'refused') current?.reject(ApiError.of(reply.code, reply.message));
    else current?.reject(new Error(reply.error));
    if (endsIdleThreads()) {
      thread.timer = setTimeout(() => void this.#end(thread, null), deskLimits.idle);
      thread.timer.unref();
    }
    this.#next();
  }

  /** Ends a thread and its task; another takes its place when there is work. */
  async #end(thread: Thread, reason: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    thread.current?.reject(reason);
    thread.current = null;
    if (!this.#closed) this.#next();
    await thread.worker.terminate();
  }
}

/** Bytes that this thread no longer needs are transferred, not copied. Bodies stay: the request log shows them. */
function givenAway(task: DeskTask): ArrayBuffer[] {
  if (!('bytes' in task) || task.kind === 'body' || task.kind === 'message') return [];
  return wholeBuffers(task.bytes);
}

function asPreparedText({ text, ...rest }: PreparedDocument<TextContent>): PreparedText {
  return { ...rest, text: new JsonText(text) };
}

const inlineBounds: Bounds = {
  steps: deskLimits.inlineSteps,
  characters: deskLimits.inlineDocument,
};

/** Its characters as JSON; of a value, counted only until they are more than this thread checks. */
function lengthOf(object: JsonObject | JsonText | undefined): number {
  if (object === undefined) return 0;
  return object instanceof JsonText ? object.length : sizeOf(object, deskLimits.inlineDocument);
}

function refusalOf(task: DeskTask, reason: string): ApiError {
  if (task.kind === 'table' || task.kind === 'look')
    return new ApiError('feed_refused', { reason });
  return new ApiError('asks_too_much', { name: heavyParts[task.kind] ?? 'modifications', reason });
}

/** Which part of a request takes long, if not the modifications. */
const heavyParts: Partial<Record<DeskTask['kind'], string>> = {
  draft: 'text',
  rows: 'rows',
  batch: 'rows',
};
