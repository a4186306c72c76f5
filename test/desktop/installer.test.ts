/** What electron-builder's script of the Windows installer does with our configuration: its templates, which are not run here. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { appId } from '../../main/paths.ts';

vi.mock('electron', () => import('./electron-stand-in.ts'));

const root = path.join(import.meta.dirname, '../..');
const templates = 'node_modules/app-builder-lib/templates/nsis';
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
/** Body of a macro of NSIS. */
const macro = (file: string, name: string): string =>
  new RegExp(`!macro ${name}\\b[^]*?!macroend`).exec(read(`${templates}/${file}`))?.[0] ?? '';
const config = read('electron-builder.yml');

test('every shortcut that the installer makes carries the ID that the program tells Windows', () => {
  expect(config).toContain(`\nappId: ${appId}\n`);
  expect(config).not.toContain('createStartMenuShortcut');
  expect(read('node_modules/app-builder-lib/out/targets/nsis/NsisTarget.js')).toContain(
    'APP_ID: appInfo.id,',
  );
  for (const name of ['addStartMenuLink', 'addDesktopLink']) {
    const lines = macro('include/installer.nsh', name).split('\n');
    const made = lines.flatMap((line, at) => (/CreateShortCut/.test(line) ? [at] : []));
    expect(made.length).toBeGreaterThan(0);
    for (const at of made) {
      expect(lines.slice(at, at + 4).join()).toMatch(/SetLnkAUMI "\$new\w+Link" "\$\{APP_ID\}"/);
    }
  }
});

test('an installation for one person registers its files for that person alone', () => {
  expect(config).toMatch(/\nnsis:\n(?: .*\n)*? {2}perMachine: false\n/);
  expect(macro('multiUser.nsh', 'setInstallModePerUser')).toContain('SetShellVarContext current');
  const roots = [
    ...macro('include/FileAssociation.nsh', 'APP_ASSOCIATE').matchAll(/Write\w+ (\w+)/g),
  ];
  expect(new Set(roots.map(([, place]) => place))).toEqual(new Set(['SHELL_CONTEXT']));
  expect(read(`${templates}/installSection.nsh`)).toContain(
    '!insertmacro registerFileAssociations',
  );
});
