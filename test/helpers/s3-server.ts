/**
 * A small S3 server for tests, in memory, on a free port of this computer. It is strict where real ones are: every
 * request must be signed (AWS Signature Version 4, in headers or in the address), with the right key, at the right
 * time, and with the hash of what it brings. And it fails on demand.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What goes wrong with a request: an answer, nothing at all, the end of the connection in the middle of the body, or
 * (`lost`) after the work was done and before the answer.
 */
export type S3Fault = 'denied' | 'full' | 'busy' | 'silent' | 'cut' | 'lost';

/** A running server with one bucket, `films`. */
export interface S3Server {
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Objects by key, as they are seen. */
  readonly objects: Map<string, StoredObject>;
  /** Uploads in parts that have not been completed. */
  readonly uploads: Map<string, PartUpload>;
  /** Requests, e.g. `PUT renders/a.mp4`. */
  readonly requests: string[];
  /** Decides for each request what goes wrong; null: nothing. */
  fault: (method: string, key: string, query: URLSearchParams) => S3Fault | null;
  /** Ends all connections and listens no more, until `start`. */
  stop(): Promise<void>;
  /** Listens again at the same port. */
  start(): Promise<void>;
}

interface StoredObject {
  readonly body: Buffer;
  readonly type: string;
  readonly changed: Date;
}

interface PartUpload {
  readonly key: string;
  readonly type: string;
  readonly started: Date;
  readonly parts: Map<number, Buffer>;
}

const bucket = 'films';
/** Seconds by which a signature's time may be off. */
const mostSkew = 900;

/** A refusal as S3 words it. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const faultAnswers = {
  denied: new Refusal(403, 'AccessDenied'),
  full: new Refusal(507, 'XMinioStorageFull'),
  busy: new Refusal(503, 'SlowDown'),
} as const;

/** Starts one. Call `stop` at the end. */
export async function startS3(): Promise<S3Server> {
  let port = 0;
  const http = createServer((request, response) => void answer(request, response));
  const server: S3Server = {
    get endpoint() {
      return `http://127.0.0.1:${port}`;
    },
    accessKey: 'test-key',
    secretKey: randomUUID(),
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    fault: () => null,
    async stop() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
    async start() {
      await new Promise<void>((resolve, reject) => {
        http.once('error', reject);
        http.listen(port, '127.0.0.1', resolve);
      });
      ({ port } = http.address() as AddressInfo);
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    const { method = '' } = request;
    try {
      const url = new URL(request.url ?? '/', server.endpoint);
      const [named, ...rest] = url.pathname.slice(1).split('/').map(decodeURIComponent);
      const key = rest.join('/');
      server.requests.push(`${method} ${key}`);
      const fault = server.fault(method, key, url.searchParams);
      if (fault === 'silent') return;
      if (fault === 'cut' && method !== 'GET') {
        request.once('data', () => request.destroy());
        return;
      }
      const body = await read(request);
      if (fault === 'lost') response.end = () => response.destroy();
      else if (fault !== null && fault !== 'cut') throw faultAnswers[fault];
      checkSignature(request, url, body, server);
      if (named !== bucket) throw new Refusal(404, 'NoSuchBucket');
      if (key === '') answerBucket(method, url, response, server);
      else answerObject({ request, response, url, key, body, cut: fault === 'cut' }, server);
    } catch (error) {
      const { status, code } =
        error instanceof Refusal ? error : new Refusal(500, `InternalError: ${String(error)}`);
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(
        method === 'HEAD' ? '' : `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
      );
    }
  }

  await server.start();
  return server;
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

interface ObjectRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly key: string;
  readonly body: Buffer;
  readonly cut: boolean;
}

function answerObject(asked: ObjectRequest, { objects, uploads }: S3Server): void {
  const { request, response, url, key, body } = asked;
  const { method } = request;
  const type = request.headers['content-type'] ?? 'binary/octet-stream';
  const uploadId = url.searchParams.get('uploadId');
  if (method === 'POST' && url.searchParams.has('uploads')) {
    const id = randomUUID();
    uploads.set(id, { key, type, started: new Date(), parts: new Map() });
    response.end(
      `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    );
  } else if (uploadId !== null) {
    const upload = uploads.get(uploadId);
    if (!upload) throw new Refusal(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body);
      response.setHeader('etag', markOf(body)).end();
    } else if (method === 'POST') {
      const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
      // All but the last have a least size, as with AWS.
      if (parts.slice(0, -1).some(({ length }) => length < 5 * 1024 * 1024)) {
        throw new Refusal(400, 'EntityTooSmall');
      }
      const whole = Buffer.concat(parts);
      objects.set(key, { body: whole, type: upload.type, changed: new Date() });
      uploads.delete(uploadId);
      response.end(
        `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>${markOf(whole)}</ETag></CompleteMultipartUploadResult>`,
      );
    } else {
      uploads.delete(uploadId);
      response.writeHead(204).end();
    }
  } else if (method === 'PUT') {
    if (request.headers['if-none-match'] === '*' && objects.has(key)) {
      throw new Refusal(412, 'PreconditionFailed');
    }
    objects.set(key, { body, type, changed: new Date() });
    response.setHeader('etag', markOf(body)).end();
  } else if (method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else {
    sendObject(asked, objects.get(key));
  }
}

function sendObject(
  { request, response, url, cut }: ObjectRequest,
  object: StoredObject | undefined,
): void {
  if (!object) throw new Refusal(404, 'NoSuchKey');
  const size = object.body.length;
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const isPart = start !== undefined;
  const [from, to] = isPart ? [Number(start), Math.min(Number(end), size - 1)] : [0, size - 1];
  if (isPart && from >= size) throw new Refusal(416, 'InvalidRange');
  const part = object.body.subarray(from, to + 1);
  response.writeHead(isPart ? 206 : 200, {
    etag: markOf(object.body),
    'content-type': url.searchParams.get('response-content-type') ?? object.type,
    'content-disposition': url.searchParams.get('response-content-disposition') ?? '',
    'content-length': part.length,
    'last-modified': object.changed.toUTCString(),
    ...(isPart && { 'content-range': `bytes ${from}-${to}/${size}` }),
  });
  if (request.method === 'HEAD') response.end();
  else if (cut) response.write(part.subarray(0, part.length >> 1), () => response.destroy());
  else response.end(part);
}

function answerBucket(
  method: string,
  url: URL,
  response: ServerResponse,
  { objects, uploads }: S3Server,
): void {
  if (method !== 'GET') throw new Refusal(405, 'MethodNotAllowed');
  const prefix = url.searchParams.get('prefix') ?? '';
  response.setHeader('content-type', 'application/xml');
  if (url.searchParams.has('uploads')) {
    const rows = [...uploads].map(
      ([id, { key, started }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${started.toISOString()}</Initiated></Upload>`,
    );
    response.end(`<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`);
    return;
  }
  // Small pages, so that tests see more than one.
  const after = url.searchParams.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, 3);
  const rows = page.map((key) => {
    const { body, changed } = objects.get(key)!;
    return `<Contents><Key>${key}</Key><Size>${body.length}</Size><ETag>${markOf(body)}</ETag><LastModified>${changed.toISOString()}</LastModified></Contents>`;
  });
  const isMore = keys.length > page.length;
  const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  response.end(
    `<ListBucketResult><Name>${bucket}</Name><IsTruncated>${isMore}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`,
  );
}

function markOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

/** @throws Refusal unless the request is signed with the server's key. */
function checkSignature(
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: Buffer,
  { accessKey, secretKey }: S3Server,
): void {
  const query = url.searchParams;
  const isInAddress = query.has('X-Amz-Signature');
  const fields = /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
    headers.authorization ?? '',
  );
  const [credential, signedHeaders, signature] = isInAddress
    ? ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature'].map((name) => query.get(name))
    : (fields?.slice(1) ?? []);
  const time = isInAddress ? query.get('X-Amz-Date') : headers['x-amz-date'];
  if (!credential || !signedHeaders || !signature || typeof time !== 'string') {
    throw new Refusal(403, 'AccessDenied');
  }
  const [key, day = '', region = '', service = '', end] = credential.split('/');
  if (key !== accessKey) throw new Refusal(403, 'InvalidAccessKeyId');
  if (service !== 's3' || end !== 'aws4_request' || !time.startsWith(day)) {
    throw new Refusal(400, 'AuthorizationHeaderMalformed');
  }
  const at = Date.parse(
    time.replace(
      /^(....)(..)(..)T(..)(..)(..)Z$/,
      (_, y, m, d, h, min, s) => `${y}-${m}-${d}T${h}:${min}:${s}Z`,
    ),
  );
  const age = (Date.now() - at) / 1_000;
  const isOver = isInAddress ? age > Number(query.get('X-Amz-Expires')) : Math.abs(age) > mostSkew;
  if (isOver || !Number.isFinite(age)) throw new Refusal(403, 'RequestTimeTooSkewed');
  const hash = isInAddress ? 'UNSIGNED-PAYLOAD' : String(headers['x-amz-content-sha256']);
  if (/^[0-9a-f]{64}$/.test(hash) && createHash('sha256').update(body).digest('hex') !== hash) {
    throw new Refusal(400, 'XAmzContentSHA256Mismatch');
  }
  const names = signedHeaders.split(';');
  if (!names.includes('host')) throw new Refusal(403, 'AccessDenied');
  const canonical = [
    method,
    url.pathname,
    [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .sort()
      .join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    signedHeaders,
    hash,
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = [
    'AWS4-HMAC-SHA256',
    time,
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const hmac = (secret: string | Buffer, text: string): Buffer =>
    createHmac('sha256', secret).update(text).digest();
  const signingKey = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretKey}`,
  );
  const right = hmac(signingKey, toSign);
  const given = Buffer.from(signature, 'hex');
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw new Refusal(403, 'SignatureDoesNotMatch');
  }
}

/** RFC 3986, which escapes more than `encodeURIComponent`. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
