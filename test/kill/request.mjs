/**
 * One request over a connection of its own: one that is kept may be closed by its server while the next request leaves.
 */
import http from 'node:http';

/** Sends it and reads the whole answer. Rejects when the connection breaks; a hung one is the kill test's to notice. */
export function request(url, options = {}, body = undefined) {
  return new Promise((resolve, reject) => {
    const sending = http.request(url, { ...options, agent: false }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, content: Buffer.concat(parts) }),
      );
    });
    sending.on('error', reject).end(body);
  });
}
