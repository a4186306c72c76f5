/**
 * The page's address: its fragment contains the token and what is open, so that reloads, bookmarks and the Back button
 * return to it. Window only.
 */

/** The pages there are, in the order of the sidebar. */
export const pages = ['home', 'queue', 'templates', 'feeds', 'api', 'settings'] as const;
export type Page = (typeof pages)[number];

export interface Place {
  readonly page: Page;
  /** ID of the template that is open in the editor, over the Templates page; null: none is. */
  readonly template: string | null;
  /** The Templates page shows the Trash. */
  readonly trash: boolean;
  /** ID of the render whose details are open on the Queue page; null: none. */
  readonly render: string | null;
  /** ID of the feed that is open on the Feeds page; null: its list is. */
  readonly feed: string | null;
}

function parts(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

/** Whether the address names a place at all; that with which the program opens the window does not. */
export function namesPlace(): boolean {
  const given = parts();
  return ['page', 'template', 'render'].some((name) => given.has(name));
}

/** What the address names now; by default Home. */
export function placeInAddress(): Place {
  const given = parts();
  const [template, render] = [given.get('template'), given.get('render')];
  const usual = render === null ? 'home' : 'queue';
  const named = pages.find((page) => page === given.get('page')) ?? usual;
  const page = template === null ? named : 'templates';
  return {
    page,
    template,
    trash: page === 'templates' && template === null && given.has('trash'),
    render: page === 'queue' ? render : null,
    feed: page === 'feeds' ? given.get('feed') : null,
  };
}

/** The fragment that names a place, with the token of this page: `#token=…&page=settings`. */
export function addressOf({ page, template, trash, render, feed }: Place): string {
  const given = new URLSearchParams();
  const token = parts().get('token');
  if (token !== null) given.set('token', token);
  if (template !== null) given.set('template', template);
  else given.set('page', page);
  if (page === 'templates' && template === null && trash) given.set('trash', '');
  if (page === 'queue' && render !== null) given.set('render', render);
  if (page === 'feeds' && feed !== null) given.set('feed', feed);
  return `#${given.toString()}`;
}

/** The fragment of a page. */
export const addressOfPage = (page: Page): string =>
  addressOf({ page, template: null, trash: false, render: null, feed: null });

/**
 * Writes a place into the address. Another page, template or list is an entry of the browser's history; which details
 * are open on the same page is not.
 */
export function putPlace(place: Place): void {
  const now = placeInAddress();
  if (namesPlace() && addressOf(now) === addressOf(place)) return;
  const isSame =
    now.page === place.page &&
    now.template === place.template &&
    now.trash === place.trash &&
    now.feed === place.feed;
  // Back must not lead to an address that names nothing.
  if (isSame || !namesPlace()) history.replaceState(null, '', addressOf(place));
  else history.pushState(null, '', addressOf(place));
}
