/**
 * What is ready-made: every piece is valid, stands within every picture, passes the check, and is found by its name.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { standingElements } from '../../shared/engine/layout/standing.ts';
import { languages } from '../../shared/languages.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { hintProblems } from '../../shared/renderscript/hints.ts';
import { checkDocument } from '../../server/engine/check/check.ts';
import { prepareDocument } from '../../server/jobs/desk/prepare-document.ts';
import { contextFor } from '../../renderer/editor/making/pieces.ts';
import {
  foundPieces,
  shelfElement,
  shelfKinds,
  shelfPieces,
} from '../../renderer/editor/shelf/shelf.ts';
import type { ShelfPiece } from '../../renderer/editor/shelf/parts.ts';
import { textsIn } from '../../renderer/ui/language.ts';
import { messages, say, speak } from '../../renderer/ui/say.ts';
import { openDrawing } from '../helpers/drawing.ts';
import { jobInto } from '../helpers/engine.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'framewright-shelf-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** All pieces in one document: at once, or one after the other. */
function shelfIn(width: number, height: number, seconds: number | null, still = false): Source {
  const ground: Source = {
    output_format: still ? 'png' : 'mp4',
    width,
    height,
    fill_color: '#12161c',
  };
  const context = contextFor(ground);
  return {
    ...ground,
    ...(!still && {
      frame_rate: 25,
      duration: (seconds ?? 4) * (seconds === null ? 1 : shelfPieces.length),
    }),
    elements: shelfPieces.map(({ piece }, index) => ({
      ...shelfElement(piece, context, still),
      name: piece.id,
      ...(seconds !== null && { track: 1, time: index * seconds, duration: seconds }),
    })),
  };
}

/** What is in these reaches over their box. */
const beyond = ({ id, size }: ShelfPiece): boolean => size === 'whole' || id === 'badgeBurst';

test('each piece has its own name, and as many are there as are promised', () => {
  const ids = shelfPieces.map(({ piece }) => piece.id);
  expect(new Set(ids).size).toBe(ids.length);
  const named = Object.keys(messages).filter((key) => key.startsWith('shelf.name.'));
  expect(ids.map((id) => `shelf.name.${id}`).sort()).toEqual(named.sort());
  expect(ids.length).toBeGreaterThan(110);
});

test.each([
  ['9:16', 1080, 1920],
  ['1:1', 1080, 1080],
  ['16:9', 1920, 1080],
])('in %s all are valid and stand within the picture', async (_, width, height) => {
  const source = shelfIn(width, height, null);
  expect([...validate(source), ...hintProblems(source)]).toEqual([]);
  const drawing = await openDrawing(source, { scratch, mediaFolders: [], renderScale: 1 });
  try {
    const moments = standingElements(drawing.timeline, drawing.context);
    const outside = moments.flat().flatMap(({ path: at, parent, area, room }) => {
      const index = Number(/\d+/.exec(at)?.[0]);
      const one = shelfPieces[index];
      if (!one || (parent !== '' && beyond(one.piece))) return [];
      const isIn =
        area.x >= -1 &&
        area.y >= -1 &&
        area.x + area.width <= room.width + 1 &&
        area.y + area.height <= room.height + 1;
      return isIn ? [] : [`${one.piece.id} ${at}`];
    });
    expect([...new Set(outside)]).toEqual([]);
    expect(moments.flat().length).toBeGreaterThan(shelfPieces.length);
  } finally {
    drawing.close();
  }
});

test('the check before rendering finds nothing to say of any', async () => {
  const { problems, text } = prepareDocument({ source: shelfIn(640, 360, 1.6), scaling: {} });
  const job = jobInto(scratch, 'film.mp4', JSON.parse(text) as Source);
  const { findings } = await checkDocument(
    { ...job, mediaFolders: [], problems },
    new AbortController().signal,
  );
  const told = findings
    .filter(({ level }) => level !== 'hint')
    .map(({ code, path: at, message }) => {
      const { piece } = shelfPieces[Number(/\d+/.exec(at)?.[0])] ?? {};
      return `${piece?.id ?? ''} ${code} ${at} ${message}`;
    });
  expect(told).toEqual([]);
});

test('in a picture nothing waits for its entrance', () => {
  const written = JSON.stringify(shelfIn(1080, 1080, null, true));
  expect(written).not.toMatch(/"animations"|"easing"/);
  expect(written).toContain('"stroke_end":"72%"');
});

describe.each(languages)('in %s', (language) => {
  test('a search finds each piece by its name, and each kind by its own', async () => {
    speak(await textsIn(language), language);
    try {
      for (const { piece } of shelfPieces) {
        const found = foundPieces(say(`shelf.name.${piece.id}`));
        expect(found, piece.id).toContain(piece);
        expect(foundPieces(messages[`shelf.name.${piece.id}`].toUpperCase())).toContain(piece);
      }
      for (const { id, pieces } of shelfKinds)
        expect(foundPieces(say(`shelf.kind.${id}`)), id).toEqual(
          expect.arrayContaining([...pieces]),
        );
      expect(foundPieces('qwxyz')).toEqual([]);
    } finally {
      speak(messages, 'en');
    }
  });
});
