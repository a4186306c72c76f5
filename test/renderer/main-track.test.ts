/**
 * The main track under random edits: whatever a person adds, cuts, moves and takes away, its clips stand end to end,
 * overlap by their transitions alone, and all of it can be taken back to the same bytes.
 */
import { beforeEach, expect, test } from 'vitest';
import type { AddedMedia } from '../../renderer/editor/making/adding.svelte.ts';
import { entryOf } from '../../renderer/editor/timeline/cuts.ts';
import { timelineKey } from '../../renderer/editor/timeline/timeline-commands.svelte.ts';
import { transitionKinds } from '../../renderer/editor/timeline/transitions.ts';
import { transitionLength } from '../../shared/renderscript/tracks.ts';
import { seededRandom } from '../shared/random.ts';
import { keysPressed, openEditor, type OpenEditor } from './editor.ts';

const film = `{
  "output_format": "mp4", "width": 270, "height": 480, "frame_rate": 25,
  "elements": [
    { "type": "image", "name": "First", "track": 1, "duration": 4, "source": "media/lake.jpg" }
  ]
}`;
/** Of the video that the program brings. */
const seaSeconds = 6;
/** Steps of one film. */
const length = 30;

const open = await openEditor(film);

interface MainClip {
  readonly name: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** Seconds that it overlaps the one before it, as its transition says. */
  readonly overlap: number;
  /** The next one hides its end. */
  readonly cut: boolean;
}

function mainTrack({ editor }: OpenEditor): readonly MainClip[] {
  editor.document.settle();
  return (editor.timeline.clips?.top ?? [])
    .filter(({ track }) => track === 1)
    .map((clip) => {
      const entry = entryOf(clip)?.values;
      const { name, path, start, duration, cut } = clip;
      return {
        name,
        path,
        start,
        cut,
        end: start + duration,
        overlap: entry ? transitionLength(entry) : 0,
      };
    })
    .sort((one, other) => one.start - other.start);
}

/** What is wrong with it; '' if nothing is. */
function faultOf(clips: readonly MainClip[]): string {
  for (const [index, clip] of clips.entries()) {
    const before = clips[index - 1];
    // One that is shorter than the transition after it is covered from its beginning, as the engine has it. One that
    // was split within its transition may end before the clip that it covers: it does not count then.
    const latest = Math.max(...clips.slice(0, index).map((one) => one.end));
    const [due, other] = [before?.end ?? 0, latest].map((end) =>
      before ? Math.max(before.start, end - clip.overlap) : 0,
    );
    if (![due, other].some((one) => Math.abs(clip.start - (one ?? 0)) <= 0.003))
      return `${clip.name} begins at ${clip.start} s instead of ${due ?? 0} s`;
    if (clip.cut) return `${clip.name} loses its end`;
    if (clip.end - clip.start < 0.03) return `${clip.name} is ${clip.end - clip.start} s long`;
  }
  return '';
}

const takeBack = ({ editor }: OpenEditor): void => {
  for (let steps = 0; steps < 5 * length && editor.document.undoable; steps++)
    editor.document.undo();
  editor.document.settle();
};

beforeEach(() => takeBack(open));

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('film %i: no gap, no overlap', (seed) => {
  const { editor, app } = open;
  const random = seededRandom(seed);
  let added = 0;
  const media = (): AddedMedia => {
    const isPhoto = random.next() < 0.6;
    const name = `M${++added}`;
    return {
      ...{ name: `${name}.jpg`, width: 900, height: 1600 },
      ...(isPhoto
        ? { kind: 'image', source: 'media/lake.jpg', duration: 0 }
        : { kind: 'video', source: 'media/sea.mp4', duration: seaSeconds }),
    };
  };
  const press = (keys: string): unknown => timelineKey(keysPressed(keys), editor, app);
  const choose = (): MainClip | undefined => {
    const clips = mainTrack(open);
    const clip = clips.length > 0 ? random.pick(clips) : undefined;
    if (clip) {
      editor.canvas.selectAll([clip.path]);
      editor.preview.seek(clip.start + (clip.end - clip.start) * random.next());
    }
    return clip;
  };
  const edits: Readonly<Record<string, () => unknown>> = {
    add: () => editor.adding.addMedia([media()]),
    several: () => editor.adding.addMedia([media(), media()]),
    insert: () => {
      const end = mainTrack(open).at(-1)?.end ?? 0;
      editor.adding.addMedia([media()], { time: end * random.next(), track: 1 });
    },
    split: () => choose() && press('s'),
    delete: () => choose() && press('Delete'),
    'delete several': () => {
      const paths = mainTrack(open).flatMap(({ path }) => (random.next() < 0.4 ? [path] : []));
      editor.canvas.selectAll(paths);
      if (paths.length > 0) press(random.pick(['Delete', 'Shift+Delete']));
    },
    close: () => choose() && press('Shift+Delete'),
    'trim start': () => choose() && press('['),
    'trim end': () => choose() && press(']'),
    transition: () => {
      const clips = mainTrack(open);
      const clip = clips[1 + random.below(Math.max(1, clips.length - 1))];
      if (!clip) return;
      editor.transitions.show(clip.path);
      editor.transitions.choose(random.pick(transitionKinds).id);
    },
    'no transition': () => {
      const clip = mainTrack(open).find(({ overlap }) => overlap > 0);
      if (!clip) return;
      editor.transitions.show(clip.path);
      editor.transitions.remove();
    },
  };
  const done: string[] = [];
  for (let step = 0; step < length; step++) {
    const [name, edit] = random.pick(Object.entries(edits));
    edit();
    done.push(name);
    expect(faultOf(mainTrack(open)), done.join(', ')).toBe('');
  }
  takeBack(open);
  expect(editor.document.text).toBe(film);
});
