/** The markers of a template as a part of the code's state, so that its history undoes them, too. */
import { invertedEffects } from '@codemirror/commands';
import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state';
import type { Marker } from '../../../shared/markers.ts';

export const putMarkers = StateEffect.define<readonly Marker[]>();

const field = StateField.define<readonly Marker[]>({
  create: () => [],
  update: (markers, { effects }) =>
    effects.reduce((now, effect) => (effect.is(putMarkers) ? effect.value : now), markers),
});

/** Keeps them; each change of them is undone with its step. */
export const markerField: Extension = [
  field,
  invertedEffects.of(({ effects, startState }) =>
    effects.some((effect) => effect.is(putMarkers)) ? [putMarkers.of(startState.field(field))] : [],
  ),
];

export const markersIn = (state: EditorState): readonly Marker[] => state.field(field, false) ?? [];
