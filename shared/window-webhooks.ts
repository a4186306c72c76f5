/** Answers of the window's private path (`/api`) about the receiver for trying webhooks; reached through api.ts. */

/** The statuses with which the test receiver can answer. */
export const receiverAnswers = [200, 410, 429, 500] as const;

/** One of them. */
export type ReceiverAnswer = (typeof receiverAnswers)[number];

/** The receiver for trying webhooks. Answer of `GET /api/webhook-receiver`. */
export interface ReceiverRecord {
  /** Its address; null while it is off. */
  readonly url: string | null;
  /** Whether renders may call it; false while webhooks may not reach local addresses. */
  readonly isReachable: boolean;
  /** The status that it answers with. */
  readonly answer: ReceiverAnswer;
  /** What arrived, newest first. */
  readonly calls: readonly ReceivedCall[];
}

/** A request that arrived at the test receiver. */
export interface ReceivedCall {
  /** Grows by one with each. */
  readonly number: number;
  /** ms since 1970. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Only the beginning of the body was kept. */
  readonly bodyIsCut?: true;
  /** Whether a secret of any project signed it; `unknown` if the body was too long to be kept. */
  readonly signature: 'right' | 'wrong' | 'none' | 'unknown';
  /** The status that it was answered with. */
  readonly answer: number;
}
