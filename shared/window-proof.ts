/**
 * How the server proves to the window's page that it knows the token, before the page sends it. The signed text
 * includes the port, so that a program at the page's address can't forward the question to the real server elsewhere.
 */

/** The path for the question; the nonce is the query's `nonce`. */
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

/** The header that carries the window's token. */
export const windowTokenHeader = 'x-framewright-token';
