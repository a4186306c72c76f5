/**
 * The desktop program itself, in Electron: where its binary is installed and there is a display. Elsewhere these tests
 * are skipped and `npm test` names them as left out; test/desktop/*.test.ts then stand for them with a recorded
 * stand-in.
 */
import { _electron, expect, test, type ElectronApplication, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findElectron } from '../../main/launch-electron.mjs';
import { windowTokenHeader, type ServerState } from '../../shared/api.ts';
import { desktopChannels } from '../../shared/desktop.ts';

const root = path.join(import.meta.dirname, '..', '..');
const binary = findElectron();
const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
test.skip(binary === null, "Electron's binary is not installed");
test.skip(!hasDisplay, 'there is no display');
test.describe.configure({ mode: 'serial' });

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-electron-'));
const environment = {
  ...Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ''])),
  FRAMEWRIGHT_DATA: path.join(folder, 'data'),
  FRAMEWRIGHT_OUTPUT: path.join(folder, 'output'),
  FRAMEWRIGHT_PORT: '0',
};
const args = [
  path.join(root, 'dist/desktop'),
  `--user-data-dir=${path.join(folder, 'user')}`,
  // Root has no sandbox on Linux; the switches of the window stay as they are.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

let app: ElectronApplication;
let page: Page;

async function start(): Promise<void> {
  if (binary === null || !hasDisplay) return;
  app = await _electron.launch({ executablePath: binary, args, env: environment });
  page = await app.firstWindow();
}
test.beforeAll(start);

test.afterAll(async () => {
  // The last test has ended it; a failed one has not.
  if (binary !== null && hasDisplay) await app.close().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the program once more, beside the one that runs. @returns its exit code. */
function startAgain(...more: string[]): Promise<number | null> {
  const second = spawn(binary ?? '', [...args, ...more], { env: environment, stdio: 'ignore' });
  return new Promise((resolve) => second.once('exit', resolve));
}

test('opens the queue, shut in', async () => {
  await expect(page.locator('html')).toHaveAttribute('data-app', 'ready');
  await expect(page.getByTestId('page-queue')).toBeVisible();
  // The page is there in a window out of sight, too.
  const isVisible = (): Promise<boolean> =>
    app.evaluate(({ BrowserWindow: windows }) => windows.getAllWindows()[0]?.isVisible() === true);
  await expect.poll(isVisible).toBe(true);
  const reach: unknown = await page.evaluate(`({
    node: typeof globalThis.require,
    process: typeof globalThis.process,
    desktop: Object.keys(window.desktop ?? {}).sort(),
  })`);
  expect(reach).toEqual({
    node: 'undefined',
    process: 'undefined',
    desktop: Object.keys(desktopChannels).sort(),
  });
});

test('F115: goes nowhere, opens nothing, reads no file', async () => {
  const address = page.url();
  const tried: unknown = await page.evaluate(`(async () => {
    const outcomes = [];
    window.open('http://example.com/');
    location.href = 'file:///etc/passwd';
    await fetch('file:///etc/passwd').catch(() => outcomes.push('file'));
    await fetch('https://example.com/').catch(() => outcomes.push('web'));
    const camera = navigator.mediaDevices.getUserMedia({ video: true });
    await camera.catch(() => outcomes.push('camera'));
    return outcomes;
  })()`);
  expect(tried).toEqual(['file', 'web', 'camera']);
  expect(page.url()).toBe(address);
  expect(app.windows()).toHaveLength(1);
});

/** Asks the public API. @returns the answer's body */
async function ask(method: string, place: string, body?: object): Promise<{ id: string }> {
  const file = path.join(folder, 'data', 'runtime.json');
  const runtime = JSON.parse(readFileSync(file, 'utf8')) as { apiUrl: string; windowUrl: string };
  const { origin, hash } = new URL(runtime.windowUrl);
  const token = { [windowTokenHeader]: hash.replace('#token=', '') };
  const state = (await (
    await fetch(`${origin}/api/state`, { headers: token })
  ).json()) as ServerState;
  const answer = await fetch(`${runtime.apiUrl}${place}`, {
    method,
    headers: { authorization: `Bearer ${state.api.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  // As the API promises.
  return (await answer.json()) as { id: string };
}

const shape = { type: 'shape', width: '100%', height: '100%', fill_color: '#2446d8' };
const small = { output_format: 'png', width: 64, height: 64, elements: [shape] };

test('renders with a utility process', async () => {
  await ask('POST', '/v2/renders', { source: small });
  await expect(page.locator('[data-status="succeeded"]').first()).toBeVisible();
});

test('a link opens a template, and the menu is heard afterwards', async () => {
  const { id } = await ask('POST', '/v2/templates', { name: 'Card', source: small });
  for (let round = 0; round < 2; round++) {
    expect(await startAgain(`framewright://template/${id}`)).toBe(0);
    await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
    await app.evaluate(({ Menu }) => {
      Menu.getApplicationMenu()?.getMenuItemById('go-queue')?.click();
    });
    await expect(page.getByTestId('page-queue')).toBeVisible();
  }
});

test('F15: a second start ends with 0 and hands its link to the first', async () => {
  const row = page.locator('[data-testid^="render-row-"]').first();
  const id = ((await row.getAttribute('data-testid')) ?? '').replace('render-row-', '');
  expect(await startAgain(`framewright://render/${id}`)).toBe(0);
  await expect(page.getByRole('region', { name: 'Render details' })).toContainText(id.slice(0, 8));
});

test('F18: a page that dies is loaded again', async () => {
  await app.evaluate(({ BrowserWindow: windows }) => {
    const [window] = windows.getAllWindows();
    window?.webContents.forcefullyCrashRenderer();
  });
  await expect
    .poll(async () =>
      app.evaluate(async ({ BrowserWindow: windows }) => {
        const [window] = windows.getAllWindows();
        const code = 'document.documentElement.dataset.app ?? ""';
        const state: unknown = await window?.webContents.executeJavaScript(code);
        return state;
      }),
    )
    .toBe('ready');
});

test('tries drawing and encoder by itself, beside a program that runs', async () => {
  expect(await startAgain('--self-test')).toBe(0);
});

test('ends in order during a render, and the next start takes it up', async () => {
  const long = { ...small, output_format: 'mp4', width: 1280, height: 720, duration: 600 };
  const moving = [{ ...shape, width: '20%', x: [0, 600].map((time) => ({ time, value: time })) }];
  const { id } = await ask('POST', '/v2/renders', { source: { ...long, elements: moving } });
  await expect(page.locator('[data-status="rendering"]').first()).toBeVisible();
  // The person's answer to the question: now.
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
  });
  const ended = app.waitForEvent('close');
  await app.evaluate(({ app: program }) => program.quit());
  await ended;
  expect(existsSync(path.join(folder, 'output', `${id}.mp4`))).toBe(false);
  await start();
  await expect(page.getByTestId(`render-row-${id}`)).toHaveAttribute('data-status', 'rendering');
  await app.evaluate(({ app: program }) => program.exit(0));
});
