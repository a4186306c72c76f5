/** The API page, the settings and the projects: what is shown there holds, and what is changed there works at once. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { lookAt } from './look.ts';
import { expect, openWindow, test } from './program.ts';
import { card } from './sources.ts';

test('a new key works, its requests are listed, and deleted it opens nothing', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'API' }).click();
  await expect(page.getByTestId('api-base-url')).toHaveText(program.apiUrl);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('textbox', { name: 'Key name' }).fill('Shop script');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copy key Shop script' }).click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^fw_/);
  const ask = (): Promise<Response> =>
    fetch(`${program.apiUrl}/v2/templates?tags=a`, { headers: { Authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);
  const grid = page.getByRole('grid', { name: 'Requests' });
  const row = grid.locator('[data-status-code="200"]').first();
  await expect(row).toContainText('/v2/templates?tags=a');
  await expect(row).toContainText('Shop script');
  // When it was used is told in words, and exactly for a screen reader and the pointer.
  const keys = page.getByRole('list', { name: 'API keys' });
  await expect(keys.getByText('used just now')).toHaveAttribute('title', /\d{4}/);
  await expect(keys.getByText('used just now')).toContainText(/used just now, .*\d{4}/);

  await page.getByRole('button', { name: 'Delete key Shop script…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: 'Copy key Shop script' })).toBeHidden();
  expect((await ask()).status).toBe(401);
  const refused = grid.locator('[data-status-code="401"]').first();
  await refused.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The API key is missing or not valid');
  await expect(dialog).toContainText(`Bearer …${key.slice(-4)}`);
  await expect(dialog).not.toContainText(key);
  await page.keyboard.press('Escape');
  const recording = page.getByRole('switch', { name: 'Recording' });
  await recording.click();
  await expect(recording).toHaveAttribute('aria-checked', 'false');
  const before = await grid.locator('[data-number]').count();
  await ask();
  await recording.click();
  await expect(recording).toHaveAttribute('aria-checked', 'true');
  await expect(grid.locator('[data-number]')).toHaveCount(before);
  await page.getByRole('textbox', { name: 'Filter requests' }).fill('401');
  await expect(grid.locator('[data-number]')).not.toHaveCount(before);
  await expect(grid.locator('[data-number]').first()).toHaveAttribute('data-status-code', '401');
  // The words stand in two columns.
  const filter = page.getByRole('textbox', { name: 'Filter requests' });
  await filter.fill('401 GET');
  await expect(grid.locator('[data-number]').first()).toHaveAttribute('data-status-code', '401');
  await filter.fill('nothing like it');
  await expect(page.getByText('No requests match.')).toBeVisible();
  await filter.press('Escape');
  await expect(filter).toHaveValue('');
  await filter.fill('nothing like it');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(filter).toBeFocused();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page.getByText('No requests yet. Try the command above.')).toBeVisible();
});

test('a request tells all of itself: a long body is saved whole, its command works, its render opens', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'API' }).click();
  const note = `it's ${'x'.repeat(80_000)}`;
  const { id } = await program.createRender({ source: card('Long', 64, 64), metadata: 'm', note });
  await page.getByRole('grid', { name: 'Requests' }).locator('[data-number]').first().click();
  const dialog = page.getByRole('dialog', { name: 'POST /v2/renders' });
  await expect(dialog).toContainText('Cut after 64 kB.');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save full request…' }).click();
  const saved = readFileSync(await (await download).path(), 'utf8');
  expect(JSON.parse(saved)).toMatchObject({ metadata: 'm', note });

  await dialog.getByRole('button', { name: 'Copy as cURL' }).click();
  await expect(page.getByTestId('toasts')).toContainText('Copied');
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).not.toContain(program.apiKey);
  const env = { ...process.env, API_KEY: program.apiKey };
  const answer = execFileSync('bash', ['-c', command], { encoding: 'utf8', env });
  expect(JSON.parse(answer)).toMatchObject({ status: 'planned', metadata: 'm' });

  await dialog.getByRole('button', { name: 'Show the render' }).click();
  await expect(page.getByRole('region', { name: 'Render details' })).toContainText(id.slice(0, 8));
});

test('the API is stopped and started; the window goes on all the time', async ({
  page,
  program,
}) => {
  const answers = async (): Promise<boolean> =>
    fetch(`${program.apiUrl}/v2/templates`).then(
      () => true,
      () => false,
    );
  await openWindow(page, program);
  await page.getByRole('link', { name: 'API' }).click();
  const bar = page.getByTestId('status-api');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(bar).toHaveAttribute('data-state', 'off');
  await expect(bar).toHaveText('API off');
  await expect(page.getByTestId('page-api')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByTestId('api-stopped')).toContainText('The API is stopped.');
  expect(await answers()).toBe(false);
  await page.getByRole('link', { name: 'Queue' }).click();
  await expect(page.getByTestId('page-queue')).toBeVisible();
  await page.getByRole('link', { name: 'API' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(bar).toHaveAttribute('data-state', 'on');
  // The same button, so that the focus stays where it was.
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused();
  const carryOut = async (words: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
  };
  await carryOut('stop the api');
  await expect(bar).toHaveAttribute('data-state', 'off');
  await carryOut('start the api');
  await expect(bar).toHaveAttribute('data-state', 'on');
  expect(await answers()).toBe(true);
});

/** How each language of the quick start is run: what was copied is pasted into a file, or into the shell. */
interface Way {
  readonly program: string;
  readonly file?: string;
  /** Arguments with which it ends with 0 if it can be run. Default: those for its version. */
  readonly check?: readonly string[];
}

const ways: Readonly<Record<string, Way>> = {
  cURL: { program: 'bash' },
  Node: { program: process.execPath, file: 'first.mjs' },
  Python: { program: 'python3', file: 'first.py' },
  PHP: {
    program: 'php',
    file: 'first.php',
    check: ['-r', 'exit((int) !function_exists("curl_init"));'],
  },
};

for (const [language, way] of Object.entries(ways)) {
  const { program: command, file, check = ['--version'] } = way;
  test(`the quick start in ${language} works as it is pasted`, async ({ page, program }, info) => {
    test.skip(
      spawnSync(command, check).status !== 0,
      `${command} is not installed with what it needs`,
    );
    await openWindow(page, program);
    await page.getByRole('link', { name: 'API' }).click();
    // All languages on offer are in the table above.
    await expect(page.getByRole('tab')).toHaveText(Object.keys(ways));
    await page.getByRole('tab', { name: language }).click();
    // The key is in the copied text, and not on the screen.
    await expect(page.getByRole('tabpanel')).not.toContainText(program.apiKey);
    await page.getByRole('button', { name: 'Copy command' }).click();
    const code = await page.evaluate(() => navigator.clipboard.readText());
    // The key comes from the pasted text alone.
    const env = { ...process.env, API_KEY: '' };
    let args = ['-c', code];
    if (file !== undefined) {
      writeFileSync(info.outputPath(file), code);
      args = [info.outputPath(file)];
    }
    const answer = execFileSync(command, args, { encoding: 'utf8', env });
    const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(answer)?.[0] ?? '';
    expect((await program.finished(id)).status).toBe('succeeded');
  });
}

test('webhooks are tried without a server: receiver, test, delivery, sent again, new secret', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'API' }).click();
  const receiver = page.getByTestId('test-receiver');
  await receiver.getByRole('button', { name: 'Start the receiver' }).click();
  await expect(receiver.getByText('Nothing has arrived yet.')).toBeVisible();
  const url = await receiver.getByTestId('receiver-url').innerText();
  await receiver.getByRole('button', { name: 'Use for this project' }).click();
  const webhooks = page.getByRole('region', { name: 'Webhooks' });
  await expect(webhooks.getByRole('textbox', { name: 'Address for this project' })).toHaveValue(
    url,
  );
  await webhooks.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByTestId('webhook-test')).toContainText('Answered 200');
  const calls = receiver.getByTestId('received-call');
  await expect(calls).toHaveCount(1);
  await expect(calls.first()).toContainText('Signature is right');
  await calls.first().locator('summary').click();
  await expect(calls.first()).toContainText('"metadata": "Test from Framewright"');

  // A render, whose first call the receiver refuses.
  await receiver.getByRole('combobox', { name: 'Answers with' }).selectOption('500');
  const { id } = await program.createRender({ source: card('Told', 64, 64) });
  const row = webhooks.getByTestId('delivery-row').filter({ hasText: 'Told' });
  await expect(row).toContainText('Answered 500');
  await expect(row).toHaveAttribute('data-state', 'waiting');
  await receiver.getByRole('combobox', { name: 'Answers with' }).selectOption('200');
  await row.getByRole('button', { name: 'Send again: Told' }).click();
  await expect(row).toHaveAttribute('data-state', 'delivered');
  await expect(calls).toHaveCount(3);
  await lookAt(page, 'api-webhooks');

  const secretOf = async (): Promise<string> => {
    await webhooks.getByRole('button', { name: 'Copy the signing secret' }).click();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const before = await secretOf();
  await webhooks.getByRole('button', { name: 'Replace the signing secret…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace' }).click();
  await expect(webhooks).toContainText('The previous secret also signs for 24 hours.');
  expect(await secretOf()).not.toBe(before);
  await receiver.getByRole('button', { name: 'Clear what arrived' }).click();
  await expect(calls).toHaveCount(0);
  await webhooks.getByRole('button', { name: 'Send test' }).click();
  await expect(calls.first()).toContainText('Signature is right');

  // An address that is none is refused beside the field; an empty one ends the calls.
  const address = webhooks.getByRole('textbox', { name: 'Address for this project' });
  await address.fill('ftp://example.com');
  await address.press('Enter');
  await expect(webhooks).toContainText("'webhookUrl' should be an http or https address");
  await address.fill('');
  await address.press('Enter');
  await expect(page.getByTestId('toasts')).toContainText('Saved');
  await receiver.getByRole('button', { name: 'Stop the receiver' }).click();
  await expect(receiver.getByTestId('receiver-url')).toBeHidden();
  await row.getByRole('button', { name: 'Show the render Told' }).click();
  await expect(page.getByRole('region', { name: 'Render details' })).toContainText(id.slice(0, 8));
});

test('the licences of what ships are shown under About', async ({ page, program }) => {
  await openWindow(page, program);
  await page.keyboard.press('Control+,');
  const licences = page.getByTestId('settings-licences');
  await licences.getByText('Licences of what ships with Framewright').click();
  const text = licences.locator('pre');
  // Installed with it, built into the window, built into the server, a font, ffmpeg.
  const names = ['@napi-rs/canvas 1', 'svelte 5', 'zod 4', 'Font: inter', 'GNU GENERAL PUBLIC'];
  for (const name of names) await expect(text).toContainText(name);
  await text.scrollIntoViewIfNeeded();
  await lookAt(page, 'licences');
});

test('About says what is new, and that nothing is looked for', async ({ page, program }) => {
  await openWindow(page, program);
  await page.keyboard.press('Control+,');
  await page.getByPlaceholder('Search settings').fill('updates');
  const about = page.getByRole('region', { name: 'About' });
  await expect(about).toContainText('Framewright does not look for new versions');
  await about.getByText('What’s new').click();
  const text = about.getByTestId('settings-changes').locator('pre');
  const [, newest = ''] = /^## (.+)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  await expect(text).toContainText(newest);
  await expect(text).not.toContainText(/\*\*|^#|`/m);
  await lookAt(page, 'changes');
});

test('settings are checked beside their field, kept, and used', async ({ page, program }) => {
  await openWindow(page, program);
  await page.keyboard.press('Control+,');
  await expect(page.getByTestId('page-settings')).toHaveAttribute('data-state', 'ready');
  const theme = page.getByRole('radiogroup', { name: 'Theme' });
  await theme.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // The port was named at the start of this program.
  await expect(page.getByRole('textbox', { name: 'Port' })).toBeDisabled();
  for (const name of ['Open at login', 'Keep running when', 'Keep the computer awake']) {
    const box = page.getByRole('checkbox', { name });
    await expect(box).toBeDisabled();
    await expect(box).toHaveAccessibleDescription(/^Only the desktop program/);
  }

  await expect(page.getByRole('textbox', { name: 'Folder for “Save' })).toBeDisabled();

  const folder = page.getByRole('textbox', { name: 'Output folder' });
  await folder.fill('not/a/whole/path');
  await folder.press('Enter');
  await expect(folder).toHaveAttribute('aria-invalid', 'true');
  await expect(folder).toBeFocused();
  await folder.fill(`${program.dataFolder}/elsewhere`);
  await folder.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  const { id } = await program.createRender(card('Elsewhere'));
  await program.finished(id);
  const { existsSync } = await import('node:fs');
  expect(existsSync(`${program.dataFolder}/elsewhere/${id}.png`)).toBe(true);

  // What is no number changes nothing: as JSON it would be null, and the setting gone.
  const credits = page.getByRole('textbox', { name: 'Credits for 30 days' });
  // What is only typed stays when another one is kept.
  const logSize = page.getByRole('textbox', { name: 'Requests kept' });
  await logSize.fill('77');
  await credits.fill('100');
  await credits.press('Enter');
  await expect(credits).not.toHaveAttribute('aria-invalid');
  await credits.fill('many');
  await credits.press('Enter');
  await expect(credits).toHaveAccessibleDescription(/Expected a number of credits/);
  await expect(logSize).toHaveValue('77');
  await page.getByRole('link', { name: 'Queue' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(credits).toHaveValue('100');
  await credits.fill('');
  await credits.press('Enter');

  // The hint of a refused web page leads here.
  const origin = page.getByRole('textbox', { name: 'Add a web page' });
  await origin.fill('http://localhost:3000/path');
  await origin.press('Enter');
  await expect(origin).toHaveAccessibleDescription(/without a path .*, e\.g\. http:/);
  const asPage = (): Promise<number> =>
    fetch(`${program.apiUrl}/v2/renders`, {
      headers: { origin: 'http://localhost:3000', authorization: `Bearer ${program.apiKey}` },
    }).then(({ status }) => status);
  expect(await asPage()).toBe(403);
  await origin.fill('http://localhost:3000/');
  await origin.press('Enter');
  const remove = page.getByRole('button', { name: 'Remove http://localhost:3000' });
  await expect(remove).toBeVisible();
  expect(await asPage()).toBe(200);
  await remove.click();
  await expect(remove).toHaveCount(0);
  expect(await asPage()).toBe(403);

  // Before anything is tried: the one that renders use.
  await expect(page.getByTestId('ffmpeg-test')).toHaveText(
    // Which sentence depends on the computer that the test runs on.
    /^In use: ffmpeg \d+\.\d+, \S*ffmpeg\. .*(?:The system (?:keeps|bounds)|Framewright alone)/,
  );
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByTestId('ffmpeg-test')).toContainText('works.');
  await page.getByRole('textbox', { name: 'ffmpeg' }).fill('/bin/echo');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByTestId('ffmpeg-test')).toContainText('This program is not ffmpeg.');

  // README sends people here for captions of speech.
  const recognises = page.getByRole('radiogroup', { name: 'Who recognises speech' });
  await recognises.getByRole('radio', { name: 'A program' }).check();
  const recogniser = page.getByRole('textbox', { name: 'Program', exact: true });
  await recogniser.fill('/no/such/program');
  await recogniser.press('Enter');
  await expect(recogniser).toHaveAccessibleDescription(/found none at \/no\/such\/program/);
  await recogniser.fill(process.execPath);
  await recogniser.press('Enter');
  await expect(recogniser).not.toHaveAttribute('aria-invalid');
  const model = page.getByRole('textbox', { name: 'Model of the program' });
  await model.fill(import.meta.filename);
  await model.press('Enter');
  await expect(model).not.toHaveAttribute('aria-invalid');
  await page.getByRole('link', { name: 'Queue' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(recogniser).toHaveValue(process.execPath);
  await expect(model).toHaveValue(import.meta.filename);

  // The theme is in the page itself, so that no other one is seen for a moment.
  await expect.poll(() => program.remembered()).toMatchObject({ theme: 'dark' });
  const html = await (await fetch(program.windowUrl.replace(/#.*/, ''))).text();
  expect(html).toContain('<html data-theme="dark"');
  await theme.getByRole('radio', { name: 'System' }).check();
});

test('projects keep templates and keys apart; the queue shows all', async ({ page, program }) => {
  await openWindow(page, program);
  await page.getByRole('button', { name: 'My project' }).click();
  await page.getByRole('menuitem', { name: 'New project…' }).click();
  await page.getByRole('textbox', { name: 'Project name' }).fill('Second channel');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Second channel' })).toBeVisible();
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByText('No templates yet.')).toBeVisible();
  await page.getByRole('link', { name: 'API' }).click();
  await expect(page.getByRole('region', { name: 'API keys' })).toContainText(
    'Project Second channel',
  );
  await page.getByRole('button', { name: 'Second channel' }).click();
  await page.getByRole('menuitemradio', { name: 'My project' }).click();
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();

  // What is chosen at the very end is remembered all the same.
  await page.getByRole('button', { name: 'My project' }).click();
  await page.getByRole('menuitemradio', { name: 'Second channel' }).click();
  await page.goto('about:blank');
  await openWindow(page, program);
  await expect(page.getByRole('button', { name: 'Second channel' })).toBeVisible();
});
