/**
 * The title of the window's tab: what ended while it was hidden, the queue's progress while it is hidden, and the page.
 * Window only; in Electron the program's own title shows the progress instead.
 */
import { isSinglePicture, nameOf } from '../queue/display.ts';
import { cutMiddle, percent } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import type { AppState } from './app.svelte.ts';

const pageNames = {
  home: say('page.home'),
  queue: say('page.queue'),
  templates: say('page.templates'),
  feeds: say('page.feeds'),
  api: say('page.api'),
  settings: say('page.settings'),
};

export function titleOf(app: AppState): string {
  const page = pageName(app);
  const { unseen } = app.completion;
  if (unseen.length > 1) return say('title.ended', { count: unseen.length, page });
  const [told] = unseen;
  if (told !== undefined) return say('title.told', { told, page });
  const { active } = app.renders;
  return app.clock.seen || !active?.progress || isSinglePicture(active)
    ? say('title.page', { page })
    : say('title.progress', { percent: percent(active.progress.percent), page });
}

function pageName({ navigation, templates, renders, feeds }: AppState): string {
  const { page, editing, typedName, selected, trashOpen } = navigation;
  if (editing !== null)
    return cutMiddle(typedName || (templates.get(editing)?.name ?? pageNames.templates));
  if (page === 'templates' && trashOpen) return say('trash.title');
  const feed = page === 'feeds' && feeds.list.find(({ id }) => id === navigation.feed);
  if (feed) return cutMiddle(feed.name);
  const render = page === 'queue' && selected !== null ? renders.get(selected) : undefined;
  return render ? cutMiddle(nameOf(render)) : pageNames[page];
}
