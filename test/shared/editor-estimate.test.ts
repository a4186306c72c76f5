/** What the editor tells of a render before it is made, and how its timeline is stacked. */
import { describe, expect, test } from 'vitest';
import type { WindowRender } from '../../shared/api.ts';
import { estimateOf } from '../../renderer/editor/render/estimate.ts';

const wanted = { template: 'A', format: 'mp4', width: 640, height: 360, duration: 4 } as const;

/** A finished film of `wanted`'s size and length, unless told otherwise. */
function finished(record: Partial<WindowRender['record']>, seconds = 10): WindowRender {
  return {
    id: 'x',
    project: 'p',
    createdAt: 0,
    startedAt: 1000,
    finishedAt: 1000 + seconds * 1000,
    expiresAt: 0,
    attempts: 1,
    cancelled: false,
    order: 0,
    record: {
      id: 'x',
      status: 'succeeded',
      url: '',
      output_format: 'mp4',
      template_id: 'A',
      width: 640,
      height: 360,
      duration: 4,
      file_size: 1_000_000,
      ...record,
    },
  };
}

describe('the estimate of a render', () => {
  test.each([
    ['nothing was rendered', [], null],
    ['the same was rendered', [finished({})], { bytes: 1_000_000, seconds: 10 }],
    ['half as long', [finished({ duration: 2 })], { bytes: 2_000_000, seconds: 20 }],
    ['another size', [finished({ width: 1280 })], { bytes: 500_000, seconds: 5 }],
    ['too different to tell', [finished({ duration: 0.5 })], null],
    ['another format', [finished({ output_format: 'gif' })], null],
    ['it failed', [finished({ status: 'failed' })], null],
    [
      'another template of this size',
      [finished({ template_id: 'B' })],
      { bytes: 1_000_000, seconds: 10 },
    ],
    ['another template of another size', [finished({ template_id: 'B', width: 1280 })], null],
    [
      'the template’s own count more',
      [finished({ template_id: 'B' }, 90), finished({ file_size: 3 }, 20)],
      { bytes: 3, seconds: 20 },
    ],
    [
      'one that was held up does not count',
      [finished({}, 11), finished({}, 600), finished({}, 12)],
      { bytes: 1_000_000, seconds: 12 },
    ],
  ])('%s', (_case, renders, expected) => {
    expect(estimateOf(renders, wanted)).toEqual(expected);
  });
});
