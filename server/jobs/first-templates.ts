/**
 * The sample templates, one folder each with `source.json` and `about.json`: those that a new data folder starts with,
 * and the shelf of all that a new template can start from.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { sampleFamilies } from '../../shared/samples.ts';
import { isJsonObject, type Source } from '../../shared/renderscript/source.ts';
import { describeError, type Log } from '../system/log.ts';
import { firstProject } from '../store/projects.ts';
import type { Store } from '../store/store.ts';

const about = z.object({
  name: z.string().min(1),
  family: z.enum(sampleFamilies),
  /** A sentence on what it shows. */
  about: z.string(),
  tags: z.array(z.string()).default([]),
  /** Whether a new data folder gets it as a template; the others would bury a person's own. */
  isFirst: z.boolean().default(false),
});

/** A sample as a template. */
export interface Sample extends Readonly<z.infer<typeof about>> {
  /** Its folder's name. */
  readonly id: string;
  readonly source: Source;
}

/** Folders beside the samples that are none: their media, and the documents of the animation pictures. */
const noSamples: ReadonlySet<string> = new Set(['media', 'gallery', 'recipes']);

/** Adds them once; deleted samples stay deleted. A sample that can't be read is left out, and logged. */
export async function bringFirstTemplates(store: Store, folder: string, log: Log): Promise<void> {
  if (store.settings.samplesLoaded) return;
  // The list shows the newest first, so add the first of the alphabet last.
  const first = readSamples(folder, log).filter(({ isFirst }) => isFirst);
  for (const { name, tags, source } of first.reverse()) {
    await store.templates
      .insert(firstProject, randomUUID(), { name, tags, source })
      .catch((error: unknown) => {
        log('error', 'samples', `${name}: ${describeError(error)}`);
      });
  }
  await store.settings.markSamplesLoaded();
}

/** All samples, sorted by folder; one that can't be read is left out and logged. */
export function readSamples(folder: string, log: Log): Sample[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && !noSamples.has(entry.name));
  const samples: Sample[] = [];
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    try {
      samples.push(readSample(path.join(folder, name)));
    } catch (error) {
      log('error', 'samples', `${name}: ${describeError(error)}`);
    }
  }
  return samples;
}

function readSample(folder: string): Sample {
  const source: unknown = JSON.parse(readFileSync(path.join(folder, 'source.json'), 'utf8'));
  if (!isJsonObject(source)) throw new Error(`${folder}/source.json: Expected an object`);
  const text = readFileSync(path.join(folder, 'about.json'), 'utf8');
  return { id: path.basename(folder), ...about.parse(JSON.parse(text)), source };
}
