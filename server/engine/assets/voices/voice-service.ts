/**
 * Voices of other programs: an address like OpenAI's (`/v1/audio/speech`), which may be on this computer, and the
 * services of OpenAI and ElevenLabs with the person's own key. Runs in the worker. The person has named the address in
 * the settings; a document only chooses among them.
 */
import { writeFile } from 'node:fs/promises';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { voiceLimits } from '../../../../shared/limits.ts';
import type { Provider, VoiceTarget } from '../../../../shared/renderscript/voices.ts';

/** Secrets, from the settings or the environment of the server. */
export interface VoiceKeys {
  /** For an address in the settings. */
  readonly address?: string | undefined;
  readonly openai?: string | undefined;
  readonly elevenlabs?: string | undefined;
}

/** A request for a sound. */
interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Who is asked, and with what. */
interface AskOptions {
  readonly provider: Provider;
  readonly target: Exclude<VoiceTarget, { kind: 'system' }>;
  readonly keys: VoiceKeys;
  readonly signal: AbortSignal;
}

/**
 * Has a text spoken into a file.
 *
 * @throws RenderError `voice_missing` without a key or for an unknown service, `voice_failed`, or as the signal says
 */
export async function askVoice(
  text: string,
  filePath: string,
  { signal, ...options }: AskOptions,
): Promise<void> {
  const { url, headers, body } = requestFor(text, options);
  const { host } = new URL(url);
  const within = AbortSignal.any([signal, AbortSignal.timeout(voiceLimits.time)]);
  const failed = (why: string, cause?: unknown): RenderError =>
    new RenderError('voice_failed', `The voice at ${host} ${why}`, { cause });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // A key goes to no other address.
      redirect: 'error',
      signal: within,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw failed(`answered ${response.status} ${response.statusText}`.trim());
    }
    await writeFile(filePath, await bytesOf(response, failed));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof RenderError) throw error;
    if (within.aborted) throw failed('took too long', error);
    throw failed('could not be reached', error);
  }
}

/** The sound in an answer. */
async function bytesOf(response: Response, failed: (why: string) => RenderError): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > voiceLimits.bytes) throw failed('answered with too much');
    parts.push(part);
  }
  if (bytes === 0) throw failed('answered with nothing');
  return Buffer.concat(parts);
}

/** The request of a text. Pure. @throws RenderError `voice_missing` */
export function requestFor(
  text: string,
  { provider, target, keys }: Omit<AskOptions, 'signal'>,
): Asked {
  if (target.kind === 'address') {
    const options = { ...provider.options, ...target.options };
    return speechRequest(text, target.url, options, keys.address ?? null);
  }
  const { name, options } = provider;
  const service = services[name];
  if (!service) {
    const message = `'${name}' is no service that can be asked: name another voice in the setting 'voices'`;
    throw new RenderError('voice_missing', message);
  }
  const key = keys[service.key];
  if (key === undefined) {
    const message = `'${name}' needs your key: enter it in Settings, Speech and voices, or set ${service.variable} where Framewright is started`;
    throw new RenderError('voice_missing', message);
  }
  return service.request(text, options, key);
}

type Options = Readonly<Record<string, string>>;

/** As OpenAI and many programs have it. */
function speechRequest(text: string, base: string, options: Options, key: string | null): Asked {
  const { model = 'tts-1', voice = 'alloy', instructions, speed } = options;
  return {
    url: `${base.replace(/\/+$/, '')}/audio/speech`,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    body: {
      ...{ model, voice, input: text, instructions, response_format: 'mp3' },
      speed: numberIn(speed),
    },
  };
}

interface Service {
  readonly key: 'openai' | 'elevenlabs';
  /** The variable with its key. */
  readonly variable: string;
  readonly request: (text: string, options: Options, key: string) => Asked;
}

const services: Readonly<Record<string, Service | undefined>> = {
  openai: {
    key: 'openai',
    variable: 'OPENAI_API_KEY',
    request: (text, options, key) => speechRequest(text, 'https://api.openai.com/v1', options, key),
  },
  elevenlabs: {
    key: 'elevenlabs',
    variable: 'ELEVENLABS_API_KEY',
    request(text, { voice_id: voice = '21m00Tcm4TlvDq8ikWAM', model_id, ...options }, key) {
      const { stability, similarity_boost: similarity, style, speed } = options;
      return {
        url: `https://api.elevenlabs.io/v1/text-to-speech/${encodeURIComponent(voice)}`,
        headers: { 'xi-api-key': key },
        body: {
          ...{ text, model_id },
          voice_settings: {
            stability: numberIn(stability),
            similarity_boost: numberIn(similarity),
            style: numberIn(style),
            speed: numberIn(speed),
          },
        },
      };
    },
  },
};

/** What JSON leaves out if there is none. */
function numberIn(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) ? undefined : value;
}
