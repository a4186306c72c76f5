/** All routes of the window's private path. */
import * as dataFolder from '../../shared/api/data-folder.ts';
import * as editor from '../../shared/api/editor.ts';
import * as feeds from '../../shared/api/feeds.ts';
import * as fonts from '../../shared/api/fonts.ts';
import * as media from '../../shared/api/media.ts';
import * as preview from '../../shared/api/preview.ts';
import * as projects from '../../shared/api/projects.ts';
import * as renders from '../../shared/api/renders.ts';
import * as requests from '../../shared/api/requests.ts';
import type { Row, Rows } from '../../shared/api/row.ts';
import * as settings from '../../shared/api/settings.ts';
import * as speech from '../../shared/api/speech.ts';
import * as state from '../../shared/api/state.ts';
import * as templates from '../../shared/api/templates.ts';
import * as voices from '../../shared/api/voices.ts';

/** What the areas export. */
const areas: Readonly<Record<string, unknown>> = {
  ...{ ...dataFolder, ...editor, ...feeds, ...fonts, ...media, ...preview },
  ...{ ...projects, ...renders, ...requests, ...settings, ...speech, ...state, ...templates },
  ...voices,
};

/** The rows of a table. @param name As its area exports it. @throws for a table that is not among the areas */
export function rowsNamed(name: string): readonly Row[] {
  const rows = areas[name];
  if (!rows) throw new Error(`${name} is served, and the areas of window-rows.ts lack it`);
  return Object.values(rows as Rows); // tables alone are named so
}

/** The rows of all tables. */
export const windowRows: readonly Row[] = Object.keys(areas)
  .filter((name) => name.endsWith('Rows'))
  .flatMap(rowsNamed);
