/** `npm run test:nodes`, where npm has not every version of Node. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('nodes.mjs', import.meta.url));

test('a runtime that npm does not give is named as left out, and is no fault', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-nodes-'));
  const asked: (string | undefined)[] = [];
  const registry = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(404, { connection: 'close' }).end('{}');
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  try {
    // A listening server has one.
    const { port } = registry.address() as AddressInfo;
    const child = spawn(process.execPath, [script, '97', 'deno'], {
      env: {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: folder,
        npm_config_update_notifier: 'false',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(output.trim().split('\n')).toEqual([
      'Left out: Node 97, which npm does not give here.',
      'Left out: The client in deno, which npm does not give here.',
    ]);
    expect(code).toBe(0);
    expect(asked).toEqual(expect.arrayContaining(['/node', '/deno']));
  } finally {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
