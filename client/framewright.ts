/** The client: renders, previews, templates, feeds and the rest of a Framewright server, with `fetch` alone. */
import type {
  ChangeTemplate,
  CreatedRender,
  CreatePreview,
  CreateTemplate,
  DeletedTemplate,
  DryRun,
  FontFamily,
  ImportedTemplate,
  Render,
  RenderEvent,
  ListedRender,
  Media,
  MediaPage,
  RenderBatch,
  RenderPage,
  RenderProgress,
  RenderSource,
  RenderTemplate,
  Template,
  TemplateFacts,
  TemplateFields,
  WebhookDelivery,
  WebhookSecret,
} from './generated/api-types.ts';
import { FramewrightError, refusedError, RefusedError, RenderFailedError } from './errors.ts';
import { Feeds } from './feeds.ts';
import {
  Connection,
  fileAsk,
  pause,
  type ConnectionOptions,
  type FileContent,
  eventsOf,
} from './http.ts';
import { Transcripts } from './transcripts.ts';
import { Backups, Projects, ServerSettings } from './whole-server.ts';

/** What to render: a stored template with modifications, or a document. */
export type RenderOrder = Omit<RenderTemplate, 'dry_run'> | Omit<RenderSource, 'dry_run'>;

/** Options of requests that create something. */
export interface CreateOptions {
  /** A repeated request with the same key creates nothing new. Default: a new key. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `render`. */
export interface RenderOptions extends CreateOptions {
  /** Called with each progress report of the server: a few times a second while it draws frames. */
  readonly onProgress?: ((progress: RenderProgress) => void) | undefined;
}

/** Filters of a list of renders. */
export interface ListOptions {
  readonly status?: Render['status'] | readonly Render['status'][] | undefined;
  readonly template_id?: string | undefined;
  readonly tag?: string | undefined;
  readonly metadata?: string | undefined;
  /** Of a feed: the ID that `feeds.render` answers. */
  readonly batch_id?: string | undefined;
  readonly created_after?: Date | undefined;
  readonly created_before?: Date | undefined;
  /** Renders per page, 1 to 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What came of one order of a batch. */
export type CreateResult =
  | { readonly render: CreatedRender; readonly error?: undefined }
  | { readonly error: RefusedError; readonly render?: undefined };

/** Filters of a list of media files. */
export interface MediaListOptions {
  readonly kind?: Media['kind'] | undefined;
  /** Part of their name. */
  readonly name?: string | undefined;
  /** Files per page, 1 to 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A picture of one moment. */
export interface Preview {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: 'image/jpeg' | 'image/png';
  /** Warnings from drawing, e.g. about missing files. */
  readonly warnings: readonly string[];
}

/** A template as one file, with its media and fonts. */
export interface SharedTemplate {
  /** The file: a `.framewright` archive. Read it to its end, or cancel it. */
  readonly content: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Files that are not in it, each with the reason. */
  readonly missing: readonly string[];
}

/** Seconds that one request waits for the end of a render, if there is no stream. */
const longPoll = 20;
/** Milliseconds between two requests if the server does not wait. */
const pollPause = 1_000;

/** A client of one server, with the API key of a project. */
export class Framewright {
  readonly renders: Renders;
  readonly templates: Templates;
  readonly media: MediaLibrary;
  readonly fonts: Fonts;
  readonly feeds: Feeds;
  readonly transcripts: Transcripts;
  readonly webhooks: Webhooks;
  readonly projects: Projects;
  readonly backups: Backups;
  readonly settings: ServerSettings;
  readonly #connection: Connection;

  constructor(options: ConnectionOptions) {
    this.#connection = new Connection(options);
    this.renders = new Renders(this.#connection);
    this.templates = new Templates(this.#connection);
    this.media = new MediaLibrary(this.#connection);
    this.fonts = new Fonts(this.#connection);
    this.feeds = new Feeds(this.#connection);
    this.transcripts = new Transcripts(this.#connection);
    this.webhooks = new Webhooks(this.#connection);
    this.projects = new Projects(this.#connection);
    this.backups = new Backups(this.#connection);
    this.settings = new ServerSettings(this.#connection);
  }

  /**
   * Creates a render and waits for its file. The signal ends the wait, not the render; use `renders.cancel` for that.
   *
   * @throws RenderFailedError with the reason, RefusedError, ConnectionError.
   */
  async render(order: RenderOrder, options: RenderOptions = {}): Promise<Render> {
    const { id } = await this.renders.create(order, options);
    return this.renders.ended(id, options);
  }

  /** Checks a document as creating a render would, without creating one. */
  validate(order: RenderOrder, signal?: AbortSignal): Promise<DryRun> {
    const body = { ...order, dry_run: true };
    return this.#connection.json('/v2/renders', { method: 'POST', body, signal });
  }

  /** A picture of one moment. */
  async preview(order: CreatePreview, signal?: AbortSignal): Promise<Preview> {
    const ask = { method: 'POST', body: order, signal } as const;
    const response = await this.#connection.send('/v2/previews', ask);
    const told = response.headers.get('Preview-Warnings');
    const isPng = response.headers.get('Content-Type')?.startsWith('image/png') === true;
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      type: isPng ? 'image/png' : 'image/jpeg',
      // The OpenAPI document says that it is a JSON array of texts.
      warnings: told === null ? [] : (JSON.parse(decodeURIComponent(told)) as string[]),
    };
  }
}

/** Requests about renders. */
export class Renders {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Creates a render without waiting for it. Retries lost connections, and still creates nothing twice. */
  create(
    order: RenderOrder,
    { idempotencyKey, signal }: CreateOptions = {},
  ): Promise<CreatedRender> {
    const headers = { 'Idempotency-Key': idempotencyKey ?? newKey() };
    return this.#connection.json('/v2/renders', { method: 'POST', body: order, headers, signal });
  }

  /**
   * Creates many renders in one request, at most 100. A wrong one refuses only itself: each has a result, in the order
   * of `orders`. Retries lost connections as `create` does.
   */
  async createBatch(
    orders: readonly RenderOrder[],
    { idempotencyKey, signal }: CreateOptions = {},
  ): Promise<readonly CreateResult[]> {
    const headers = { 'Idempotency-Key': idempotencyKey ?? newKey() };
    const ask = { method: 'POST', body: { renders: orders }, headers, signal } as const;
    const { results } = await this.#connection.json<RenderBatch>('/v2/renders/batch', ask);
    return results.map((result): CreateResult => {
      if ('render' in result) return { render: result.render };
      if ('error' in result) return { error: refusedError(result.status, result.error) };
      throw new FramewrightError('The server checked an order instead of creating its render');
    });
  }

  get(id: string, signal?: AbortSignal): Promise<Render> {
    return this.#connection.json(pathOf(id), { signal });
  }

  /** A page of the list, newest first. */
  list(options: ListOptions = {}, signal?: AbortSignal): Promise<RenderPage> {
    const { status, created_after: after, created_before: before, ...rest } = options;
    const query = {
      ...rest,
      status: typeof status === 'object' ? status.join(',') : status,
      created_after: after?.toISOString(),
      created_before: before?.toISOString(),
    };
    return this.#connection.json('/v2/renders', { query, signal });
  }

  /** All renders of the list; loads one page at a time. */
  async *all(options: ListOptions = {}): AsyncGenerator<ListedRender, void, undefined> {
    let cursor = options.cursor;
    do {
      const page: RenderPage = await this.list({ ...options, cursor });
      yield* page.renders;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  }

  /** Cancels a render. @returns the render afterwards; one that has ended stays as it is */
  cancel(id: string): Promise<Render> {
    return this.#connection.json(`${pathOf(id)}/cancel`, { method: 'POST' });
  }

  /** The events of a render until it ends; without an ID, the events of all renders in the project. */
  async *follow(id?: string, signal?: AbortSignal): AsyncGenerator<RenderEvent, void, undefined> {
    const path = id === undefined ? '/v2/renders/events' : `${pathOf(id)}/events`;
    yield* eventsOf(await this.#connection.send(path, { signal }));
  }

  /** Waits for the end of a render. @throws RenderFailedError, RefusedError, ConnectionError. */
  async ended(id: string, options: Omit<RenderOptions, 'idempotencyKey'> = {}): Promise<Render> {
    await this.#follow(id, options);
    for (;;) {
      const headers = { Prefer: `wait=${longPoll}` };
      const { signal } = options;
      const response = await this.#connection.send(pathOf(id), { headers, signal });
      const render = (await response.json()) as Render; // as the OpenAPI document says
      if (render.status === 'failed') throw new RenderFailedError(render);
      if (render.status === 'succeeded') return render;
      if (!response.headers.has('Preference-Applied')) await pause(pollPause, signal);
    }
  }

  /** The bytes of a finished file. */
  async download(
    { url }: Pick<Render, 'url'>,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#connection.fetch(url, signal ? { signal } : {});
    if (!response.ok) throw new FramewrightError(`${url} answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Reports progress from the stream. Without one, or when it breaks, the caller polls. */
  async #follow(id: string, { onProgress, signal }: RenderOptions): Promise<void> {
    try {
      for await (const { event, data } of this.follow(id, signal)) {
        if (event === 'progress') onProgress?.(data);
      }
    } catch (error) {
      signal?.throwIfAborted();
      // A wrong key fails every request; a missing stream is no error.
      if (error instanceof RefusedError && error.status === 401) throw error;
    }
  }
}

/** Requests about stored templates. */
export class Templates {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Templates without their documents, last changed first. @param tags only templates with one of these tags */
  list(tags: readonly string[] = []): Promise<TemplateFacts[]> {
    const query = { tags: tags.length === 0 ? undefined : tags.join(',') };
    return this.#connection.json('/v2/templates', { query });
  }

  get(id: string): Promise<Template> {
    return this.#connection.json(templatePath(id));
  }

  create(template: CreateTemplate): Promise<Template> {
    return this.#connection.json('/v2/templates', { method: 'POST', body: template });
  }

  /** Changes a template; omitted fields keep their values. */
  change(id: string, change: ChangeTemplate): Promise<Template> {
    return this.#connection.json(templatePath(id), { method: 'PATCH', body: change });
  }

  /** Deletes a template; for 30 days it can be restored. */
  async delete(id: string): Promise<void> {
    await this.#connection.send(templatePath(id), { method: 'DELETE' });
  }

  /** Deleted templates that can be restored, the last deleted first. */
  deleted(): Promise<DeletedTemplate[]> {
    return this.#connection.json('/v2/templates/deleted');
  }

  /** Restores a deleted template as it was; one that is not deleted stays as it is. */
  restore(id: string): Promise<Template> {
    const ask = { method: 'POST', isRepeatable: true } as const;
    return this.#connection.json(`${templatePath(id)}/restore`, ask);
  }

  /** Deletes a deleted template for good. */
  async purge(id: string): Promise<void> {
    await this.#connection.send(`/v2/templates/deleted/${encodeURIComponent(id)}`, {
      method: 'DELETE',
    });
  }

  /**
   * The template as one file, with those of its media and fonts that are files of the server's computer; of several IDs
   * a kit, with the brand of their project.
   */
  async share(id: string | readonly string[], signal?: AbortSignal): Promise<SharedTemplate> {
    const [first = '', ...others] = typeof id === 'string' ? [id] : id;
    const query = { also: others.length > 0 ? others.join(',') : undefined };
    const response = await this.#connection.send(`${templatePath(first)}/share`, { query, signal });
    const told = response.headers.get('Share-Missing');
    if (!response.body) throw new FramewrightError('The answer has no file');
    return {
      content: response.body,
      // As the OpenAPI document says.
      missing: told === null ? [] : (JSON.parse(decodeURIComponent(told)) as string[]),
    };
  }

  /**
   * Creates a template from such a file, and adds its media to the library. Refused as a whole if anything in it is
   * wrong. Of a kit, all templates that can be read: the answer is the first one, with `kit` about all.
   */
  import(content: FileContent, signal?: AbortSignal): Promise<ImportedTemplate> {
    const headers = { 'Content-Type': 'application/zip' };
    const ask = { method: 'POST', content, headers, signal } as const;
    return this.#connection.json('/v2/templates/import', ask);
  }

  /** What can be modified in a template: the keys of `modifications` and their kinds. */
  async fields(id: string): Promise<TemplateFields['fields']> {
    const query = { 'template-id': id };
    const path = '/v1/internal/n8n/fields';
    return (await this.#connection.json<TemplateFields>(path, { query })).fields;
  }
}

/** Requests about media files: sent once, named by their `source` in any document. */
export class MediaLibrary {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Sends a file; the same content twice is the same entry. Browsers stream a `Blob` or `File`, but no
   * `ReadableStream`.
   *
   * @param name Default: that of a `File`.
   * @throws BadRequestError for what renders can't read, RefusedError, ConnectionError.
   */
  upload(
    content: FileContent,
    { name, signal }: { readonly name?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Media> {
    const own = 'name' in content && typeof content.name === 'string' ? content.name : undefined;
    const query = { name: name ?? own };
    const headers = { 'Content-Type': 'application/octet-stream' };
    const ask = { method: 'POST', content, query, headers, signal, isRepeatable: true } as const;
    return this.#connection.json('/v2/media', ask);
  }

  /** A page of the list, newest first. */
  list(options: MediaListOptions = {}, signal?: AbortSignal): Promise<MediaPage> {
    return this.#connection.json('/v2/media', { query: { ...options }, signal });
  }

  /** All files of the list; loads one page at a time. */
  async *all(options: MediaListOptions = {}): AsyncGenerator<Media, void, undefined> {
    let cursor = options.cursor;
    do {
      const page: MediaPage = await this.list({ ...options, cursor });
      yield* page.media;
      cursor = page.next_cursor;
    } while (cursor !== undefined);
  }

  get(id: string): Promise<Media> {
    return this.#connection.json(mediaPath(id));
  }

  /** The bytes of a file. */
  async download(id: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#connection.send(`${mediaPath(id)}/content`, { signal });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** The same as a stream. Read it to its end, or cancel it. */
  async content(
    id: string,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const response = await this.#connection.send(`${mediaPath(id)}/content`, { signal });
    if (!response.body) throw new FramewrightError('The answer has no file');
    return response.body;
  }

  /** Deletes a file for good. */
  async delete(id: string): Promise<void> {
    await this.#connection.send(mediaPath(id), { method: 'DELETE' });
  }
}

/** Requests about fonts; to change some needs a key of the first project. */
export class Fonts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The families that texts can use. @param origin only those from there */
  list(origin?: FontFamily['origin']): Promise<FontFamily[]> {
    return this.#connection.json('/v2/fonts', { query: { origin } });
  }

  /** Adds a font file for all projects. @returns its family */
  upload(content: FileContent, name: string): Promise<FontFamily> {
    const ask = { ...fileAsk(content), query: { name }, isRepeatable: true };
    return this.#connection.json('/v2/fonts', ask);
  }

  /** Removes all added files of a family. */
  async delete(family: string): Promise<void> {
    const path = `/v2/fonts/${encodeURIComponent(family)}`;
    await this.#connection.send(path, { method: 'DELETE' });
  }
}

/** Requests about the project's webhooks: deliveries, and the secret of their signatures, for `verifyWebhook`. */
export class Webhooks {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The last deliveries, the newest first. */
  deliveries(): Promise<WebhookDelivery[]> {
    return this.#connection.json('/v2/webhook-deliveries');
  }

  /** Sends a delivery again, at once. */
  retry(id: string): Promise<WebhookDelivery> {
    const path = `/v2/webhook-deliveries/${encodeURIComponent(id)}/retry`;
    return this.#connection.json(path, { method: 'POST' });
  }

  secret(): Promise<WebhookSecret> {
    return this.#connection.json('/v2/webhook-secret');
  }

  /** Makes a new secret; for a day calls are signed with the one before, too. */
  rotateSecret(): Promise<WebhookSecret> {
    return this.#connection.json('/v2/webhook-secret/rotate', { method: 'POST' });
  }

  /** Has the one before sign no more. */
  async revokePreviousSecret(): Promise<void> {
    const ask = { method: 'DELETE', isRepeatable: true } as const;
    await this.#connection.send('/v2/webhook-secret/previous', ask);
  }
}

/** Random; `randomUUID` is missing in pages without HTTPS. */
function newKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function pathOf(id: string): string {
  return `/v2/renders/${encodeURIComponent(id)}`;
}

function mediaPath(id: string): string {
  return `/v2/media/${encodeURIComponent(id)}`;
}

function templatePath(id: string): string {
  return `/v2/templates/${encodeURIComponent(id)}`;
}
