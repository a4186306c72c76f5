/** The window's requests about the last requests to the public API. Window only. */
import {
  requestRows,
  type BodyPart,
  type RequestDetails,
  type RequestLimit,
  type RequestList,
} from '../../../shared/api/requests.ts';
import { say } from '../../ui/say.ts';
import { RequestProblem } from './api.ts';
import { ask, call } from './call.ts';

/** The last requests to the public API. */
export const loadRequests = (): Promise<RequestList> => call(requestRows.list);

/** One of them with headers and bodies. */
export const loadRequestDetails = (number: number): Promise<RequestDetails> =>
  call(requestRows.details, { params: { number: String(number) } });

/** The whole of a shortened body. */
export async function loadWholeBody(number: number, which: BodyPart): Promise<string> {
  const params = { number: String(number), part: which };
  const response = await ask(requestRows.wholeBody, { params });
  if (!response.ok) throw new RequestProblem(say('requests.gone'), response.status);
  return response.text();
}

/** What the rate limit lets through now. */
export const loadRequestLimit = (): Promise<RequestLimit> => call(requestRows.limit);

/** Records requests, or stops. */
export const recordRequests = (recording: boolean): Promise<RequestList> =>
  call(requestRows.record, { body: { recording } });

/** Forgets the requests so far. */
export const clearRequests = (): Promise<undefined> => call(requestRows.clear);
