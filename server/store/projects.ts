/**
 * Projects: a key opens one, and every template, render and feed belongs to one. The first exists from the start and
 * has a fixed ID, so that data older than projects have one too.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Brand } from '../../shared/api.ts';
import type { Clock } from '../system/clock.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

/** The ID of the project that every data folder has. */
export const firstProject = 'default';

/** Milliseconds for which a replaced webhook secret keeps signing. */
const secretOverlap = 24 * 60 * 60_000;

const projectDoc = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: z.number(),
  /** Called when a render of the project ends that has no webhook address of its own. */
  webhookUrl: z.string().optional(),
  brand: z
    .object({
      colors: z.array(z.string()),
      titleFont: z.string(),
      textFont: z.string(),
      logo: z.string(),
    })
    .optional(),
  /** `whsec_` and base64. */
  secret: z.string(),
  previousSecret: z.object({ secret: z.string(), until: z.number() }).optional(),
});

type ProjectDoc = z.infer<typeof projectDoc>;

/** A stored project, without its secrets. */
export interface Project {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly webhookUrl?: string;
  readonly brand?: Brand;
}

/** What can be changed in a project; null removes the address. */
export interface ProjectChange {
  readonly name?: string;
  readonly webhookUrl?: string | null;
  readonly brand?: Brand;
}

/** The secret of one project's webhooks. */
export interface ProjectSecret {
  /** The present one, and until when the one before signs, too, in ms since 1970; null: it does not. */
  find(): { readonly secret: string; readonly previousUntil: number | null };
  /** See ProjectStore.replaceSecret and revokePrevious. */
  replace(): Promise<string | null>;
  revokePrevious(): Promise<void>;
}

/** The projects of the data folder. */
export class ProjectStore {
  readonly #collection: Records<ProjectDoc>;
  readonly #clock: Clock;
  /** True if this opening made the first project: nothing was signed with its secret yet. */
  #isFresh = false;

  private constructor(collection: Records<ProjectDoc>, clock: Clock) {
    this.#collection = collection;
    this.#clock = clock;
  }

  /** Opens the collection `projects`, and makes the first project if there is none. */
  static async open(keeper: RecordKeeper, clock: Clock): Promise<ProjectStore> {
    const collection = await keeper.open('projects', projectDoc);
    const projects = new ProjectStore(collection, clock);
    if (!collection.find(firstProject)) {
      // A full disk must not prevent the opening: the next start then makes the secret.
      await projects.#insert(firstProject, 'My project').catch(() => undefined);
      projects.#isFresh = true;
    }
    return projects;
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** The project, or null. */
  find(id: string): Project | null {
    const doc = this.#collection.find(id);
    return doc && fromDoc(doc);
  }

  /** All projects, oldest first. */
  list(): Project[] {
    const docs = this.#collection.all().sort((a, b) => a.createdAt - b.createdAt);
    return docs.map(fromDoc);
  }

  /** Makes a project. It has no key yet (see KeyStore.add). @throws ApiError `cannot_save`. */
  insert(name: string): Promise<Project> {
    return this.#insert(randomUUID(), name);
  }

  /** @returns null when there is no such project. @throws ApiError `cannot_save`. */
  async change(id: string, { name, webhookUrl, brand }: ProjectChange): Promise<Project | null> {
    const changed = await this.#collection.change(id, ({ webhookUrl: before, ...doc }) => {
      const address = webhookUrl === undefined ? before : webhookUrl;
      return {
        ...doc,
        ...(name !== undefined && { name }),
        ...(brand && { brand: { ...brand, colors: [...brand.colors] } }),
        ...(address !== null && address !== undefined && { webhookUrl: address }),
      };
    });
    return changed && fromDoc(changed);
  }

  /** The secrets that sign now: the project's, and for a day the previous one. Empty for an unknown project. */
  secretsOf(id: string): string[] {
    const doc = this.#collection.find(id);
    if (!doc) return [];
    const { secret, previousSecret: before } = doc;
    return before && before.until > this.#clock.now() ? [secret, before.secret] : [secret];
  }

  /** The secret as requests of one project may read and change it. */
  secretInProject(id: string): ProjectSecret {
    return {
      find: () => {
        const doc = this.#collection.find(id);
        if (!doc) throw new Error(`there is no project ${id}`);
        const { until = 0 } = doc.previousSecret ?? {};
        return { secret: doc.secret, previousUntil: until > this.#clock.now() ? until : null };
      },
      replace: () => this.replaceSecret(id),
      revokePrevious: () => this.#revokePrevious(id),
    };
  }

  /**
   * Replaces the webhook secret; the one before goes on signing for a day.
   *
   * @param secret Default: a new one. @returns the secret, or null if there is no such project. @throws ApiError
   * `cannot_save`.
   */
  async replaceSecret(id: string, secret = newSecret()): Promise<string | null> {
    const until = this.#clock.now() + secretOverlap;
    const changed = await this.#collection.change(id, (doc) => ({
      ...doc,
      secret,
      previousSecret: { secret: doc.secret, until },
    }));
    return changed?.secret ?? null;
  }

  /**
   * Sets the first project's secret to the one that the start names, unless it is that one.
   * @throws ApiError `cannot_save`.
   */
  async ensureSecret(wanted: string): Promise<void> {
    if (this.#collection.find(firstProject)?.secret === wanted) return;
    await this.replaceSecret(firstProject, wanted);
    if (this.#isFresh) await this.#revokePrevious(firstProject);
  }

  async #revokePrevious(id: string): Promise<void> {
    await this.#collection.change(id, ({ previousSecret, ...doc }) =>
      previousSecret ? doc : null,
    );
  }

  /**
   * Removes a project; the caller removes what belongs to it. @returns false if there is none. @throws ApiError
   * `cannot_save`.
   */
  remove(id: string): Promise<boolean> {
    return this.#collection.remove(id);
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  async #insert(id: string, name: string): Promise<Project> {
    const doc = { _id: id, name, createdAt: this.#clock.now(), secret: newSecret() };
    return fromDoc(await this.#collection.write(doc));
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

function fromDoc({ _id, name, createdAt, webhookUrl, brand }: ProjectDoc): Project {
  return {
    id: _id,
    name,
    createdAt,
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(brand && { brand }),
  };
}

/* API keys, each of one project. The file is readable for this user only. */

const keyDoc = z.object({
  _id: z.string(),
  project: z.string(),
  name: z.string(),
  key: z.string(),
  createdAt: z.number(),
});

type KeyDoc = z.infer<typeof keyDoc>;

/** A stored key. */
export interface StoredKey {
  readonly id: string;
  /** The ID of the project that it opens. */
  readonly project: string;
  readonly name: string;
  /** Sent as `Authorization: Bearer …`. */
  readonly key: string;
}

/** The keys of the data folder. */
export class KeyStore {
  readonly #collection: Records<KeyDoc>;
  readonly #clock: Clock;

  private constructor(collection: Records<KeyDoc>, clock: Clock) {
    this.#collection = collection;
    this.#clock = clock;
  }

  /** Opens the collection `keys`. */
  static async open(keeper: RecordKeeper, clock: Clock): Promise<KeyStore> {
    return new KeyStore(await keeper.open('keys', keyDoc), clock);
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** All keys, oldest first; of one project if named. */
  list(project?: string): StoredKey[] {
    const docs = this.#collection.all().sort((a, b) => a.createdAt - b.createdAt);
    return docs.filter((doc) => project === undefined || doc.project === project).map(keyFromDoc);
  }

  /** The first project's first key: made if there is none, replaced if another one is wanted. */
  async ensure(wanted?: string): Promise<StoredKey> {
    const [found] = this.list(firstProject);
    if (found && (wanted === undefined || wanted === found.key)) return found;
    const key = wanted ?? newKey();
    if (!found) return this.#insert(firstProject, 'Default', key);
    await this.#collection.change(found.id, (doc) => ({ ...doc, key }));
    return { ...found, key };
  }

  /** Makes a key for a project. @throws ApiError `cannot_save`. */
  add(project: string, name: string): Promise<StoredKey> {
    return this.#insert(project, name, newKey());
  }

  /** @returns false when there is no such key. @throws ApiError `cannot_save`. */
  remove(id: string): Promise<boolean> {
    return this.#collection.remove(id);
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  async #insert(project: string, name: string, key: string): Promise<StoredKey> {
    const doc = { _id: randomUUID(), project, name, key, createdAt: this.#clock.now() };
    return keyFromDoc(await this.#collection.write(doc));
  }
}

function newKey(): string {
  return `fw_${randomBytes(24).toString('base64url')}`;
}

function keyFromDoc({ _id, project, name, key }: KeyDoc): StoredKey {
  return { id: _id, project, name, key };
}
