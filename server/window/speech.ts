/** Models that recognise speech, in the window's settings: to add and to remove. Below `/api`, behind its token. */
import path from 'node:path';
import type { Router } from 'express';
import { speechRows, type SpeechModels } from '../../shared/api/speech.ts';
import { speechModelNamed } from '../../shared/speech-models.ts';
import type { SpeechModelService } from '../jobs/speech-models.ts';
import type { TaskInput } from '../jobs/worker/tasks.ts';
import type { SettingStore } from '../store/settings.ts';
import { nameOfFile } from '../system/speech-folder.ts';
import { serveRows } from './rows.ts';

/** What answers them. */
interface SpeechServices {
  readonly settings: SettingStore;
  readonly models: SpeechModelService;
  /** The recogniser that is chosen now. */
  readonly transcriber: () => Partial<Pick<TaskInput<'transcribe'>, 'transcriber'>>;
}

/** Routes below `/api`. */
export function speechRoutes({ settings, models, transcriber }: SpeechServices): Router {
  return serveRows(speechRows, {
    models: (): SpeechModels => {
      const { transcriber: used } = transcriber();
      const { speechAddress, transcriber: program } = settings.values;
      const isNamed = speechAddress !== null || program !== null;
      const file = used?.kind === 'built-in' ? path.basename(used.model) : null;
      return {
        models: models.list(),
        inUse: file === null ? null : (speechModelNamed(file)?.name ?? nameOfFile(file)),
        named: used && used.kind !== 'built-in' && !isNamed ? used.kind : null,
      };
    },
    add: async ({ query: { name }, request, response }) => {
      const { model, isNew } = await models.add(request, name);
      if (isNew) response.status(201);
      return model;
    },
    remove: async ({ params: { name } }) => {
      models.remove(name);
      // The best one that is left recognises in its place.
      if (settings.values.speechModel === name) await settings.change({ speechModel: null });
    },
  });
}
