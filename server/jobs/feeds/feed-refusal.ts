/** The refusal of a table that is brought in, used by all that read one. */
import { ApiError } from '../../../shared/errors.ts';

/** @throws ApiError `feed_refused` with the reason, which goes on after "The table can not be imported: ". */
export function refuseTable(reason: string): never {
  throw new ApiError('feed_refused', { reason });
}
