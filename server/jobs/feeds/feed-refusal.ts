/** The refusal of an imported table, shared by all its readers. */
import { ApiError } from '../../../shared/errors.ts';

/** @throws ApiError `feed_refused` with the reason, which continues "The table can not be imported: ". */
export function refuseTable(reason: string): never {
  throw new ApiError('feed_refused', { reason });
}
