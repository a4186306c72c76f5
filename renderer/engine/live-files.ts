/** Files of the server, fetched by the drawing worker when they are needed. */

/** Fetches files by the IDs that a kit names. */
export class LiveFiles {
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers Sent with every request. */
  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  /** Its address, and the headers for a request. */
  request(id: string): { readonly url: string; readonly headers: Record<string, string> } {
    const url = new URL(`/api/preview/files/${id}`, self.location.origin).href;
    return { url, headers: { ...this.#headers } };
  }

  /**
   * The ID of a small copy of a video, once the server has made it; null when there can be none.
   *
   * @throws Error when the server could not be asked.
   */
  async copyOf(id: string, signal: AbortSignal): Promise<string | null> {
    const { url, headers } = this.request(id);
    const response = await fetch(`${url}/proxy`, { method: 'POST', headers, signal });
    if (!response.ok) throw new Error(`a copy could not be asked for (${response.status})`);
    const answer: unknown = await response.json();
    const isReady = typeof answer === 'object' && answer !== null && 'file' in answer;
    return isReady && typeof answer.file === 'string' ? answer.file : null;
  }

  /** @throws Error when the server no longer has it, or can't be reached. */
  async fetch(id: string): Promise<Blob> {
    const { url, headers } = this.request(id);
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`a file could not be fetched (${response.status})`);
    return response.blob();
  }
}
