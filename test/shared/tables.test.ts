/** The property and animation tables: complete, sound, and in step with the generated reference. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  animationDefaults,
  animationOption,
  animationTypes,
  commonAnimationOptions,
} from '../../shared/renderscript/animation-types.ts';
import { parseEasing } from '../../shared/renderscript/easing.ts';
import {
  defaultOf,
  properties,
  propertiesOf,
  property,
} from '../../shared/renderscript/properties.ts';
import { referenceFile } from '../../shared/renderscript/reference.ts';
import { expectation, keepsRule } from '../../shared/renderscript/rules.ts';
import { elementTypes } from '../../shared/renderscript/source.ts';

const owners = ['root', ...elementTypes] as const;

describe('properties', () => {
  test('the language has all its properties', () => {
    // 21 of the service, `target_loudness` and `variables`.
    expect(propertiesOf('root')).toHaveLength(24);
    const counts = Object.fromEntries(
      elementTypes.map((type) => [type, propertiesOf(type).length]),
    );
    // 62 common ones on everything that shows; audio has 10 of them. Ours are the 12 of the look there, and `duck` and
    // `noise_reduction` of sounds; Lottie animations are ours altogether.
    expect(counts).toEqual({
      image: 78,
      video: 87,
      audio: 22,
      text: 97,
      shape: 79,
      composition: 78,
      lottie: 82,
    });
  });

  test('every property is listed once on each of its owners', () => {
    for (const owner of owners) {
      const names = properties.filter((row) => row.on.includes(owner)).map((row) => row.name);
      expect(new Set(names).size, owner).toBe(names.length);
      expect(propertiesOf(owner).map(([name]) => name)).toEqual(names);
    }
  });

  test('every default keeps its own rule', () => {
    for (const owner of owners) {
      for (const [name, row] of propertiesOf(owner)) {
        if (name !== 'type')
          expect([name, expectation(row.rule, defaultOf(owner, name))]).toEqual([name, null]);
      }
    }
  });

  test.each([
    ['text', 'width', null],
    ['image', 'width', '100%'],
    ['composition', 'height', '100%'],
    ['root', 'width', null],
    ['video', 'duration', 'media'],
    ['image', 'duration', null],
    ['text', 'fill_color', '#000000'],
    ['shape', 'fill_color', null],
    ['shape', 'x_anchor', null],
    ['text', 'x_anchor', '50%'],
    ['text', 'x_alignment', '0%'],
    ['image', 'x_alignment', '50%'],
    ['image', 'shadow_blur', '3 vmin'],
    ['root', 'output_format', 'jpg'],
    ['composition', 'fill_y0', '0%'],
  ] as const)('default of %s.%s is %j', (owner, name, value) => {
    expect(defaultOf(owner, name)).toBe(value);
  });

  test('look-ups of unknown names', () => {
    for (const name of ['no_such', 'constructor', '__proto__', 'toString']) {
      expect(property('text', name)).toBeUndefined();
      expect(() => defaultOf('text', name)).toThrow(`There is no property '${name}' on 'text'`);
    }
    expect(property('audio', 'x')).toBeUndefined();
    expect(property('root', 'fill_color')).toBe(property('text', 'fill_color'));
    expect(property('root', 'loop')).not.toBe(property('video', 'loop'));
  });

  test.each([
    'x',
    'width',
    'opacity',
    'text',
    'font_size',
    'fill_color',
    'path',
    'mask_mode',
    'clip',
    'fill_x0',
    'z_index',
  ])('%s takes keyframes', (name) => {
    expect(
      properties
        .filter((row) => row.name === name && !row.on.includes('root'))
        .every((row) => row.keyframable),
    ).toBe(true);
  });

  test.each([
    'track',
    'time',
    'duration',
    'source',
    'fit',
    'trim_start',
    'audio_fade_in',
    'transcript_color',
    'name',
  ])('%s takes no keyframes', (name) => {
    expect(properties.filter((row) => row.name === name).some((row) => row.keyframable)).toBe(
      false,
    );
  });
});

describe('animation types', () => {
  test('17 for elements, 9 for texts', () => {
    const targets = Array.from(animationTypes.values(), (type) => type.target);
    expect(targets.filter((target) => target === 'element')).toHaveLength(17);
    expect(targets.filter((target) => target === 'text')).toHaveLength(9);
  });

  test('every option has a default that keeps its rule, and a name of its own', () => {
    for (const type of animationTypes.values()) {
      const options = [...commonAnimationOptions, ...type.options];
      expect(new Set(options.map((option) => option.name)).size, type.name).toBe(options.length);
      for (const option of options) {
        expect(keepsRule(option.rule, option.default), `${type.name}.${option.name}`).toBe(true);
      }
    }
  });

  test('look-ups', () => {
    expect(animationOption('scale', 'start_scale')?.default).toBe('0%');
    expect(animationOption('slide', 'reversed')?.default).toBe(false);
    expect(animationOption('wiggle', 'z_angle')?.name).toBe('z_rotation');
    expect(animationOption('scale', 'x_angle')).toBeUndefined();
    expect(animationOption('constructor', 'name')).toBeUndefined();
    expect(parseEasing(animationDefaults.easing)).not.toBeNull();
  });

  test.each([
    ['slide', true],
    ['text-slide', true],
    ['film-roll', false],
    ['stripe', false],
    ['shake', false],
    ['bounce', false],
    ['wiggle', false],
  ])('%s fades along: %j', (type, fades) => {
    expect(animationOption(type, 'fade')?.default).toBe(fades);
  });
});

test('REFERENCE.md is made from these tables', () => {
  const file = new URL('../../shared/renderscript/REFERENCE.md', import.meta.url);
  const renewed = referenceFile();
  if (process.env.UPDATE_REFERENCE === '1') writeFileSync(file, renewed);
  const isInStep = readFileSync(file, 'utf8') === renewed;
  expect(isInStep, 'run npm run generate -- reference').toBe(true);
  expect(renewed).toContain(
    '| `font_size` | number of pixels, `%`, `px`, `vw`, `vh`, `vmin`, `vmax`; at least 0.1; or null |',
  );
});
