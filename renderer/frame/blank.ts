/** What an empty template begins with. Pure. */
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { say } from '../ui/say.ts';

export interface BlankTemplate {
  readonly name: string;
  readonly source: JsonObject;
}

/** An empty film to begin with. */
export function blankVideo(): BlankTemplate {
  return blank({ output_format: 'mp4', width: 1920, height: 1080, duration: 5 });
}

export function blankPicture(): BlankTemplate {
  return blank({ output_format: 'png', width: 1920, height: 1080 });
}

function blank(source: JsonObject): BlankTemplate {
  return { name: say('templates.untitled'), source: { ...source, elements: [] } };
}
