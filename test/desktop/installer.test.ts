/**
 * What the Windows installer does: electron-builder's script with our configuration and main/installer.nsh, compiled by
 * the system's `makensis` (Debian: nsis), which lists every instruction with its values. Nothing of it runs here.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { linkScheme } from '../../main/openings.ts';
import { appId, toastActivator } from '../../main/paths.ts';

vi.mock('electron', () => import('./electron-stand-in.ts'));

const hasCompiler = spawnSync('makensis', ['-VERSION']).status === 0;

describe.skipIf(!hasCompiler)('the installer of Windows', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-installer-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  /** Instructions as makensis lists them, of the installer and of the uninstaller that it brings. */
  let installs: string[] = [];
  let uninstalls: string[] = [];
  beforeAll(() => {
    const script = path.join(import.meta.dirname, 'windows-installer.mjs');
    execFileSync(process.execPath, [script, folder], { stdio: 'pipe' });
    const linesOf = (name: string): string[] =>
      readFileSync(path.join(folder, `${name}.log`), 'utf8').split('\n');
    installs = linesOf('installer');
    uninstalls = linesOf('uninstaller');
  }, 120_000);

  /** Values below the place where Windows keeps kinds of files and links, in order. */
  const classes = (): Map<string, string> => {
    const found = installs.flatMap((line) => {
      const [, name, value] =
        /^WriteReg\w+: SHELL_CONTEXT\\Software\\Classes\\(.*?)=(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value ?? ''] as const];
    });
    return new Map(found);
  };

  test('gives every shortcut the ID that the program tells Windows', () => {
    const made = installs.flatMap((line) => /^CreateShortcut: "(\$\w+)"/.exec(line)?.[1] ?? []);
    expect(made.sort()).toEqual(['$newDesktopLink', '$newStartMenuLink']);
    for (const name of made) {
      expect(installs).toContain(`Plugin command: SetLnkAUMI ${name} ${appId}`);
    }
  });

  test('asks whom it is for, and registers files and links for them alone', () => {
    const places = installs.flatMap((line) => /^WriteReg\w+: (\w+)\\/.exec(line)?.[1] ?? []);
    expect(new Set(places)).toEqual(new Set(['SHELL_CONTEXT']));
    expect(installs).toContain('SetShellVarContext: current');
  });

  test.each([
    ['.renderscript', 'RenderScript template'],
    ['.framewright', 'Framewright template with its files'],
  ])('opens %s files with the program, also from a folder with blanks', (ending, what) => {
    const values = classes();
    const kind = values.get(`${ending}\\`) ?? '';
    // Windows' form of such names: no blanks, at most 39 characters.
    expect(kind).toMatch(/^[A-Z]\w+\.[A-Z]\w+$/);
    expect(kind.length).toBeLessThan(40);
    expect(values.get(`${kind}\\`)).toBe(what);
    expect(values.get(`${kind}\\shell\\open\\command\\`)).toBe('"$appExe" "%1"');
  });

  test('opens links with the program before it was started once', () => {
    const values = classes();
    expect(values.get(`${linkScheme}\\`)).toMatch(/^URL:/);
    expect(values.get(`${linkScheme}\\URL Protocol`)).toBe('');
    expect(values.get(`${linkScheme}\\shell\\open\\command\\`)).toBe('"$appExe" "%1"');
  });

  test('takes away the shortcut that notifications made for the user, where it is installed for all', () => {
    const at = uninstalls.indexOf('Delete: "$SMPROGRAMS\\Framewright.lnk"');
    expect(at).toBeGreaterThan(0);
    const places = uninstalls.slice(0, at).filter((line) => line.startsWith('SetShellVarContext'));
    expect(places.at(-1)).toBe('SetShellVarContext: current');
    // And goes on with what all users share.
    const next = uninstalls.slice(at).find((line) => line.startsWith('SetShellVarContext'));
    expect(next).toBe('SetShellVarContext: all');
  });

  test('takes away with the program what it has registered, and no data of the person', () => {
    const keys = uninstalls.flatMap(
      (line) => /^DeleteReg\w+: SHELL_CONTEXT\\Software\\Classes\\(.*)$/.exec(line)?.[1] ?? [],
    );
    const values = classes();
    const kinds = ['.renderscript', '.framewright'].flatMap((ending) => {
      const kind = values.get(`${ending}\\`) ?? '';
      return [`${ending}\\`, `${ending}\\OpenWithProgids\\${kind}`, kind];
    });
    expect(keys.sort()).toEqual([...kinds, linkScheme].sort());
    // What Electron writes, and the place of "open at login": both for the user alone.
    const own = uninstalls.flatMap((line) => /^DeleteReg\w+: (HKCU\\.*)$/.exec(line)?.[1] ?? []);
    const windows = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion';
    expect(own).toEqual([
      `HKCU\\Software\\Classes\\CLSID\\${toastActivator}`,
      `${windows}\\Run\\${appId}`,
      `${windows}\\Explorer\\StartupApproved\\Run\\${appId}`,
    ]);
    // The one way there is: its own --delete-app-data.
    const deletes = uninstalls.filter((line) => line.startsWith('StrCpy $isDeleteAppData "1"'));
    expect(deletes).toHaveLength(1);
  });
});
