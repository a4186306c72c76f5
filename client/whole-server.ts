/** Requests about the whole server: projects and keys, backups, settings. */
import type {
  ApiKey,
  Backup,
  BackupList,
  ChangeProject,
  ChangeSettings,
  Project,
  RestoreBackup,
  Settings,
  StartedRestore,
  WebhookSecret,
} from './generated/api-types.ts';
import type { Connection } from './http.ts';

/** Requests about all projects and their keys; they need a key of the first. */
export class Projects {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The oldest first. */
  list(): Promise<Project[]> {
    return this.#connection.json('/v2/projects');
  }

  /** Makes a project with one key. */
  create(name: string): Promise<Project> {
    return this.#connection.json('/v2/projects', { method: 'POST', body: { name } });
  }

  change(id: string, change: ChangeProject): Promise<Project> {
    return this.#connection.json(projectPath(id), { method: 'PATCH', body: change });
  }

  /** Deletes an empty project with its keys. */
  async delete(id: string): Promise<void> {
    await this.#connection.send(projectPath(id), { method: 'DELETE' });
  }

  createKey(project: string, name: string): Promise<ApiKey> {
    const ask = { method: 'POST', body: { name } } as const;
    return this.#connection.json(`${projectPath(project)}/keys`, ask);
  }

  /** @param id of the key */
  async deleteKey(id: string): Promise<void> {
    await this.#connection.send(`/v2/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
  }

  /** What its webhooks are signed with. */
  webhookSecret(id: string): Promise<WebhookSecret> {
    return this.#connection.json(`${projectPath(id)}/webhook-secret`);
  }

  /** As `webhooks.rotateSecret`. */
  rotateWebhookSecret(id: string): Promise<WebhookSecret> {
    const path = `${projectPath(id)}/webhook-secret/rotate`;
    return this.#connection.json(path, { method: 'POST' });
  }

  /** As `webhooks.revokePreviousSecret`. */
  async revokePreviousWebhookSecret(id: string): Promise<void> {
    const ask = { method: 'DELETE', isRepeatable: true } as const;
    await this.#connection.send(`${projectPath(id)}/webhook-secret/previous`, ask);
  }
}

/** Requests about backups of the whole server; they need a key of its first project. */
export class Backups {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All backups, the newest first, and what came of the restore that the server began its run with. */
  list(): Promise<BackupList> {
    return this.#connection.json('/v2/backups');
  }

  create(): Promise<Backup> {
    return this.#connection.json('/v2/backups', { method: 'POST' });
  }

  async delete(id: string): Promise<void> {
    await this.#connection.send(backupPath(id), { method: 'DELETE' });
  }

  /**
   * Has a backup put back. The server answers and then starts again: `list` says what came of it once it answers.
   *
   * @param what `work`: templates and feeds; `all`: renders, keys and settings as well.
   */
  restore(id: string, what: RestoreBackup['what']): Promise<StartedRestore> {
    const ask = { method: 'POST', body: { what } } as const;
    return this.#connection.json(`${backupPath(id)}/restore`, ask);
  }
}

/** Requests about the settings of the whole server; they need a key of its first project. */
export class ServerSettings {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All settings, as they are in force. */
  get(): Promise<Settings> {
    return this.#connection.json('/v2/settings');
  }

  /** Changes all of the given settings, or none. @returns all settings @throws BadRequestError for a wrong value */
  change(change: ChangeSettings): Promise<Settings> {
    const ask = { method: 'PATCH', body: change, isRepeatable: true } as const;
    return this.#connection.json('/v2/settings', ask);
  }
}

function projectPath(id: string): string {
  return `/v2/projects/${encodeURIComponent(id)}`;
}

function backupPath(id: string): string {
  return `/v2/backups/${encodeURIComponent(id)}`;
}
