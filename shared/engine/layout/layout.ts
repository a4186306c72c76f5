/**
 * Layout: timeline + time -> frame. Runs once per frame in the worker; a pure function of (timeline, time), except that
 * unchanged parts come back as the identical object.
 *
 * Every element has a body maker (size and content, bodies.ts); its composition gives it a place (flow.ts), its values
 * and animations a map and a look (place.ts, paint-values.ts, effects.ts), and siblings an order (order.ts).
 */
import { valuesAt } from '../compile/keyframes.ts';
import type { CompositionValues, VisualValues } from '../compile/property-values.ts';
import type { CompositionElement, Timeline, TimelineElement } from '../compile/timeline.ts';
import { multiply } from '../geometry.ts';
import { createGatherer } from './gather.ts';
import { bendOf, facingOf, isBent, movedBend } from './bend.ts';
import {
  createMediaBodies,
  createShapeBodies,
  createTextBodies,
  type Body,
  type BodyMaker,
  type LayoutContext,
} from './bodies.ts';
import type { Box, CompositionContent, Content, Frame } from './box.ts';
import { contentClock, documentClock, elementTime, isShowing, type Clock } from './clock.ts';
import { joinEffects, type JoinedEffects } from './effects.ts';
import { naturalSize, placeChildren, type Place, type Sized } from './flow.ts';
import { smallerSide, type Space } from './length.ts';
import { orderBoxes } from './order.ts';
import { fillPaint, lookOf } from './paint-values.ts';
import { elementMatrix, extentOf, isFlat, paddedRoom, sidesOf } from './place.ts';
import { keepList, remember } from './remember.ts';

/** Lays out the frames of one document. */
export interface Layout {
  /**
   * The document at a moment, seconds. Frames are the same in any order of moments; forwards is fastest. Unchanged
   * elements keep their `Box`, and boxes that only move keep their `content`.
   */
  frameAt(time: number): Frame;
  /**
   * Lays out another timeline from now on, which differs from the last one in values alone (compile/recompile.ts). What
   * did not change keeps its boxes; of what did, only what depends on the change is made anew.
   */
  follow(timeline: Timeline): void;
}

/** Layout of a compiled document. */
export function createLayout(compiled: Timeline, context: LayoutContext): Layout {
  let timeline = compiled;
  const { width, height } = timeline;
  const children = createChildren(timeline.root, context);
  const frameOf = remember((fill: Frame['fill'], boxes: readonly Box[]): Frame => ({
    width,
    height,
    fill,
    boxes,
  }));
  const fillOf = remember(fillPaint);
  return {
    frameAt(time) {
      const clock = documentClock(timeline, time);
      const fill = fillOf(valuesAt(timeline.fill, clock.time), width, height);
      const values = valuesAt(timeline.root.values, clock.time);
      const placed = children.at(values, clock, { width, height });
      return frameOf(fill, placed.place({ width, height }));
    },
    follow(next) {
      timeline = next;
      children.follow(next.root);
    },
  };
}

/**
 * The children of a composition at a moment: their sizes come first, their boxes once the composition's size is known.
 */
interface Placing {
  readonly natural: Space;
  place(content: Space): readonly Box[];
}

/** What is cached for a child between frames. */
interface Child {
  element: TimelineElement;
  readonly bodies: BodyMaker;
  readonly boxes: BoxMaker;
}

/** Lays out a composition's children. */
interface Children {
  /** `available` is the reference of percent sizes. */
  at(values: CompositionValues, clock: Clock, available: Space): Placing;
  /** Lays out those of this composition from now on, which differ in values alone. */
  follow(composition: CompositionElement): void;
}

function createChildren(composition: CompositionElement, context: LayoutContext): Children {
  let { children: elements } = composition;
  const children = elements.map((element): Child => ({
    element,
    bodies: createBodies(element, context),
    boxes: createBoxes(element),
  }));
  const keep = keepList<Box>();

  const at: Children['at'] = (values, clock, available) => {
    const shown = children
      .filter(({ element }) => isShowing(element, clock))
      .map((child) => {
        const time = elementTime(child.element, clock);
        context.onElement?.(child.element.path);
        return { child, time, state: child.bodies.at(time, available, clock.still) };
      });
    const sized = shown.map(({ state }) => sizedOf(state.values, state.body));
    return {
      natural: naturalSize(sized, values.flowDirection),
      place(content) {
        const places = placeChildren(sized, values, content);
        const members = shown.map(({ child: { element, boxes }, time, state }, index) => ({
          element,
          values: state.values,
          box:
            state.body &&
            boxes.of(
              state.values,
              state.body,
              places[index] ?? origin,
              clock.still ? null : time,
              content,
              available,
            ),
        }));
        return keep(orderBoxes(members, elements));
      },
    };
  };
  return {
    at,
    follow(next) {
      elements = next.children;
      for (const [index, child] of children.entries()) {
        const element = elements[index];
        if (!element || element === child.element) continue;
        child.element = element;
        child.bodies.follow(element);
        child.boxes.follow(element);
      }
    },
  };
}

const origin: Place = { x: 0, y: 0 };

/** What the flow needs of a child; hidden ones take no space. */
function sizedOf(values: VisualValues, body: Body | null): Sized {
  const { width, height, anchorX, anchorY } = body?.extent ?? {
    width: 0,
    height: 0,
    anchorX: 0,
    anchorY: 0,
  };
  return { values, width, height, anchorX, anchorY };
}

function createBodies(element: TimelineElement, context: LayoutContext): BodyMaker {
  switch (element.type) {
    case 'text':
      return createTextBodies(element, context);
    case 'image':
    case 'video':
      return createMediaBodies(element, context);
    case 'shape':
      return createShapeBodies(element);
    case 'composition':
      return createCompositionBodies(element, context);
  }
}

/** Bodies of compositions: a missing side fits the children. */
function createCompositionBodies(element: CompositionElement, context: LayoutContext): BodyMaker {
  let { values: animated } = element;
  const inside = createChildren(element, context);
  const extent = remember(extentOf);
  const content = remember(
    (originX: number, originY: number, children: readonly Box[]): CompositionContent => ({
      kind: 'composition',
      originX,
      originY,
      children,
    }),
  );
  const body = remember((frame: Body['extent'], drawn: Content): Body => ({
    extent: frame,
    content: drawn,
  }));

  const at: BodyMaker['at'] = (time, space, still) => {
    const values = valuesAt(animated, time);
    if (!values.visible) return { values, body: null };
    const sides = sidesOf(values, space);
    const { paddingX, paddingY } = sides;
    // On a missing side, children's percent sizes refer to the parent: the composition's own size isn't known yet.
    const framed = extentOf(values, sides.width ?? space.width, sides.height ?? space.height).box;
    const available = paddedRoom(framed, sides);
    const children = inside.at(values, contentClock(element, time, still), available);
    const frame = extent(
      values,
      sides.width ?? children.natural.width + 2 * paddingX,
      sides.height ?? children.natural.height + 2 * paddingY,
    );
    const room = paddedRoom(frame.box, sides);
    return { values, body: body(frame, content(room.x, room.y, children.place(room))) };
  };
  return {
    at,
    follow(next) {
      if (next.type !== 'composition') return;
      animated = next.values;
      inside.follow(next);
    },
  };
}

/** Makes an element's boxes. */
interface BoxMaker {
  /**
   * A box from a placed body, or null if nothing of it would be visible. A time of null: no animations. `available` is
   * the reference of percent sizes; it differs from the parent if that follows its content.
   */
  of(
    values: VisualValues,
    body: Body,
    place: Place,
    time: number | null,
    parent: Space,
    available: Space,
  ): Box | null;
  /** Makes those of this element from now on, which differs in values alone. */
  follow(element: TimelineElement): void;
}

function createBoxes(made: TimelineElement): BoxMaker {
  let element = made;
  const looksOf = remember(lookOf);
  const gather = createGatherer();
  const restingBox = remember(
    (
      of: TimelineElement,
      values: VisualValues,
      body: Body,
      x: number,
      y: number,
      whole: number,
    ): Box | null => {
      const { width, height } = body.extent.box;
      if (!body.content) return null;
      const look = looksOf(values, width, height, whole);
      const drawn = look.fill !== null || look.stroke !== null;
      if (!hasInk(body.content, width, height, drawn)) return null;
      const transform = elementMatrix(values, body.extent, { x, y });
      if (values.opacity <= 0 || isFlat(transform)) return null;
      const bend = isBent(values) ? bendOf(values, body.extent, { x, y }) : null;
      return {
        element: of,
        width,
        height,
        transform,
        ...(bend && { bend }),
        contentTransform: null,
        opacity: Math.min(1, values.opacity),
        ...look,
        clipPaths: [],
        content: body.content,
      };
    },
  );

  const of: BoxMaker['of'] = (values, body, { x, y }, time, parent, available) => {
    const resting = restingBox(element, values, body, x, y, smallerSide(available));
    if (!resting) return null;
    const facing = resting.bend ? facingOf(values) : 1;
    const still = facing > 0 || (facing < 0 && values.backfaceVisible) ? resting : null;
    if (time === null || element.animations.length === 0) return still;
    const { width, height } = resting;
    const frame = {
      width,
      height,
      parentWidth: parent.width,
      parentHeight: parent.height,
      toParent: resting.transform,
    };
    const effects = joinEffects(element.animations, time, frame);
    if (!effects) return still;

    const moved = movedBox(resting, effects, facing, values.backfaceVisible);
    return moved && gather(moved, effects);
  };
  return {
    of,
    follow(next) {
      element = next;
    },
  };
}

/**
 * A box with its animations' effects at a moment; null = nothing of it would be visible. `facing` is negative while its
 * own rotation shows its back.
 */
function movedBox(
  resting: Box,
  { opacity, shiftX, shiftY, boxMatrix, contentMatrix, clips, turn, copies }: JoinedEffects,
  facing: number,
  backfaceVisible: boolean,
): Box | null {
  if (copies?.length === 0) return null;
  const seen = facing * (turn?.facing ?? 1);
  const hidesBack = !backfaceVisible || turn?.backfaceVisible === false;
  if (seen === 0 || (seen < 0 && hidesBack)) return null;
  const [a, b, c, d, e, f] = resting.transform;
  const shifted = [a, b, c, d, e + shiftX, f + shiftY] as const;
  const transform = boxMatrix ? multiply(shifted, boxMatrix) : shifted;
  if (opacity <= 0 || isFlat(transform)) return null;
  return {
    ...resting,
    transform,
    rest: resting.transform,
    ...((resting.bend || turn) && {
      bend: movedBend(resting, shiftX, shiftY, turn?.map ?? boxMatrix),
    }),
    contentTransform: contentMatrix,
    opacity: Math.min(1, resting.opacity * opacity),
    clipPaths: clips,
  };
}

/**
 * True if anything is visible. `painted`: the box has a fill or an outline. A line without height still shows its
 * outline.
 */
function hasInk(content: Content, width: number, height: number, painted: boolean): boolean {
  switch (content.kind) {
    case 'shape':
      return painted && (width > 0 || height > 0);
    case 'composition':
      return content.children.length > 0 || (painted && width > 0 && height > 0);
    case 'media':
      return width > 0 && height > 0;
    case 'text':
      return true;
  }
}
