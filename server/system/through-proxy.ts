/**
 * Opens an address that the program or its user has named, not a document: by the proxy that the environment names, as
 * other programs do (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, in small letters, too).
 */
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { portOf } from './connect.ts';

/** The proxy for an address; null = none. @throws Error if it is not an address of one */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv = process.env): URL | null {
  const of = (name: string): string =>
    (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  const given = of(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || of('ALL_PROXY');
  if (given === '' || isExcepted(url.hostname, of('NO_PROXY'))) return null;
  const proxy = /^[a-z]+:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(proxy) || new URL(proxy).protocol !== 'http:')
    throw new Error(`the proxy that the environment names is no http:// address (${given})`);
  return new URL(proxy);
}

function isExcepted(host: string, names: string): boolean {
  return names
    .split(/[\s,]+/)
    .map((name) => name.replace(/^\*?\./, '').toLowerCase())
    .some((name) => name === '*' || (name !== '' && (host === name || host.endsWith(`.${name}`))));
}

/** Opens it with GET; redirects are not followed. @throws what the connection fails with; the signal's reason */
export async function openPlainly(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const proxy = proxyFor(url);
  const common = { signal, headers: { 'user-agent': 'Framewright', ...headers }, agent: false };
  const secure = url.protocol === 'https:';
  if (!proxy) return answerOf((secure ? https : http).request(url, common));
  const pass = passFor(proxy);
  if (!secure) {
    return answerOf(
      http.request({
        ...common,
        ...{ host: proxy.hostname, port: portOf(proxy), path: url.href },
        headers: { ...common.headers, ...pass, host: url.host },
      }),
    );
  }
  const socket = await tunnelTo(url, proxy, pass, signal);
  const options = { socket, servername: url.hostname };
  return answerOf(https.request(url, { ...common, createConnection: () => tls.connect(options) }));
}

function passFor({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` };
}

function tunnelTo(
  url: URL,
  proxy: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Socket> {
  const target = `${url.hostname}:${portOf(url)}`;
  return new Promise((resolve, reject) => {
    const request = http.request({
      ...{ method: 'CONNECT', host: proxy.hostname, port: portOf(proxy), path: target },
      ...{ headers: { host: target, ...headers }, agent: false, signal },
    });
    request.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} refuses ${target} (status ${statusCode})`));
    });
    request.once('error', reject);
    request.end();
  });
}

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.end();
  });
}
