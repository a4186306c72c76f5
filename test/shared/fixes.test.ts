/** The one change that a problem asks for: a value, or a name; none where a guess could lose something. */
import { expect, test } from 'vitest';
import { fixOf } from '../../shared/renderscript/fixes.ts';
import { hintProblems } from '../../shared/renderscript/hints.ts';
import type { Json, Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';

const fixesOf = (element: Record<string, Json>): unknown[] => {
  const source: Source = { width: 100, height: 100, elements: [{ type: 'text', ...element }] };
  return [...validate(source), ...hintProblems(source)].map((problem) => fixOf(source, problem));
};

test.each<[Record<string, Json>, unknown[]]>([
  // Another name; with it the value, if it means something else there.
  [{ fontSize: 12 }, [{ kind: 'name', name: 'font_size' }]],
  [{ color: '#ffffff' }, [{ kind: 'name', name: 'fill_color' }]],
  [{ text_align: 'center' }, [{ kind: 'name', name: 'x_alignment', value: '50%' }]],
  // Another value.
  [{ line_height: '1.2em' }, [{ kind: 'value', value: '120%' }]],
  [{ z_rotation: '6deg' }, [{ kind: 'value', value: '6°' }]],
  [{ text_transform: 'Uppercase' }, [{ kind: 'value', value: 'uppercase' }]],
  [{ animations: [{ type: 'fadee' }] }, [null, { kind: 'value', value: 'fade' }]],
  [{ animations: [{ type: 'fade', durration: 1 }] }, [{ kind: 'name', name: 'duration' }]],
  // Nothing: it would overwrite what is there, or nobody knows.
  [{ fontSize: 12, font_size: 14 }, [null]],
  [{ 'font.size': 12 }, [null]],
  [{ fill_color: 'octarine' }, [null]],
  [{ opacity: [] }, [null]],
])('%j', (element, fixes) => {
  expect(fixesOf(element)).toEqual(fixes);
});
