/**
 * Storage in S3 or whatever speaks its language (MinIO, Garage, Ceph, R2 …). The libraries are loaded by
 * open-storage.ts, and only when an address beginning with `s3://` was given.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type * as Client from '@aws-sdk/client-s3';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type * as Uploads from '@aws-sdk/lib-storage';
import type * as Presigner from '@aws-sdk/s3-request-presigner';
import { errorCode } from '../../system/files.ts';
import {
  type AddressOptions,
  type ByteRange,
  checkedKey,
  type Content,
  markName,
  type PutOptions,
  type Storage,
  StorageError,
  type StorageFault,
  type StoredFile,
} from '../../store/storage.ts';
import { patiently, SlowError, within } from './patience.ts';
import type { S3Address } from './s3-address.ts';

/** The three libraries, once loaded. */
export interface S3Libraries {
  readonly client: typeof Client;
  readonly upload: typeof Uploads;
  readonly presigner: typeof Presigner;
}

/** Bytes of one part of a large upload: with 10,000 parts at most, a file may have 160 GB. */
const partBytes = 16 * 1024 * 1024;
/** Parts on their way at once: with `partBytes`, what an upload holds in memory. */
const partsAtOnce = 3;

const faultsByName: Partial<Record<string, StorageFault>> = {
  AccessDenied: 'denied',
  AllAccessDisabled: 'denied',
  CredentialsProviderError: 'denied',
  ExpiredToken: 'denied',
  InvalidAccessKeyId: 'denied',
  SignatureDoesNotMatch: 'denied',
  NoSuchBucket: 'away',
  NotFound: 'away',
  QuotaExceeded: 'full',
  QuotaExceededException: 'full',
  XMinioStorageFull: 'full',
  InsufficientStorage: 'full',
  TimeoutError: 'slow',
  RequestTimeout: 'slow',
  SlowDown: 'slow',
  SlowError: 'slow',
  ServiceUnavailable: 'away',
  InternalError: 'away',
};
const faultsByCode: Partial<Record<string, StorageFault>> = {
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  EPIPE: 'away',
  ENOTFOUND: 'away',
  EAI_AGAIN: 'away',
  EHOSTUNREACH: 'away',
  ENETUNREACH: 'away',
  ETIMEDOUT: 'slow',
};
const faultsByStatus: Partial<Record<number, StorageFault>> = {
  401: 'denied',
  403: 'denied',
  500: 'away',
  502: 'away',
  503: 'slow',
  504: 'slow',
  507: 'full',
};

/** See above. */
export class S3Storage implements Storage {
  readonly name: string;
  id = '';
  readonly #address: S3Address;
  readonly #libraries: S3Libraries;
  readonly #client: S3Client;
  /** Signs for the address that readers can reach; null: they can't reach the storage. */
  readonly #signer: S3Client | null;
  readonly #patience: number;

  private constructor(address: S3Address, libraries: S3Libraries, patience: number) {
    this.name = address.name;
    this.#address = address;
    this.#libraries = libraries;
    this.#patience = patience;
    const { client } = libraries;
    const config: S3ClientConfig = {
      region: address.region,
      forcePathStyle: address.isPathStyle,
      // The older form that every server of the language understands; files have checks of their own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 3,
      requestHandler: {
        connectionTimeout: Math.min(5_000, patience),
        socketTimeout: patience,
      },
    };
    this.#client = new client.S3Client({
      ...config,
      ...(address.endpoint !== null && { endpoint: address.endpoint }),
    });
    this.#signer =
      address.publicEndpoint === null
        ? null
        : new client.S3Client({ ...config, endpoint: address.publicEndpoint });
  }

  /**
   * Opens a bucket, which must exist.
   *
   * @param patience How long the storage may do nothing before it counts as slow, ms.
   * @throws StorageError
   */
  static async open(
    address: S3Address,
    libraries: S3Libraries,
    patience: number,
  ): Promise<S3Storage> {
    const storage = new S3Storage(address, libraries, patience);
    try {
      storage.id = await storage.#claim();
      return storage;
    } catch (error) {
      await storage.close();
      throw storage.#fault(error);
    }
  }

  async put(key: string, content: Content, options: PutOptions = {}): Promise<StoredFile> {
    const Key = this.#keyOf(key);
    const { type = 'application/octet-stream', signal } = options;
    const sourceErrors: Error[] = [];
    const hear = (source: Readable): void =>
      void source.once('error', (error) => sourceErrors.push(error));
    if (content instanceof Readable) hear(content);
    // Known before anything is sent: a source that is missing is not the storage's fault.
    const bytes = await bytesOf(content);
    const source = bodyOf(content);
    if (source instanceof Readable && source !== content) hear(source);
    const upload = new this.#libraries.upload.Upload({
      client: this.#client,
      params: { Bucket: this.#address.bucket, Key, Body: source, ContentType: type },
      partSize: partBytes,
      queueSize: partsAtOnce,
      leavePartsOnError: false,
    });
    let sent = 0;
    upload.on('httpUploadProgress', ({ loaded = 0 }) => void (sent = loaded));
    const giveUp = (): void => void upload.abort().catch(() => undefined);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      signal?.throwIfAborted();
      // The library asks twice where an answer was lost; the second time, an upload that is complete exists no more.
      const completed = await upload.done().catch((error: unknown) => {
        if (nameOf(error) !== 'NoSuchUpload' || signal?.aborted) throw error;
        return null;
      });
      const file = await this.head(key);
      const expected = bytes ?? (completed ? file?.bytes : sent);
      if (!file || file.bytes !== expected) {
        throw new Error(`${key} did not arrive whole`);
      }
      return file;
    } catch (error) {
      for (const sourceError of sourceErrors) throw sourceError;
      signal?.throwIfAborted();
      throw this.#fault(error);
    } finally {
      signal?.removeEventListener('abort', giveUp);
      if (source instanceof Readable) source.destroy();
    }
  }

  async head(key: string): Promise<StoredFile | null> {
    const { HeadObjectCommand } = this.#libraries.client;
    const Key = this.#keyOf(key);
    try {
      const facts = await this.#client.send(
        new HeadObjectCommand({ Bucket: this.#address.bucket, Key }),
      );
      return factsOf(key, facts);
    } catch (error) {
      // An answer to HEAD has no body that could say whether it is the bucket that is missing.
      if (statusOf(error) === 404) return null;
      throw this.#fault(error);
    }
  }

  async get(
    key: string,
    { range, signal }: { readonly range?: ByteRange; readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly file: StoredFile; readonly stream: Readable } | null> {
    const { GetObjectCommand } = this.#libraries.client;
    try {
      const answer = await this.#client.send(
        new GetObjectCommand({
          Bucket: this.#address.bucket,
          Key: this.#keyOf(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
        { ...(signal && { abortSignal: signal }) },
      );
      const whole = /\/(\d+)$/.exec(answer.ContentRange ?? '')?.[1];
      const file = factsOf(key, {
        ...answer,
        ContentLength: whole === undefined ? answer.ContentLength : Number(whole),
      });
      // Under Node the body is a stream of Node's.
      const stream = patiently(answer.Body as Readable, this.#patience, (error) =>
        signal?.aborted === true ? (signal.reason as Error) : this.#fault(error),
      );
      return { file, stream };
    } catch (error) {
      if (nameOf(error) === 'NoSuchKey') return null;
      signal?.throwIfAborted();
      throw this.#fault(error);
    }
  }

  async remove(key: string): Promise<void> {
    const { DeleteObjectCommand } = this.#libraries.client;
    await this.#try(() =>
      this.#client.send(
        new DeleteObjectCommand({ Bucket: this.#address.bucket, Key: this.#keyOf(key) }),
      ),
    );
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    const { ListObjectsV2Command } = this.#libraries.client;
    const { bucket: Bucket, prefix: own } = this.#address;
    let token: string | undefined;
    do {
      const page = await this.#try(() =>
        this.#client.send(
          new ListObjectsV2Command({ Bucket, Prefix: own + prefix, ContinuationToken: token }),
        ),
      );
      for (const { Key = '', Size, LastModified, ETag } of page.Contents ?? []) {
        const key = Key.slice(own.length);
        if (key === markName) continue;
        yield factsOf(key, { ContentLength: Size, LastModified, ETag });
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  async signedAddress(
    key: string,
    { seconds, type, disposition }: AddressOptions,
  ): Promise<string | null> {
    const signer = this.#signer;
    if (!signer) return null;
    const { GetObjectCommand } = this.#libraries.client;
    const command = new GetObjectCommand({
      Bucket: this.#address.bucket,
      Key: this.#keyOf(key),
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
    });
    const { getSignedUrl } = this.#libraries.presigner;
    return this.#try(() => getSignedUrl(signer, command, { expiresIn: seconds }));
  }

  async removeUnfinished(before: number): Promise<number> {
    const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = this.#libraries.client;
    const { bucket: Bucket, prefix: Prefix } = this.#address;
    const { Uploads = [] } = await this.#try(() =>
      this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix })),
    );
    let count = 0;
    for (const { Key, UploadId, Initiated } of Uploads) {
      if ((Initiated?.getTime() ?? Infinity) >= before) continue;
      await this.#try(() =>
        this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })),
      );
      count++;
    }
    return count;
  }

  async answers(): Promise<boolean> {
    const mark = this.#readMark().catch(() => null);
    const id = await within(Math.min(this.#patience, 5_000), mark).catch(() => null);
    return id === this.id;
  }

  close(): Promise<void> {
    this.#client.destroy();
    this.#signer?.destroy();
    return Promise.resolve();
  }

  /** Makes a bucket's prefix a storage, unless it is one. @returns its ID. Of several that do it at once, one wins. */
  async #claim(): Promise<string> {
    const known = await this.#readMark();
    if (known !== null) return known;
    const { PutObjectCommand } = this.#libraries.client;
    const mark = {
      Bucket: this.#address.bucket,
      Key: this.#address.prefix + markName,
      Body: `${crypto.randomUUID()}\n`,
    };
    try {
      await this.#client.send(new PutObjectCommand({ ...mark, IfNoneMatch: '*' }));
    } catch (error) {
      // A server without conditions: two that start together for the first time might each have their own.
      if (statusOf(error) === 501) await this.#client.send(new PutObjectCommand(mark));
      else if (statusOf(error) !== 412 && statusOf(error) !== 409) throw error;
    }
    return (await this.#readMark()) ?? '';
  }

  async #readMark(): Promise<string | null> {
    const { GetObjectCommand } = this.#libraries.client;
    const { bucket: Bucket, prefix } = this.#address;
    try {
      const answer = await this.#client.send(
        new GetObjectCommand({ Bucket, Key: prefix + markName }),
      );
      return ((await answer.Body?.transformToString()) ?? '').trim();
    } catch (error) {
      if (nameOf(error) === 'NoSuchKey') return null;
      throw error;
    }
  }

  async #try<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.#fault(error);
    }
  }

  #fault(error: unknown): StorageError {
    if (error instanceof StorageError) return error;
    const known =
      faultsByName[nameOf(error)] ??
      faultsByCode[errorCode(error) ?? ''] ??
      faultsByStatus[statusOf(error) ?? 0] ??
      (error instanceof SlowError ? 'slow' : 'other');
    return new StorageError(this.name, known, error);
  }

  #keyOf(key: string): string {
    return this.#address.prefix + checkedKey(key);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** The HTTP status that an error of the library has; undefined if there was no answer. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const { $metadata: facts } = error as { $metadata: { httpStatusCode?: number } };
  return facts.httpStatusCode;
}

async function bytesOf(content: Content): Promise<number | null> {
  if (content instanceof Readable) return null;
  return content instanceof Uint8Array ? content.length : (await stat(content.file)).size;
}

function bodyOf(content: Content): Uint8Array | Readable {
  if (content instanceof Readable || content instanceof Uint8Array) return content;
  return createReadStream(content.file, { highWaterMark: 1024 * 1024 });
}

function factsOf(
  key: string,
  {
    ContentLength: bytes = 0,
    ETag: mark = '',
    LastModified: changed,
  }: {
    ContentLength?: number | undefined;
    ETag?: string | undefined;
    LastModified?: Date | undefined;
  },
): StoredFile {
  const plain = mark.replace(/^W\/|"/g, '');
  return { key, bytes, mark: plain, changedAt: changed?.getTime() ?? 0 };
}
