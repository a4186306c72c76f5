/**
 * How the server proves to the window's page that it is the one that knows the token, before the page sends it. The port is
 * part of what is signed, so that a program at the page's address can't pass the question on to the real server elsewhere.
 */

/** Where the page asks; the nonce is the query's `nonce`. */
export const proofPath = '/api/proof';

/** Form of a nonce: 16 random bytes or more, base64url. */
export const nonceForm = /^[\w-]{22,64}$/;

/** The text that is signed with the token, by HMAC-SHA-256. @param port The port that the page was loaded from. */
export const proofText = (nonce: string, port: number): string => `framewright ${port} ${nonce}`;

/** The server's answer. */
export interface ServerProof {
  /** The port that the question came in on. */
  readonly port: number;
  /** Hexadecimal. */
  readonly proof: string;
}
