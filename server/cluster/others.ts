/** Tells a server's listeners what other servers and workers have changed, as if it had done so itself. */
import type { OtherListeners } from '../services.ts';
import type { PostgresKeeper } from './postgres/keeper.ts';
import type { RecordChange } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { EventBus } from '../jobs/events.ts';

/** Follows them for as long as the store is open. */
export function tellOfOthers(
  keeper: PostgresKeeper,
  { renders, templates }: Store,
  events: EventBus,
  { useSettings, onDelivery, onEnd }: OtherListeners,
): void {
  keeper.follow(({ collection, id, before, after }: RecordChange) => {
    switch (collection) {
      case 'renders': {
        const render = renders.find(id);
        if (render) {
          events.emit({ type: before ? 'render.updated' : 'render.created', render });
          if (render.event) onEnd(id);
        } else if (!after) events.emit({ type: 'render.removed', id });
        break;
      }
      case 'templates': {
        const template = templates.find(id);
        if (template) {
          events.emit({ type: before ? 'template.updated' : 'template.created', template });
        } else events.emit({ type: 'template.removed', id });
        break;
      }
      case 'projects':
      case 'keys':
        events.emit({ type: 'projects.changed' });
        break;
      case 'feeds':
      case 'batches':
        events.emit({ type: 'feeds.changed' });
        break;
      case 'deliveries':
        onDelivery(id);
        events.emit({ type: 'webhooks.changed' });
        break;
      case 'fonts':
        useSettings();
        events.emit({ type: 'fonts.changed', templates: [] });
        break;
      case 'settings':
        useSettings();
        events.emit({ type: 'server.state' });
        break;
      case 'media':
      case 'template-versions':
        break;
    }
  });
}
