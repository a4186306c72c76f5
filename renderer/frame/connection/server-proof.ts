/**
 * Makes sure that this page's own server answers before the token is sent: while the server is not running, another
 * program may have its port. Window only.
 */
import { proofPath, proofText, type ServerProof } from '../../../shared/window-proof.ts';

let proven = false;
let asked: Promise<boolean> | null = null;
/** Counts the times that a connection broke. */
let breaks = 0;

/** When a proved connection last broke, by the page's clock. */
let brokenAt = -Infinity;
/** Milliseconds between a browser breaking the connections of a closing page and telling it so. */
const closingTime = 1_000;

/** True while the last proof is valid. */
export const isProven = (): boolean => proven;

/** The same for a closing page: closing broke the connection, and there is no time for another proof. */
export const wasProven = (): boolean => proven || performance.now() - brokenAt < closingTime;

/** The connection broke: another program may answer next. */
export function forgetProof(): void {
  if (proven) brokenAt = performance.now();
  breaks += 1;
  proven = false;
  asked = null;
}

/**
 * Asks the server for its proof, once until it is forgotten.
 * @returns false if the answering program does not know the token
 * @throws TypeError if nothing answers
 */
export async function proveServer(token: string): Promise<boolean> {
  if (proven) return true;
  const before = breaks;
  const question = (asked ??= askForProof(token));
  let answer = false;
  try {
    answer = await question;
  } finally {
    // The next try asks again.
    if (!answer && asked === question) asked = null;
  }
  // The answer belongs to a broken connection.
  if (before !== breaks) return proveServer(token);
  proven = answer;
  return answer;
}

async function askForProof(token: string): Promise<boolean> {
  const encode = new TextEncoder();
  const nonce = hexOf(crypto.getRandomValues(new Uint8Array(16)));
  const response = await fetch(`${proofPath}?nonce=${nonce}`);
  const answer = response.ok ? readProof(await response.text()) : null;
  if (!answer) return false;
  // While developing, the page comes from Vite, at a port of its own.
  if (!import.meta.env.DEV && answer.port !== Number(location.port || 80)) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode.encode(token), algorithm, false, [
    'sign',
  ]);
  const text = encode.encode(proofText(nonce, answer.port));
  return hexOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, text))) === answer.proof;
}

function readProof(text: string): ServerProof | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProof =
      typeof value === 'object' &&
      value !== null &&
      'port' in value &&
      typeof value.port === 'number' &&
      'proof' in value &&
      typeof value.proof === 'string';
    return isProof ? { port: Number(value.port), proof: String(value.proof) } : null;
  } catch {
    return null;
  }
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
