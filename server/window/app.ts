/**
 * The window's private path as one Express application: its page, its data, its events. It has its own listener and
 * token (address.ts) and does not count against the API's rate limit.
 */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Express, type RequestHandler, Router } from 'express';
import { windowTokenHeader } from '../../shared/api.ts';
import { queueRows, stateRows } from '../../shared/api/state.ts';
import { ApiError } from '../../shared/errors.ts';
import { nonceForm, proofPath, proofText, type ServerProof } from '../../shared/window-proof.ts';
import { sameSecret } from '../api/auth.ts';
import { answerErrors, unknownRoute } from '../api/errors.ts';
import { fileRoutes } from '../api/files.ts';
import { guard } from '../api/guard.ts';
import { knowOthers, plainApp } from '../app.ts';
import { trustConnection } from '../api/listener/connections.ts';
import type { ProxyService } from '../jobs/worker/proxies.ts';
import type { IdleRenders } from '../jobs/worker/idle-renders.ts';
import type { SoundService } from '../jobs/worker/sounds.ts';
import type { SpeechModelService } from '../jobs/speech-models.ts';
import type { SpeakingService } from '../jobs/worker/speaking.ts';
import type { TaskInput } from '../jobs/worker/tasks.ts';
import { speechRoutes } from './speech.ts';
import type { TranscriptionService } from '../jobs/worker/transcriptions.ts';
import type { ServerServices } from '../services.ts';
import { archiveRoutes, templateShareRoutes } from './archive.ts';
import { diagnosticRoutes, requestRoutes } from './diagnostics.ts';
import { backupRoutes, spaceRoutes } from './data-folder.ts';
import { createDraftFiles, editorRoutes } from './drafts.ts';
import { feedWindowRoutes } from './feeds.ts';
import { fontRoutes, mediaRoutes } from './library.ts';
import { pageRoutes } from './page.ts';
import { previewRoutes, soundRoutes } from './preview.ts';
import { projectRoutes, webhookRoutes } from './projects.ts';
import { renderWindowRoutes } from './renders.ts';
import { serveRows } from './rows.ts';
import { apiListenerRoutes, settingRoutes } from './settings.ts';
import { templateWindowRoutes, versionRoutes } from './templates.ts';
import { Thumbnails } from './thumbnails.ts';
import { voiceRoutes } from './voices.ts';
import { serverState, windowRender, windowTemplate } from './view.ts';
import type { ServerEvent, ServerEventBody } from '../../shared/events.ts';
import { type EventReader, EventStreams } from '../api/event-streams.ts';
import type { Happening } from '../jobs/events.ts';
import { describeError } from '../system/log.ts';

/** What the listener of the window needs beyond the services. */
export interface WindowOptions {
  /** The built window; absent or empty: data only. */
  readonly folder?: string | undefined;
  /** Required in a header of every request for data. */
  readonly token: string;
  /** Mixes sound for the editor. */
  readonly sounds: SoundService;
  /** Small copies of videos for it. */
  readonly proxies: ProxyService;
  /** Renders what is open in it while there is time. */
  readonly idleRenders: IdleRenders;
  /** Words of recordings for it. */
  readonly transcriptions: TranscriptionService;
  /** Voices, and what they say, for it. */
  readonly speaking: SpeakingService;
  /** Models that recognise speech, fetched and added for it. */
  readonly speechModels: SpeechModelService;
  /** The recogniser that is chosen now. */
  readonly transcriber: () => Partial<Pick<TaskInput<'transcribe'>, 'transcriber'>>;
  /** Where the editor's unsaved work is kept. */
  readonly draftFolder: string;
  /** Where pictures of templates are kept. */
  readonly thumbnailFolder: string;
  /** The samples that new templates can start from; absent: none. */
  readonly sampleFolder?: string | undefined;
}

/** The application, and what ends its event streams. */
export interface WindowApp {
  readonly app: Express;
  close(): void;
}

/** The window's side of the server. */
export function createWindowApp(services: ServerServices, options: WindowOptions): WindowApp {
  const { folder, token, sounds, speaking, draftFolder, thumbnailFolder, sampleFolder } = options;
  const stream = createEventStream(services);
  const app = plainApp();
  app.use(guard({ ownPage: true }));
  app.use(knowOthers(services.requests));
  app.use(fileRoutes({ renders: services.store.renders, files: services.library.files }));
  const archives = archiveRoutes(services);
  const templateFiles = templateShareRoutes(services);
  const media = mediaRoutes(
    services.store.media,
    services.library.mediaLibrary,
    services.store.templates,
  );
  app.use(archives.fetching, templateFiles.fetching, media.fetching);
  const { desk, store, log } = services;
  const { previews } = services.pending;
  const thumbnails = new Thumbnails({
    previews,
    log,
    folder: thumbnailFolder,
    prepare: async (template) =>
      desk.prepare({
        source: await store.templates.readDocument(template),
        scaling: {},
        hints: false,
      }),
  });
  const drafts = createDraftFiles(draftFolder, services.log);
  // A template's draft goes once the template is gone for good; its picture when it gets another font.
  const unfollow = services.events.subscribe((happening) => {
    if (happening.type === 'fonts.changed') {
      for (const id of happening.templates) void thumbnails.forget(id);
    }
    if (happening.type !== 'template.removed') return;
    const { id } = happening;
    if (!services.store.templates.listDeleted().some((one) => one.id === id))
      void drafts.remove(id);
  });
  app.get(proofPath, proveToken(token));
  app.use(
    '/api',
    requireToken(token),
    previewRoutes(previews, options, services.desk),
    soundRoutes(sounds, services.desk),
    voiceRoutes(speaking),
    speechRoutes({
      settings: store.settings,
      models: options.speechModels,
      transcriber: options.transcriber,
    }),
    archives.asking,
    templateFiles.asking,
    media.asking,
    templateWindowRoutes(services, thumbnails, sampleFolder),
    editorRoutes(services, drafts, options.idleRenders),
    dataRoutes(services, stream.handler),
  );
  if (folder !== undefined) app.use(pageRoutes(folder, () => services.store.settings));
  app.use(unknownRoute());
  app.use(answerErrors(services.address.apiUrl, services.log));
  const close = (): void => {
    unfollow();
    stream.close();
  };
  return { app, close };
}

function requireToken(token: string): RequestHandler {
  return (request, _response, next) => {
    const given = request.get(windowTokenHeader);
    if (given === undefined || !sameSecret(given, token)) throw new ApiError('wrong_window_token');
    trustConnection(request);
    next();
  };
}

/** Proves to a page that this server knows its token, without naming it. A nonce of another form gets 400. */
function proveToken(token: string): RequestHandler {
  return (request, response) => {
    const { nonce } = request.query;
    if (typeof nonce !== 'string' || !nonceForm.test(nonce)) {
      response.status(400).end();
      return;
    }
    const port = request.socket.localPort ?? 0;
    const proof = createHmac('sha256', token).update(proofText(nonce, port)).digest('hex');
    response.json({ port, proof } satisfies ServerProof);
  };
}

function dataRoutes(services: ServerServices, events: RequestHandler): Router {
  const { store, work } = services;
  const { queue } = work;
  return Router({ caseSensitive: true }).use(
    serveRows(stateRows, {
      state: () => serverState(services),
      startRenderer: () => {
        queue.restartWorkers();
        return serverState(services);
      },
      testStore: async () => {
        await store.health.test();
        return serverState(services);
      },
      findEncoder: async () => {
        await queue.lookForEncoder();
        return serverState(services);
      },
      events: ({ request, response, next }) => events(request, response, next),
      setAside: async ({ params: { name }, response, next }) => {
        const file = store.setAsideFile(name);
        const content = file === null ? null : await readFile(file).catch(() => null);
        if (content) response.type('application/x-ndjson').send(content);
        else next();
      },
    }),
    diagnosticRoutes(services),
    renderWindowRoutes(services),
    versionRoutes(services),
    projectRoutes(services),
    queueRoutes(services),
    settingRoutes(services),
    backupRoutes(services),
    spaceRoutes(services),
    apiListenerRoutes(services),
    requestRoutes(services),
    webhookRoutes(services),
    feedWindowRoutes(services),
    fontRoutes(services),
  );
}

/** Routes below `/api`. */
function queueRoutes(services: ServerServices): Router {
  const { store } = services;
  const { queue, credits, output, power } = services.work;
  return serveRows(queueRows, {
    pause: async () => {
      await store.settings.change({ queuePaused: true });
      queue.pause();
      return serverState(services);
    },
    pauseAfter: ({ params: { id } }) => {
      queue.pauseAfter(id);
      return serverState(services);
    },
    resume: async () => {
      await store.settings.change({ queuePaused: false });
      queue.resume();
      return serverState(services);
    },
    checkOutput: async () => {
      await output.check();
      return serverState(services);
    },
    overrulePower: () => {
      power.overrule();
      return serverState(services);
    },
    machines: () => queue.machines ?? [],
    credits: () => credits.state,
  });
}

// The format is server-sent events; the window reads them with fetch, because it must send its token in a header.

/** The handler of `GET /api/events`, and what ends all streams. */
interface EventStream {
  readonly handler: RequestHandler;
  close(): void;
}

/** Turns server events into wire events and sends them in order. */
function createEventStream(services: ServerServices): EventStream {
  const { events, log } = services;
  const streams = new EventStreams();
  const readers = new Set<EventReader>();
  /** Steps wait for each other, because some need a look-up: numbers stay in order. */
  let steps = Promise.resolve();
  /** The number of the newest event sent to every reader. */
  let sent = events.number;
  const step = (work: () => void | Promise<void>): void => {
    steps = steps
      .then(work)
      .catch((error: unknown) => log('error', 'window', describeError(error)));
  };

  const unsubscribe = events.subscribe((happening, number) => {
    step(async () => {
      if (readers.size > 0) send({ ...(await eventOf(happening, services)), number });
      sent = number;
    });
  });

  function send(event: ServerEvent): void {
    for (const reader of readers) reader.send(event);
  }

  return {
    handler: (_request, response) => {
      const reader = streams.open(response, () => readers.delete(reader));
      step(() => {
        if (response.destroyed) return;
        reader.send({ type: 'hello', number: sent } satisfies ServerEvent);
        readers.add(reader);
      });
    },
    close() {
      unsubscribe();
      streams.close();
    },
  };
}

async function eventOf(happening: Happening, services: ServerServices): Promise<ServerEventBody> {
  switch (happening.type) {
    case 'render.created':
    case 'render.updated':
      return { type: happening.type, render: windowRender(happening.render, services) };
    case 'template.created':
    case 'template.updated':
      return { type: happening.type, template: windowTemplate(happening.template) };
    case 'server.state':
      return { type: happening.type, state: await serverState(services) };
    default:
      return happening;
  }
}
