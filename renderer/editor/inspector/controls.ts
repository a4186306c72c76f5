/** Which control changes which property. Pure. */
import type { Rule } from '../../../shared/renderscript/rules.ts';

/** Kinds of controls. `source`: only the source can change it, and the line leads there. */
export type Control =
  | 'animations'
  | 'weight'
  | 'italic'
  | 'number'
  | 'choice'
  | 'switch'
  | 'font'
  | 'fill'
  | 'color'
  | 'file'
  | 'text'
  | 'words'
  | 'code'
  | 'warp'
  | 'fonts'
  | 'variables'
  | 'parts'
  | 'source';

/** The control of a property. */
export function controlOf(name: string, { kind }: Pick<Rule, 'kind'>): Control {
  switch (name) {
    case 'animations':
      return 'animations';
    case 'font_weight':
      return 'weight';
    case 'font_style':
      return 'italic';
    case 'font_family':
      return 'font';
    case 'fill_color':
      return 'fill';
    case 'source':
    case 'look_lut':
      return 'file';
    case 'text':
      return 'text';
    case 'texts':
    case 'colors':
      return 'parts';
  }
  switch (kind) {
    case 'number':
      return 'number';
    case 'enum':
      return 'choice';
    case 'boolean':
      return 'switch';
    case 'color':
    case 'fill':
      return 'color';
    case 'string':
    case 'transcript':
      return 'words';
    case 'path':
      return 'code';
    case 'warp':
      return 'warp';
    case 'fonts':
    case 'variables':
      return kind;
    default:
      return 'source';
  }
}
