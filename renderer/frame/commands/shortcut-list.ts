/**
 * The list of shortcuts as it is read: by place, with keys that belong together on one line. Pure but for the words.
 */
import {
  commandIds,
  commandTable,
  fixedKeys,
  places,
  type CommandId,
  type FixedKeyId,
  type Place,
} from '../../../shared/commands.ts';
import { nameOfCommand } from './command.ts';
import { say, type MessageKey } from '../../ui/say.ts';

/** Where shortcuts hold, and what they do. */
export interface ShortcutGroup {
  readonly place: Place;
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly keys: readonly string[] }[];
}

type LineText = MessageKey & `shortcuts.${string}`;
type Id = CommandId | FixedKeyId;

/** Ids that share a line, which stands where the first of them would. */
const joined: readonly (readonly [LineText, readonly Id[]])[] = [
  ['shortcuts.pages', ['go-home', 'go-queue', 'go-templates', 'go-feeds', 'go-api', 'go-settings']],
  ['shortcuts.panes', ['next-pane', 'previous-pane']],
  ['shortcuts.zoom', ['zoom-in', 'zoom-out', 'zoom-reset']],
  ['shortcuts.close', ['close']],
  [
    'shortcuts.move',
    [
      ...(['row-up', 'row-down', 'row-left', 'row-right'] as const),
      ...(['row-first', 'row-last', 'page-up', 'page-down'] as const),
    ],
  ],
  ['shortcuts.extend', ['extend-up', 'extend-down']],
  ['shortcuts.open', ['open']],
  ['shortcuts.tick', ['tick']],
  ['shortcuts.menu', ['row-menu']],
  ['shortcuts.files', ['open-file', 'show-in-folder']],
  ['shortcuts.reorder', ['move-up', 'move-down', 'move-to-top', 'move-to-bottom']],
  ['shortcuts.history', ['undo-edit', 'redo-edit']],
  ['shortcuts.problems', ['next-problem', 'previous-problem']],
  ['shortcuts.editorPanes', ['focus-left', 'focus-preview', 'focus-source']],
  ['shortcuts.elements', ['element-up', 'element-down', 'element-in', 'element-out']],
  ['shortcuts.captionLines', ['previous-caption', 'next-caption']],
  ['shortcuts.captionFrames', ['caption-back', 'caption-on']],
  ['shortcuts.captionTens', ['caption-back-ten', 'caption-on-ten']],
  ['shortcuts.captionsFrames', ['captions-back', 'captions-on']],
  ['shortcuts.nudge', ['nudge-left', 'nudge-right', 'nudge-up', 'nudge-down']],
  ['shortcuts.push', ['push-left', 'push-right', 'push-up', 'push-down']],
  ['shortcuts.order', ['bring-forward', 'send-backward']],
  ['shortcuts.alignX', ['align-left', 'align-centre', 'align-right']],
  ['shortcuts.alignY', ['align-top', 'align-middle', 'align-bottom']],
  ['shortcuts.spread', ['spread-across', 'spread-down']],
  ['shortcuts.clipFrames', ['clip-back', 'clip-on']],
  ['shortcuts.clipTens', ['clip-back-ten', 'clip-on-ten']],
  ['shortcuts.clipTracks', ['clip-up', 'clip-down']],
  ['shortcuts.trims', ['trim-start', 'trim-end']],
  ['shortcuts.keyframes', ['previous-keyframe', 'next-keyframe']],
  ['shortcuts.markers', ['next-marker', 'previous-marker']],
  ['shortcuts.beats', ['next-beat', 'previous-beat']],
  ['shortcuts.cuts', ['previous-cut', 'next-cut']],
  ['shortcuts.timelineZoom', ['timeline-zoom-in', 'timeline-zoom-out', 'timeline-fit']],
  ['shortcuts.frames', ['frame-back', 'frame-on']],
  ['shortcuts.seconds', ['second-back', 'second-on']],
  ['shortcuts.ends', ['to-start', 'to-end']],
  ['shortcuts.shuttle', ['play-back', 'stop', 'play-on']],
  ['shortcuts.part', ['mark-first', 'mark-last', 'clear-part']],
];

/** Extending by pages and to the ends goes without saying beside these. */
const unlisted: readonly Id[] = [
  ...(['extend-first', 'extend-last', 'extend-page-up', 'extend-page-down'] as const),
];

/** The keys as they are now; `Shortcuts` is one. */
interface KeySource {
  of(id: CommandId): readonly string[];
  print(keys: string): string;
}

/** Everything that has keys now. @param isDesktop Else what only the desktop does is left out. */
export function shortcutGroups(shortcuts: KeySource, isDesktop: boolean): readonly ShortcutGroup[] {
  const keysOf = (id: Id): readonly string[] =>
    isFixed(id) ? fixedKeys[id].keys : shortcuts.of(id);
  const isThere = (id: Id): boolean => {
    if (unlisted.includes(id) || keysOf(id).length === 0) return false;
    return isFixed(id) || commandTable[id].only !== (isDesktop ? 'browser' : 'desktop');
  };
  return places.flatMap((place) => {
    const ids = idsOf(place).filter(isThere);
    const lines = ids.flatMap((id) => {
      const line = joined.find(([, members]) => members.includes(id));
      const members = line ? ids.filter((one) => line[1].includes(one)) : [id];
      if (members[0] !== id) return [];
      // A line for several only where there are several.
      const single = members.length === 1 && !isFixed(id) ? nameOfCommand(id) : undefined;
      const label = single ?? (line ? textOf(line[0]) : '');
      // Of each in a line that is shared, the first keys say enough.
      const keys = members.flatMap((one) =>
        members.length > 1 ? keysOf(one).slice(0, 1) : keysOf(one),
      );
      return [{ label, keys: keys.map((one) => shortcuts.print(one)) }];
    });
    return lines.length === 0 ? [] : [{ place, title: textOf(`place.${place}`), lines }];
  });
}

/** Fixed keys first where they are most of what a place has. */
function idsOf(place: Place): readonly Id[] {
  // Object.keys only knows strings; these are the keys of the table.
  const fixed = (Object.keys(fixedKeys) as FixedKeyId[]).filter(
    (id) => fixedKeys[id].where === place,
  );
  const own = commandIds.filter((id) => commandTable[id].where.includes(place));
  return place === 'list' ? [...fixed, ...own] : [...own, ...fixed];
}

function isFixed(id: Id): id is FixedKeyId {
  return Object.hasOwn(fixedKeys, id);
}

// These words have no holes, which the type of a chosen key can't tell.
const textOf = say as (key: LineText | `place.${Place}`) => string;
