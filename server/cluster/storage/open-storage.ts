/** Opens the storage that `--storage` names. */
import path from 'node:path';
import { StartError } from '../../system/start-error.ts';
import { errorCode } from '../../system/files.ts';
import { readS3Address } from './s3-address.ts';
import type { S3Libraries } from './s3-storage.ts';
import { StorageError, type Storage } from '../../store/storage.ts';

/** How long storage may do nothing before it counts as slow, ms. */
const defaultPatience = 30_000;

/** What `--storage` names, opened as `openStorage` does; null if it names nothing. */
export async function namedStorage(where = ''): Promise<Storage | null> {
  return where === '' ? null : openStorage(where);
}

/**
 * Opens a storage.
 *
 * @param where A folder, or `s3://bucket/folder`: see s3-address.ts.
 * @throws StartError with a sentence: the storage can't be used, or a package is missing.
 */
export async function openStorage(where: string, patience = defaultPatience): Promise<Storage> {
  try {
    if (/^s3:/i.test(where)) {
      const address = readS3Address(where);
      const libraries = await loadS3();
      const { S3Storage } = await import('./s3-storage.ts');
      return await S3Storage.open(address, libraries, patience);
    }
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(where)) {
      throw new StartError(`--storage: Expected a folder or s3://bucket/folder, found '${where}'.`);
    }
    const { FolderStorage } = await import('./folder-storage.ts');
    return await FolderStorage.open(path.resolve(where), patience);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { cause, message } = error;
    const why = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
    throw new StartError(`--storage: T${message.slice(1)}${why}.`, { cause: error });
  }
}

/** Loaded only now: whoever keeps files in folders need not have them. */
async function loadS3(): Promise<S3Libraries> {
  try {
    const [client, upload, presigner] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/lib-storage'),
      import('@aws-sdk/s3-request-presigner'),
    ]);
    return { client, upload, presigner };
  } catch (error) {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartError(
      "--storage s3://… needs packages that are not installed by default. Run 'npm install @aws-sdk/client-s3 @aws-sdk/lib-storage @aws-sdk/s3-request-presigner' in the program's folder.",
    );
  }
}
