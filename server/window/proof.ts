/** Proves to the window's page that this server knows its token, without naming it. See shared/window-proof.ts. */
import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { nonceForm, proofText, type ServerProof } from '../../shared/window-proof.ts';

/** Answers the question of a page. A nonce of another form gets 400. */
export function proveToken(token: string): RequestHandler {
  return (request, response) => {
    const { nonce } = request.query;
    if (typeof nonce !== 'string' || !nonceForm.test(nonce)) {
      response.status(400).end();
      return;
    }
    const port = request.socket.localPort ?? 0;
    const proof = createHmac('sha256', token).update(proofText(nonce, port)).digest('hex');
    response.json({ port, proof } satisfies ServerProof);
  };
}
