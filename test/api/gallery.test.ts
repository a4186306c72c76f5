/** The pictures of the animations: a document and a sheet for each type. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { galleryFolder, sampleFolder } from '../../server/system/paths.ts';
import { animationTypes } from '../../shared/renderscript/animation-types.ts';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';

const names = [...animationTypes.keys()];

describe('the gallery', () => {
  test.each(names)('%s has a document that uses it, and a sheet', (name) => {
    const text = readFileSync(path.join(sampleFolder(), 'gallery', `${name}.json`), 'utf8');
    expect(text).toContain(`"type": "${name}"`);
    const source: unknown = JSON.parse(text);
    expect(isJsonObject(source) ? validate(source, {}) : 'no object').toEqual([]);
    for (const [, file = ''] of text.matchAll(/"source": "([^"]+)"/g))
      expect(existsSync(path.join(sampleFolder(), file)), file).toBe(true);
    expect(statSync(path.join(galleryFolder(), `${name}.jpg`)).size).toBeLessThanOrEqual(60_000);
  });
});
