/**
 * Notifications of the system: when to send one, and sending it. Main process. Notifies of a finished render if it took
 * long and nobody is looking; of a batch once, at its end, unless all went well while someone was looking; of failures
 * always, at most once a minute, counting the others.
 */
import { nativeImage, Notification, shell } from 'electron';
import type { Log } from '../server/system/log.ts';
import type { DesktopClick, DesktopMessage } from '../shared/desktop.ts';
import { localeInUse, say } from './say.ts';
import type { Settings } from './settings.ts';
import type { EndedBatch, EndedRender, WorkListener } from './work.ts';

/** A notification, and what a click on it shows. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Path of a picture. */
  readonly picture?: string;
  /** Path of a file to show in its folder, if the system supports buttons. */
  readonly file?: string;
  readonly click: DesktopClick;
}

/** No notification for shorter renders, in seconds. */
const longRender = 30;
/** At most one failure notification in this time, in ms. */
const failurePause = 60_000;
/** Characters of an error that systems show. */
const bodyLength = 200;

/** What the rules depend on. */
export interface NoticeSources {
  readonly settings: () => Settings;
  /** True while the window has the focus. */
  readonly inFront: () => boolean;
  readonly show: (notice: Notice) => void;
}

/** The rules, as a listener of the work. */
export function noticeRules({ settings, inFront, show }: NoticeSources): WorkListener & {
  close(): void;
} {
  /** Set while failures are only counted. */
  let pause: NodeJS.Timeout | null = null;
  let held = 0;

  const startPause = (): void => {
    pause = setTimeout(() => {
      pause = null;
      if (held === 0) return;
      const click: DesktopClick = { type: 'command', command: 'go-queue' };
      show({
        title: say('notice.moreFailed', { count: held }),
        body: say('notice.moreFailed.text'),
        click,
      });
      held = 0;
      startPause();
    }, failurePause);
    // A pending notification must not keep the program running.
    pause.unref();
  };

  const onFailure = ({ id, name, message = '' }: EndedRender): void => {
    if (pause) {
      held++;
      return;
    }
    const body = message.slice(0, bodyLength);
    show({ title: say('notice.failed', { name }), body, click: { type: 'show-render', id } });
    startPause();
  };

  return {
    onEnd(render) {
      const { id, name, succeeded, seconds, picture, file, inBatch } = render;
      if (inBatch) return;
      if (!succeeded) {
        if (settings().notifyFailures) onFailure(render);
        return;
      }
      if (!settings().notifyFinished || seconds <= longRender || inFront()) return;
      show({
        title: say('notice.done', { name }),
        body: '',
        ...(picture !== undefined && { picture }),
        ...(file !== undefined && { file }),
        click: { type: 'show-render', id },
      });
    },
    onBatchEnd(batch: EndedBatch) {
      if (!settings().notifyBatches || (batch.failed === 0 && inFront())) return;
      show({
        title: batchTitle(batch),
        body: '',
        click: { type: 'command', command: 'go-queue' },
      });
    },
    close() {
      if (pause) clearTimeout(pause);
      pause = null;
    },
  };
}

/** `Autumn list: 12 done, 1 failed` */
function batchTitle({ name, done, failed, cancelled }: EndedBatch): string {
  const parts = [
    say('notice.batch.done', { count: done }),
    ...(failed > 0 ? [say('notice.batch.failed', { count: failed })] : []),
    ...(cancelled > 0 ? [say('notice.batch.cancelled', { count: cancelled })] : []),
  ];
  const list = new Intl.ListFormat(localeInUse(), { type: 'unit', style: 'short' });
  return say('notice.batch', {
    name: name === '' ? say('notice.batch.unnamed') : name,
    parts: list.format(parts),
  });
}

/** Sent notifications, held so that a click still finds its listener. */
const sent = new Set<Notification>();
/** How many to keep. */
const kept = 20;

/** Callbacks of a notification. */
export interface NoticeEars {
  /** It was clicked. */
  readonly onClick: (message: DesktopMessage) => void;
  /** It was not shown: the window shows it instead, without coming to the front. */
  readonly sayInstead: (message: DesktopMessage) => void;
  readonly log: Log;
}

/** Longer side of a notification's picture in pixels: twice what systems show. */
const thumbnailSide = 256;

/**
 * A picture small enough to be sent: Windows leaves out large ones, and on Linux it goes over the bus pixel by pixel.
 * Null if it can't be read: the notification does without.
 */
async function thumbnailOf(
  file: string,
  platform: NodeJS.Platform,
): Promise<Electron.NativeImage | null> {
  const side = thumbnailSide;
  if (platform !== 'linux') {
    const size = { width: side, height: side };
    return nativeImage.createThumbnailFromPath(file, size).catch(() => null);
  }
  const picture = nativeImage.createFromPath(file);
  if (picture.isEmpty()) return null;
  const { width, height } = picture.getSize();
  if (Math.max(width, height) <= side) return picture;
  return picture.resize(width > height ? { width: side } : { height: side });
}

/** Shows a notification; if the system has none or refuses it, the window does. */
export async function showNotice(
  { title, body, picture, file, click }: Notice,
  hasSound: boolean,
  { onClick, sayInstead, log }: NoticeEars,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const tellInstead = (): void => {
    sayInstead({ type: 'notice', text: say('notice.notShown', { title }), click });
  };
  if (!Notification.isSupported()) {
    tellInstead();
    return;
  }
  const icon = picture === undefined ? null : await thumbnailOf(picture, platform);
  const notification = new Notification({
    title,
    body,
    silent: !hasSound,
    ...(icon !== null && { icon }),
    ...(file !== undefined && { actions: [{ type: 'button', text: say('showInFolder') }] }),
  });
  notification.on('click', () => onClick(click));
  if (file !== undefined) notification.on('action', () => shell.showItemInFolder(file));
  notification.on('close', () => sent.delete(notification));
  notification.on('failed', (_event, error) => {
    log('warning', 'notifications', `The system did not show "${title}": ${error}`);
    sent.delete(notification);
    tellInstead();
  });
  sent.add(notification);
  for (const old of [...sent].slice(0, -kept)) sent.delete(old);
  notification.show();
}
