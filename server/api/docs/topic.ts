/** What a help page is: a row with an address, words for lists, and its text in the Markdown of markdown.ts. */

/** One page. */
export interface Topic {
  /** `/docs/SLUG`; empty for `/docs` itself. */
  readonly slug: string;
  readonly title: string;
  /** One line for the list of pages. */
  readonly summary: string;
  /** Markdown. @param apiUrl the address of this server, for examples. */
  readonly text: (apiUrl: string) => string;
}

/** Pages that stand together in the list. */
export interface TopicSection {
  readonly name: string;
  readonly topics: readonly Topic[];
}

/** The address of a page. */
export function addressOf({ slug }: Pick<Topic, 'slug'>): string {
  return slug === '' ? '/docs' : `/docs/${slug}`;
}
