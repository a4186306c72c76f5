/**
 * What is wrong with a document on this computer: what the API says of it, files that are not there, fonts that are not
 * installed.
 */
import path from 'node:path';
import { ApiError } from '../../shared/errors.ts';
import { looseName, familiesIn } from '../../shared/renderscript/same-name.ts';
import {
  isJsonObject,
  type Json,
  type Problem,
  type Source,
} from '../../shared/renderscript/source.ts';
import { elementLabels } from '../../shared/renderscript/validate.ts';
import {
  prepareDocument,
  type DocumentOrder,
  type PreparedDocument,
} from '../jobs/desk/prepare-document.ts';
import { refusedAddresses } from '../jobs/refused-addresses.ts';
import { filesInFolders } from '../jobs/share/document-files.ts';
import { fontFolder, sampleFolder } from '../system/paths.ts';
import type { AddressRule } from '../system/address-rule.ts';
import { findLocal } from '../system/media-folders.ts';

/** A document with its changes. */
export interface CheckedDocument {
  /** As the API says them. */
  readonly problems: readonly Problem[];
  /** Null where the changes could not be made. */
  readonly prepared: PreparedDocument | null;
  /** The same as a value. */
  readonly source: Source | null;
}

/** Makes the document that is rendered, and says what is wrong with it. Never throws for any JSON. */
export function problemsOf(order: DocumentOrder): CheckedDocument {
  try {
    const prepared = prepareDocument(order);
    const more = Object.entries(prepared.unlisted).flatMap(([severity, count]) =>
      count === 0
        ? []
        : [whole(severity as Problem['severity'], 'more', `${count} more are not listed`)],
    ); // by the type of the record
    const source = JSON.parse(prepared.text) as Source; // what was just written
    // Lines of commands end with the path in any case.
    const problems = prepared.problems.map((one) => ({ ...one, sharesName: false }));
    return { problems: [...problems, ...more], prepared, source };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { problems: [whole('error', error.code, error.message)], prepared: null, source: null };
  }
}

function whole(severity: Problem['severity'], code: string, message: string): Problem {
  return { path: '', element: '', property: '', severity, code, message };
}

/** The folders that a document's files lie in: those of the option, or else its own. @param file `-`: stdin. */
export function ownFolders(file: string, given?: readonly string[]): readonly string[] {
  const own = file === '-' ? '.' : path.dirname(file);
  return (given ?? [own]).map((folder) => path.resolve(folder));
}

/** The same, and the samples'. */
export function foldersOf(file: string, given?: readonly string[]): readonly string[] {
  return [...ownFolders(file, given), sampleFolder()];
}

/** Files that a render on this computer would not get, and fonts that others stand in for. */
export async function localProblems(
  { source, prepared }: CheckedDocument,
  folders: readonly string[],
): Promise<readonly Problem[]> {
  if (source === null || prepared === null) return [];
  const missing = await missingFiles(source, folders);
  const strange = await strangeFamilies(source);
  const onNetwork = prepared.local
    .filter(({ address }) => /^\s*http/i.test(address))
    .map(({ path, element, property, address }) => ({ path, element, property, address }));
  const rule = (): AddressRule => ({ allowPrivateAddresses: true, ownPorts: [] });
  const problems = [...(await refusedAddresses(onNetwork, { rule, mediaFolders: () => folders }))];
  if (missing.size === 0 && strange.size === 0) return problems;
  const told = new Set<string>();
  const look = (value: Json | undefined, at: string, element: string): void => {
    if (!isJsonObject(value)) return;
    for (const [property, inner] of Object.entries(value)) {
      const place = { path: at === '' ? property : `${at}.${property}`, element, property };
      if (typeof inner === 'string') {
        const lost = property.endsWith('source') ? missing.get(inner) : undefined;
        const font = property === 'font_family' ? strange.get(looseName(inner)) : undefined;
        if (lost !== undefined)
          problems.push({ ...place, severity: 'error', code: 'media_missing', message: lost });
        if (font === undefined) continue;
        problems.push({ ...place, severity: 'warning', code: 'unknown_font', message: font });
        told.add(font);
      } else if (Array.isArray(inner)) {
        const items: readonly Json[] = inner;
        const labels = property === 'elements' ? elementLabels(items) : [];
        items.forEach((item, index) =>
          look(item, `${place.path}[${index}]`, labels[index] ?? element),
        );
      }
    }
  };
  look(source, '', '');
  // Those of keyframes and of tags within texts.
  for (const font of strange.values())
    if (!told.has(font)) problems.push(whole('warning', 'unknown_font', font));
  return problems;
}

/** Why a file can't be read here. */
const reasons = {
  missing: 'The file does not exist',
  outside: 'The file is outside the folders of media; name its folder with --media',
  'not a file': 'It is not a file',
} as const;

/** What to say of each local address that leads to no file. */
async function missingFiles(
  source: Source,
  folders: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const missing = new Map<string, string>();
  for (const { address } of filesInFolders(source)) {
    const { kind } = (await findLocal(address, folders)) ?? { kind: 'file' };
    if (kind !== 'file') missing.set(address, `${reasons[kind]} (${address})`);
  }
  return missing;
}

/**
 * Families that are neither shipped, nor brought by the document, nor installed: what stands in for each, by its loose
 * name.
 */
async function strangeFamilies(source: Source): Promise<ReadonlyMap<string, string>> {
  const { shippedFamilies } = await import('../engine/assets/fonts/font-list.ts');
  const shipped = shippedFamilies(fontFolder());
  const own = new Set(
    (Array.isArray(source.fonts) ? (source.fonts as readonly Json[]) : []).map((font) =>
      isJsonObject(font) && typeof font.family === 'string' ? looseName(font.family) : '',
    ),
  );
  const named = [...familiesIn(JSON.stringify(source))].filter(
    ([key]) => !shipped.has(key) && !own.has(key),
  );
  if (named.length === 0) return new Map();
  // The drawing library knows this computer's fonts; it is loaded only where they are asked for.
  const { installedFamilies } = await import('../engine/assets/fonts/font-register.ts');
  const { standInFor } = await import('../engine/assets/fonts/font-kinds.ts');
  return new Map(
    named
      .filter(([key]) => !installedFamilies().has(key))
      .map(([key, name]) => [
        key,
        `The font '${name}' is not installed; ${standInFor(name)} is used instead`,
      ]),
  );
}
