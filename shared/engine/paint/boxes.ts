/**
 * The order of drawing, once for all kinds of elements: siblings ▸ one box, blended with its backdrop ▸ its shadow ▸
 * its effects ▸ its own drawing. Phase 4. Each kind of element and each effect has its own file.
 */

import { RenderError } from '../errors.ts';
import {
  identity,
  mappedBounds,
  multiply,
  translation,
  type Matrix,
  type Rect,
} from '../geometry.ts';
import { bentBounds } from '../layout/bend.ts';
import type { Box, CompositionContent, Content } from '../layout/box.ts';
import type { PixelEffects } from '../layout/paint-values.ts';
import type { Composite, Context } from '../surface.ts';
import { paintBent } from './bend.ts';
import { finishedBounds, inkBounds, intersection, wholePixels } from './bounds.ts';
import { paintEffects } from './effects.ts';
import { cssColor } from './fill.ts';
import { paintStandingGradient } from './gradients.ts';
import { asGroup, groupPlace, isIsolated, isOneDrawing } from './group.ts';
import { compositeOf, enterBox, place, placeOf, type Layer, type Layers } from './layers.ts';
import { applyMask } from './mask.ts';
import type { MediaPainter } from './media.ts';
import { anywhere, keepsSize, motionIn, type Motion } from './motion.ts';
import type { PictureMotion } from './picture-sizes.ts';
import { paintRepeated } from './repeat.ts';
import { holdsShadows, paintShadow, paintWithShadow } from './shadow.ts';
import { fillBox, outlineBox, paintShape, windowPath } from './shape.ts';
import type { Luts } from '../lut.ts';
import type { Fonts } from './sources.ts';
import { paintText, type TextBrush } from './text.ts';

/** What lives as long as the painter. */
export interface Room {
  readonly layers: Layers;
  readonly media: MediaPainter;
  readonly fonts: Fonts;
  readonly luts: Luts | undefined;
  /** Called before an element is drawn, with its path; null after the last one. */
  readonly onElement: (path: string | null) => void;
  /** True: finish every element before the next. */
  readonly closely: boolean;
}

/** Where siblings are drawn, and how that place moves. */
export interface Brush extends Motion {
  readonly layer: Layer;
  /** The parent's content space → the layer's pixel space. */
  readonly parent: Matrix;
  /** The parent's content space, for elements that repeat over it. */
  readonly parentWidth: number;
  readonly parentHeight: number;
}

/** One element's drawing, with its place and blending decided. */
interface Drawing extends Motion {
  readonly room: Room;
  readonly layer: Layer;
  /** Box space → the layer's pixel space. */
  readonly matrix: Matrix;
  readonly alpha: number;
  readonly composite: Composite;
  /** True if it keeps its size, even if it glides; absent = false. */
  readonly steady?: boolean;
}

/** Draws siblings in order, each with the masks that follow it. `part`: only those that touch it. */
export function paintBoxes(room: Room, brush: Brush, boxes: readonly Box[], part?: Rect): void {
  for (let index = 0; index < boxes.length; index++) {
    const box = boxes[index];
    if (!box || box.mask) continue;
    if (part && !box.repeat && !reachesInto(box, brush.parent, part)) continue;
    const masks: Box[] = [];
    for (let next = boxes[index + 1]; next?.mask; next = boxes[index + 1 + masks.length])
      masks.push(next);
    paintBox(room, brush, box, masks);
  }
}

function reachesInto(box: Box, parent: Matrix, part: Rect): boolean {
  const bounds = finishedBounds(box, parent);
  const pixels = bounds && wholePixels(bounds);
  return pixels !== null && intersection(pixels, part) !== null;
}

/**
 * Draws one box: skips it if nothing can show, draws it directly if that gives the same picture, else finishes it on a
 * layer and blends that with its backdrop. `alpha` and `composite` come from a composition that contains nothing else.
 */
function paintBox(
  room: Room,
  brush: Brush,
  box: Box,
  masks: readonly Box[] = [],
  alpha = 1,
  composite: Composite = 'source-over',
): void {
  const opacity = box.opacity * alpha;
  const matrix = multiply(brush.parent, box.transform);
  const isFlat = Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) < 1e-9;
  if (opacity <= 0 || isFlat) return;
  const mixing = box.blendMode === 'none' ? composite : compositeOf(box.blendMode);

  const plain = opacity >= 1 && mixing === 'source-over';
  room.onElement(box.element.path);
  try {
    if (masks.length === 0 && !isIsolated(box) && (plain || isOneDrawing(box)))
      finish(room, brush, box, opacity, mixing);
    else paintAsGroup(room, brush, box, masks, opacity, mixing);
    if (room.closely) drawNow(brush.layer.ctx);
  } catch (error) {
    throw named(error, box);
  }
}

/** The canvas only records operations, and draws when pixels are read. */
export function drawNow(ctx: Context): void {
  ctx.getImageData(0, 0, 1, 1);
}

/** Turns a reason into a sentence that names the innermost element. */
function named(error: unknown, { element: { name, path } }: Box): unknown {
  if (!(error instanceof RenderError) || error.code !== 'limit_exceeded') return error;
  if (error.path !== undefined) return error;
  const message = `Render error: ${name}: ${error.message}`;
  return new RenderError(error.code, message, { path, cause: error });
}

function paintAsGroup(
  room: Room,
  brush: Brush,
  box: Box,
  masks: readonly Box[],
  opacity: number,
  mixing: Composite,
): void {
  asGroup(room.layers, brush.layer, groupPlace(brush, box, masks), opacity, mixing, (layer) => {
    finish(room, { ...brush, layer }, box, 1, 'source-over');
    for (const mask of masks) {
      if (!mask.mask) continue;
      const source = {
        box: mask,
        matrix: multiply(brush.parent, mask.transform),
        key: placeKey(brush),
        element: { box, matrix: multiply(brush.parent, box.transform) },
      };
      applyMask(room.layers, layer, mask.mask, source, (inside) =>
        paintBox(room, { ...brush, layer: inside }, { ...mask, mask: null, blendMode: 'none' }),
      );
    }
  });
}

/** Everything of the place that a drawing's pixels depend on, as a key. */
function placeKey({ parent, parentWidth, parentHeight, rest, still, stands }: Brush): string {
  return JSON.stringify([parent, parentWidth, parentHeight, rest, still, stands]);
}

/** Shadow, then the element with its effects. */
function finish(room: Room, brush: Brush, box: Box, alpha: number, composite: Composite): void {
  const { layer, parent } = brush;
  if (box.repeat) {
    paintTiles(room, brush, box, alpha, composite);
    return;
  }
  const motion = motionIn(brush, box);
  const steady = brush.stands && keepsSize(box.element);
  const { bend, shadow } = box;
  if (!bend && !shadow) {
    const matrix = multiply(parent, box.transform);
    paintUnshadowed({ room, layer, matrix, ...motion, steady, alpha, composite }, box);
    return;
  }
  const ink = inkBounds(box);
  if (!ink) return;
  const bent = bend && { ...box, bend };
  // A bent drawing is already in the parent's space; only the parent's map is left.
  const place = bent ? parent : multiply(parent, box.transform);
  const draw = (drawing: Drawing): void => {
    if (!bent) {
      paintUnshadowed(drawing, box);
      return;
    }
    const job = { ...drawing, box: bent, ink, parent: drawing.matrix };
    paintBent(room.layers, drawing.layer, job, (inside, matrix) =>
      paintUnshadowed({ room, layer: inside, matrix, ...anywhere, ...plainly }, box),
    );
  };
  const reach = bent ? bentBounds(bent, ink) : ink;
  const own = { room, matrix: place, ...motion, steady: steady && !bent };
  const cast = shadow && reach && { box, shadow, ink: reach, matrix: place, parent };
  if (cast && holdsShadows(box)) {
    paintWithShadow(room.layers, layer, cast, (inside) =>
      draw({ ...own, layer: inside, ...plainly }),
    );
    return;
  }
  if (cast)
    paintShadow(room.layers, layer, cast, motion.still, (inside, matrix, still) =>
      draw({ room, layer: inside, matrix, ...anywhere, still, ...plainly }),
    );
  draw({ ...own, layer, alpha, composite });
}

/** Repeats the element over its parent; opacity and blending apply once, to the whole pattern. */
function paintTiles(room: Room, brush: Brush, box: Box, alpha: number, composite: Composite): void {
  const tile: Box = { ...box, repeat: false, transform: identity, opacity: 1, blendMode: 'none' };
  const pattern = { box, parent: brush, alpha, composite };
  paintRepeated(room.layers, brush.layer, pattern, (inside, matrix) =>
    paintBox(room, { ...brush, ...anywhere, layer: inside, parent: matrix }, tile),
  );
}

/** Opaque and over what is there. */
const plainly = { alpha: 1, composite: 'source-over' } as const;

/** The element with its effects and clips of animations, flat, without its shadow. */
function paintUnshadowed(drawing: Drawing, box: Box): void {
  const { room, layer } = drawing;
  const effects = room.media.putsLook(box) ? withoutLook(box.effects) : box.effects;
  if (!effects) {
    paintPlain(drawing, box);
    return;
  }
  if (paintVeiled(drawing, box, effects)) return;
  paintEffects(room.layers, layer, {
    ...drawing,
    box,
    effects,
    luts: room.luts,
    draw: (inside, plainBox, map, still) =>
      paintPlain(
        { room, layer: inside, matrix: map, ...anywhere, still, ...plainly },
        { ...plainBox, clipPaths: [] },
      ),
  });
}

/** What is left to do of effects, or null. */
function withoutLook(effects: PixelEffects | null): PixelEffects | null {
  if (!effects) return null;
  const { blur, filter, overlay, vignette } = effects;
  const isDone = blur === 0 && filter === 'none' && !overlay && vignette === 0;
  return isDone ? null : { ...effects, key: null, grade: null, lut: null };
}

/**
 * A shortcut for the commonest effect, a darkened picture: if the picture is opaque, a colour over its own pixels is a
 * colour over everything. False if that does not apply; then nothing is drawn.
 */
function paintVeiled(drawing: Drawing, box: Box, effects: PixelEffects): boolean {
  const { room, layer, matrix, alpha, composite } = drawing;
  const { content, fill, stroke, clipPaths } = box;
  const { key, grade, lut, vignette, blur, filter, overlay } = effects;
  if (key || grade || lut || vignette > 0) return false;
  if (!overlay || blur > 0 || filter !== 'none' || alpha < 1 || composite !== 'source-over')
    return false;
  if (content.kind !== 'media' || fill || stroke || clipPaths.length > 0) return false;
  const area = room.media.solidArea(box, content, matrix, placeOf(layer));
  if (!area) return false;
  paintPlain(drawing, box);
  const { ctx } = layer;
  ctx.save();
  place(layer, matrix);
  ctx.fillStyle = cssColor(overlay);
  ctx.fillRect(area.x, area.y, area.width, area.height);
  ctx.restore();
  return true;
}

/** The element's own drawing: cuts by animations, then fill, content and outline. */
function paintPlain(drawing: Drawing, box: Box): void {
  enterBox(drawing.layer, box, drawing);
  const { content } = box;
  // Row and content have the same kind, which the compiler does not see.
  const paint = painters[content.kind] as (drawing: Drawing, box: Box, content: Content) => void;
  paint(drawing, box, content);
  drawing.layer.ctx.restore();
}

/** How a kind of element is drawn: fill, content, outline. Transform, clips and blending are already set. */
const painters = {
  text: (drawing, box, content) => {
    const { room, layer, rest, still } = drawing;
    inContent(drawing, box, (matrix) => {
      const group: TextBrush['group'] = (bounds, map, alpha, draw) =>
        asGroup(room.layers, layer, mappedBounds(map, bounds), alpha, 'source-over', draw);
      paintText({ layer, matrix, rest, fonts: room.fonts, still, group }, box, content);
    });
  },
  shape: (drawing, box, content) => {
    // See: [Note: Standing gradients]
    if (drawing.still && paintStandingGradient(drawing.room.layers, drawing, box, content)) return;
    inContent(drawing, box, () => paintShape(drawing.layer.ctx, box, content));
  },
  media: (drawing, box, content) => {
    fillBox(drawing.layer.ctx, box);
    inContent(drawing, box, (matrix) =>
      drawing.room.media.draw(drawing.layer.ctx, box, content, matrix, motionOf(drawing)),
    );
    outlineBox(drawing.layer.ctx, box);
  },
  composition: (drawing, box, content) => {
    fillBox(drawing.layer.ctx, box);
    inContent(drawing, box, (matrix) => paintChildren(drawing, box, content, matrix));
    outlineBox(drawing.layer.ctx, box);
  },
} satisfies {
  [K in Content['kind']]: (
    drawing: Drawing,
    box: Box,
    content: Extract<Content, { kind: K }>,
  ) => void;
};

/** How the drawn copy of a picture moves. */
function motionOf({ still, steady }: Drawing): PictureMotion {
  return still ? 'still' : steady ? 'glides' : 'resizes';
}

/** Draws content clipped to its box if the box says so, and moved inside it. */
function inContent({ layer, matrix }: Drawing, box: Box, draw: (matrix: Matrix) => void): void {
  const { ctx } = layer;
  ctx.save();
  if (box.clip) ctx.clip(windowPath(box));
  const map = box.contentTransform ? multiply(matrix, box.contentTransform) : matrix;
  place(layer, map);
  draw(map);
  ctx.restore();
}

function paintChildren(
  drawing: Drawing,
  box: Box,
  content: CompositionContent,
  matrix: Matrix,
): void {
  const { room, layer, rest, still, stands, alpha, composite } = drawing;
  const { originX, originY, children } = content;
  const padding = translation(originX, originY);
  const brush: Brush = {
    layer,
    parent: multiply(matrix, padding),
    // Padding is on both sides, so what is left of the box is the children's space.
    parentWidth: box.width - 2 * originX,
    parentHeight: box.height - 2 * originY,
    rest: rest && multiply(rest, padding),
    still,
    stands,
  };
  if (alpha >= 1 && composite === 'source-over') {
    paintBoxes(room, brush, children);
    return;
  }
  // A single child takes over opacity and blending; see `isOneDrawing`.
  const [child, ...masks] = children;
  if (child) paintBox(room, brush, child, masks, alpha, composite);
}
