/** Where a person is in the window: page, open template, open details, search. Window only. */
import { namesPlace, placeInAddress, type Page, type Place } from './address.ts';

export class Navigation {
  page = $state<Page>(placeInAddress().page);
  /** Its address named nothing, and nobody has gone anywhere: `begin` decides on the page. */
  isUndecided = $state(!namesPlace());
  /** ID of the template that is open in the editor, over the page; null: none. */
  editing = $state<string | null>(placeInAddress().template);
  /** Its name as it is typed; '' until the editor has it. */
  typedName = $state('');
  /** Place in its document at which the editor begins; '' for none. */
  editingAt = '';
  /** ID of the template whose editor was closed last, until its card has the focus again; null: none. */
  lastEdited: string | null = null;
  /** ID of the render whose details are open. */
  selected = $state<string | null>(placeInAddress().render);
  /** ID of the render to play as soon as its details show it; null: none. */
  playing = $state<string | null>(null);
  /** ID of the template whose card on the Templates page had the focus last. */
  chosenTemplate = $state<string | null>(null);
  /** The Templates page shows the Trash. */
  trashOpen = $state(placeInAddress().trash);
  /** ID of the feed that is open on the Feeds page; null: its list is. */
  feed = $state(placeInAddress().feed);
  /** Text of the search field; each page searches its own list. */
  search = $state('');
  /** The search field of the page, for Ctrl F. */
  searchField: HTMLElement | null = null;
  /** The setting whose field the Settings page will focus; null: none. */
  wantedSetting = $state<string | null>(null);

  /** What the address of the page names. */
  readonly place = $derived.by((): Place => ({
    page: this.page,
    template: this.editing,
    trash: this.trashOpen,
    render: this.page === 'queue' ? this.selected : null,
    feed: this.page === 'feeds' ? this.feed : null,
  }));

  /** Opens the first page, unless the address named one or someone was faster. */
  begin(page: Page): void {
    if (this.isUndecided) this.goTo(page);
  }

  goTo(page: Page): void {
    this.isUndecided = false;
    if (this.editing !== null) this.edit(null);
    this.trashOpen = false;
    this.feed = null;
    if (this.page === page) return;
    this.page = page;
    this.search = '';
  }

  /** Opens the settings at one of them, with its field focused and selected. @param setting e.g. `port`. */
  goToSetting(setting: string): void {
    this.wantedSetting = setting;
    this.goTo('settings');
    // A search there might hide it.
    this.search = '';
  }

  /**
   * Opens a template in the editor; null closes it.
   * @param at a place in its document to begin at, e.g. `elements[2].source`.
   */
  edit(id: string | null, at = ''): void {
    // Home shows templates, too: closed, the editor leads back there.
    if (id !== null && this.page !== 'home') this.goTo('templates');
    else if (id === null) this.lastEdited = this.editing;
    this.isUndecided = false;
    this.editing = id;
    this.editingAt = at;
  }

  /** Goes to the place of an address, e.g. after the browser's Back. */
  goToPlace({ page, template, trash, render, feed }: Place): void {
    if (template === null) this.goTo(page);
    else if (template !== this.editing) this.edit(template);
    this.trashOpen = trash;
    this.feed = feed;
    if (page === 'queue') this.selected = render;
  }

  /** Opens a feed; null shows the list. */
  openFeed(id: string | null): void {
    this.goTo('feeds');
    this.feed = id;
  }

  /** Shows a render on the Queue page with its details open. */
  showRender(id: string): void {
    this.goTo('queue');
    this.search = '';
    this.selected = id;
  }
}
