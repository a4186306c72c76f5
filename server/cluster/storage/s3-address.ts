/** The address of a storage in S3: `s3://bucket/prefix?endpoint=http://127.0.0.1:9000`. */
import { StartError } from '../../system/start-error.ts';

/** What an address says. */
export interface S3Address {
  /** For people: `s3://bucket/prefix`. */
  readonly name: string;
  readonly bucket: string;
  /** Beginning of all keys: empty, or with a slash at its end. */
  readonly prefix: string;
  /** Null: that of AWS, or what AWS_ENDPOINT_URL says. */
  readonly endpoint: string | null;
  readonly region: string;
  /** The bucket is named in the path, not in the host: as servers other than AWS want it. */
  readonly isPathStyle: boolean;
  /** Where readers reach the storage, for signed addresses; null: they don't. */
  readonly publicEndpoint: string | null;
}

/** Parameters of an address, with what each means. */
const parameters = ['endpoint', 'region', 'public'] as const;

/** Reads an address. @throws StartError with what was expected. */
export function readS3Address(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : null;
  const bucket = url?.hostname ?? '';
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw refusal(`an address such as s3://bucket/folder, found '${text}'`);
  }
  if (url.username !== '' || url.password !== '') {
    // Addresses are seen in lists of processes.
    throw refusal(
      'no user or password: they come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    );
  }
  for (const name of url.searchParams.keys()) {
    if (!parameters.some((known) => known === name)) {
      throw refusal(`the parameters ${parameters.join(', ')}, found '${name}'`);
    }
  }
  const folder = url.pathname.replace(/^\/+|\/+$/g, '');
  if (!/^[A-Za-z0-9._/-]*$/.test(folder) || /(?:^|\/)(?:\.|\/)/.test(folder)) {
    throw refusal(`a folder of letters, digits, '.', '_' and '-', found '${folder}'`);
  }
  const endpoint = endpointOf(url, 'endpoint');
  return {
    name: `s3://${bucket}${folder === '' ? '' : `/${folder}`}`,
    bucket,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint,
    region: url.searchParams.get('region') ?? process.env['AWS_REGION'] ?? 'us-east-1',
    isPathStyle: endpoint !== null || process.env['AWS_ENDPOINT_URL'] !== undefined,
    publicEndpoint: endpointOf(url, 'public'),
  };
}

function endpointOf(url: URL, name: string): string | null {
  const text = url.searchParams.get(name);
  if (text === null) return null;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw refusal(`an address with http:// or https:// as ${name}, found '${text}'`);
}

function refusal(expected: string): StartError {
  return new StartError(`--storage: Expected ${expected}.`);
}
