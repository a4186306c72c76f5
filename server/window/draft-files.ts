/**
 * Drafts: unsaved changes to templates, one file each. Written whole or not at all, so that a crash only loses what
 * came after the last one.
 */
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { draft as draftForm } from '../../shared/api/editor.ts';
import { ApiError } from '../../shared/errors.ts';
import { describeError, type Log } from '../system/log.ts';
import { JsonText } from '../system/json-text.ts';
import { isEnclosed, readWhole, writeWhole } from '../store/files.ts';

/** Drafts by the ID of their template. */
export interface DraftFiles {
  /** A `Draft`; null if there is none or it can't be read (a long one is not parsed to find out). */
  read(id: string): Promise<JsonText | null>;
  /** @param draft JSON of a `Draft`. @throws ApiError `cannot_save`. */
  write(id: string, draft: Uint8Array): Promise<void>;
  /** A draft that can't be removed is logged; it would only be offered once more. */
  remove(id: string): Promise<void>;
}

/** Drafts below a folder, which the first one creates. */
export function createDraftFiles(folder: string, log: Log): DraftFiles {
  // IDs come from requests; a digest of them is always a file name.
  const fileOf = (id: string): string =>
    path.join(folder, `${createHash('sha256').update(id).digest('hex').slice(0, 40)}.json`);
  /** The last write or removal of each, to keep them in order. */
  const last = new Map<string, Promise<void>>();
  const inTurn = (id: string, work: () => Promise<void>): Promise<void> => {
    const turn = (last.get(id) ?? Promise.resolve()).then(work, work);
    last.set(id, turn);
    const forget = (): void => {
      if (last.get(id) === turn) last.delete(id);
    };
    turn.then(forget, forget);
    return turn;
  };
  return {
    async read(id) {
      try {
        const bytes = await readWhole(fileOf(id));
        const draft = new JsonText(bytes);
        if (draft.isShort) z.parse(draftForm, draft.value);
        return isEnclosed(bytes) ? draft : null;
      } catch {
        return null;
      }
    },
    async write(id, draft) {
      try {
        await inTurn(id, async () => {
          await mkdir(folder, { recursive: true });
          await writeWhole(fileOf(id), draft);
        });
      } catch (error) {
        log('error', 'drafts', describeError(error));
        throw new ApiError('cannot_save', { reason: 'the draft could not be written' });
      }
    },
    async remove(id) {
      await inTurn(id, () => rm(fileOf(id), { force: true })).catch((error: unknown) => {
        log('warning', 'drafts', describeError(error));
      });
    },
  };
}
