/**
 * What a server has acknowledged, and what it says about that later: nothing may be lost, nothing may become something
 * else.
 */
import { isRightEnd } from './content.mjs';
import { request } from './request.mjs';

const isFinal = (status) => status === 'succeeded' || status === 'failed';

/** Does something for every entry of a list, a few at the same time. */
async function forEach(list, act) {
  const left = [...list];
  const lane = async () => {
    for (let entry = left.pop(); entry; entry = left.pop()) await act(entry);
  };
  await Promise.all(Array.from({ length: 6 }, lane));
}

/** Renders and templates that were answered for. */
export class Ledger {
  /**
   * By ID: what was sent, how it has to end, the status that it ended with, how often something was killed meanwhile.
   */
  renders = new Map();
  /** By ID: names that a template may have now; null: it may be deleted. */
  templates = new Map();
  /** Changes that were under way when the server was killed. */
  unsure = new Map();
  /** What must not be. */
  problems = [];
  /** What was killed so far. */
  strikes = 0;
  #read;

  /** @param read loads a finished file by its address. Default: from there. */
  constructor(read = request) {
    this.#read = read;
  }

  addRender(id, { metadata, modifications, end }) {
    const words = JSON.stringify(modifications);
    this.renders.set(id, { metadata, words, end, ended: null, born: this.strikes });
  }

  /** Those that have not ended as far as is known. */
  get open() {
    return [...this.renders].filter(([, { ended }]) => ended === null);
  }

  /** Of a render that has ended as far as is known. */
  endOf(id) {
    return this.renders.get(id)?.ended ?? undefined;
  }

  /**
   * Holds what the server says against all that it acknowledged; of renders whose end is known, against a part.
   *
   * @param ask asks the server. @param share how many of a hundred known ends are looked at again.
   */
  async check(ask, place, { share, random }) {
    for (const [id, names] of this.unsure) this.templates.set(id, names);
    this.unsure.clear();
    await this.checkRenders(ask, place, { share, random });
    await this.#checkTemplates(ask, place);
  }

  /** The renders alone, also while clients are at work. */
  async checkRenders(ask, place, { share, random }) {
    const looked = [...this.renders].filter(
      ([, { ended }]) => ended === null || random.next() * 100 < share,
    );
    await forEach(looked, ([id, expected]) => this.#checkRender(ask, place, id, expected));
  }

  async #checkTemplates(ask, place) {
    await forEach(this.templates, async ([id, names]) => {
      const { status, body } = await ask('GET', `/v2/templates/${id}`);
      const found = status === 200 ? body.name : null;
      if (!names.has(found))
        this.problems.push(`${place}: template ${id} is ${found}, not ${[...names].join(' or ')}`);
      const { note } = body?.source ?? {};
      if (found !== null && note !== undefined && !note.startsWith(`${found}.`))
        this.problems.push(
          `${place}: template ${id} is ${found} with what belongs to ${note.slice(0, 20)}`,
        );
      this.templates.set(id, new Set([found]));
    });
    for (const [id, names] of this.templates) if (names.has(null)) this.templates.delete(id);
  }

  async #checkRender(ask, place, id, expected) {
    const { status, body } = await ask('GET', `/v2/renders/${id}`);
    const wrong = (what) => this.problems.push(`${place}: render ${id} ${what}`);
    if (status !== 200) return wrong('is lost');
    if (body.metadata !== expected.metadata) return wrong('is another one');
    if (JSON.stringify(body.modifications) !== expected.words)
      return wrong('has other modifications');
    if (expected.ended !== null) {
      if (expected.ended !== body.status) wrong(`was ${expected.ended} and is ${body.status}`);
      return;
    }
    if (!isFinal(body.status)) return;
    expected.ended = body.status;
    if (!isRightEnd(body, expected.end, this.strikes - expected.born))
      wrong(`ended ${body.status}: ${body.error_message ?? ''}`);
    if (body.status !== 'succeeded') return;
    // Done means usable, at once.
    const { status: found, content } = await this.#read(body.url);
    if (found !== 200 || content.length !== body.file_size)
      wrong(`has a file of ${content.length} bytes, not ${body.file_size} (${found})`);
  }
}
