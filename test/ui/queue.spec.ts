/** The Queue page live: renders made through the API appear, move, end, and stay, without a click. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, openWindow, test } from './program.ts';
import { brokenCard, card, titleFilm } from './sources.ts';

test('first run: an empty queue says how renders come into it, and can be resumed', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await expect(page.getByTestId('page-queue')).toHaveAttribute('data-state', 'empty');
  await expect(page.getByRole('button', { name: 'Project: My project' })).toBeVisible();
  // An empty queue that is paused can be resumed where that is to be seen.
  await page.keyboard.press('Control+Shift+p');
  await page.getByRole('button', { name: 'Resume queue' }).click();
  await expect(page.getByRole('button', { name: 'Resume queue' })).toBeHidden();
  await expect(page.getByText('No renders yet.')).toBeVisible();
  await page.getByRole('button', { name: 'API page' }).click();

  await page.getByRole('button', { name: 'Copy command' }).first().click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`${program.apiUrl}/v2/renders`);
  expect(command).toContain(`Bearer ${program.apiKey}`);
  // Run as a person would, in a shell.
  const { execFileSync } = await import('node:child_process');
  const answer = execFileSync('sh', ['-c', command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { id, errors } = JSON.parse(answer) as { id: string; errors?: string[] };
  expect(errors).toBeUndefined();
  await page.keyboard.press('Control+2');
  await expect(page.getByTestId(`render-row-${id}`)).toHaveAttribute('data-status', 'succeeded');
});

test('a render appears, progresses, finishes and survives a reload', async ({ page, program }) => {
  await openWindow(page, program);
  const { id } = await program.createRender(titleFilm('Progress', 40));
  const row = page.getByTestId(`render-row-${id}`);
  await expect(row).toBeVisible();

  const seen: number[] = [];
  await expect(row).toHaveAttribute('data-status', 'rendering');
  await expect(page.getByTestId('status-renderer')).toHaveAttribute('data-state', 'rendering');
  await expect
    .poll(
      async () => {
        const [status, progress] = await row.evaluate(
          (element) => [element.dataset['status'], Number(element.dataset['progress'])] as const,
        );
        seen.push(progress);
        return status;
      },
      { intervals: [60], timeout: 50_000 },
    )
    .toBe('succeeded');
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  const between = new Set(seen.filter((percent) => percent > 0 && percent < 100));
  expect(between.size).toBeGreaterThan(2);
  await expect(row).toHaveAttribute('data-progress', '100');
  await expect(row).toContainText('Done in');
  await expect(row).toContainText('mp4 · 640×360');
  await expect(page.getByTestId('status-renderer')).toHaveAttribute('data-state', 'idle');

  await page.reload();
  await expect(row).toHaveAttribute('data-display', 'Done');
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Play here' }).click();
  const film = page.getByRole('region', { name: 'Render details' }).locator('video');
  await expect
    .poll(() => film.evaluate((one: HTMLVideoElement) => one.currentTime))
    .toBeGreaterThan(0);
  await expect(film).toBeFocused();
});

test('what waits is moved by key, menu and pointer, and stopped at once', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  const running = await program.createRender(titleFilm('Running', 400));
  const waiting = [
    await program.createRender(titleFilm('A', 5)),
    await program.createRender(titleFilm('B', 5)),
    await program.createRender(titleFilm('C', 5)),
  ];
  const [a, b, c] = waiting.map(({ id }) => page.getByTestId(`render-row-${id}`));
  const runningRow = page.getByTestId(`render-row-${running.id}`);
  await expect(runningRow).toHaveAttribute('data-status', 'rendering');
  await expect(c!).toContainText('Queued · 3rd');

  // The picture of the frame that was drawn last comes, and another one after it.
  const live = runningRow.getByTestId('live-picture');
  const first = await live.getAttribute('src');
  await expect(live).not.toHaveAttribute('src', first ?? '');
  await runningRow.click();
  await expect(page.getByTestId('live-picture').nth(1)).toBeVisible();
  // Not followed, the log still grows; only its end does not stay in sight.
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.waitForResponse('**/log');
  await page.waitForResponse('**/log');
  // Esc empties its search, and closes the details only then.
  const search = page.getByRole('textbox', { name: 'Search this log' });
  await search.fill('nothing like it');
  await expect(page.getByText('No line matches.')).toBeVisible();
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Render details' })).toBeVisible();
  await page.keyboard.press('Escape');

  await c!.focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(c!).toContainText('Queued · 2nd');
  await expect(b!).toContainText('Queued · 3rd');
  await page.keyboard.press('Alt+Home');
  await expect(c!).toContainText('Queued · 1st');
  await expect(c!).toBeFocused();

  await b!.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Move to top' }).click();
  await expect(b!).toContainText('Queued · 1st');
  // In front of B, where A was last.
  await a!.dragTo(b!);
  await expect(a!).toContainText('Queued · 1st');

  await page.keyboard.press('Control+Shift+p');
  await expect(a!).toContainText('Queued – paused');
  await expect(a!).toHaveAttribute('data-display', 'Queued – paused');
  await expect(page.getByTestId('banner-paused')).toContainText('3 renders wait.');
  await page.getByTestId('banner-paused').getByRole('button', { name: 'Resume queue' }).click();
  await expect(a!).toContainText('Queued · 1st');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Pause after this one' }).click();
  await expect(page.getByTestId('page-queue')).toContainText('Pauses after this one');
  await runningRow.focus();
  await page.keyboard.press('Delete');
  await expect(a!).toContainText('Queued – paused');
  await expect(page.getByTestId('page-queue')).not.toContainText('Pauses after this one');

  await c!.focus();
  await page.keyboard.press('Delete');
  await expect(c!).toHaveAttribute('data-display', 'Cancelled', { timeout: 6000 });
  await expect(c!).toHaveAttribute('data-status', 'failed');
  await expect(page.getByTestId('toasts')).toContainText('Cancelled.');

  // Several at once can be had back as one can.
  await a!.focus();
  await page.keyboard.press('Space');
  await b!.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  await expect(a!).toHaveAttribute('data-display', 'Cancelled');
  await expect(b!).toHaveAttribute('data-display', 'Cancelled');
  const told = page.getByRole('status').filter({ hasText: 'Cancelled 2 renders.' });
  await told.getByRole('button', { name: 'Render again' }).click();
  const queued = page.locator('[data-row][data-status="planned"]');
  await expect(queued).toHaveCount(2);
  await page.getByRole('button', { name: 'Queued, 2' }).click();
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await queued.first().focus();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('button', { name: 'Queued, 0' })).toBeVisible();
  await page.getByRole('button', { name: /^All, / }).click();
  await page.getByRole('button', { name: 'Resume queue' }).click();
  await expect(page.getByRole('button', { name: 'Pause queue' })).toBeVisible();
});

test('a failed render says why, what to do, and can be made again', async ({ page, program }) => {
  await openWindow(page, program);
  const { id } = await program.createRender(brokenCard);
  const { error_message: message = '' } = await program.finished(id);
  const row = page.getByTestId(`render-row-${id}`);
  await expect(row).toHaveAttribute('data-display', 'Failed');
  await expect(row).toContainText(message);

  await row.click();
  const details = page.getByRole('region', { name: 'Render details' });
  const box = details.getByRole('group', { name: 'This render failed' });
  await expect(box).toContainText(message);
  await expect(box).toContainText('The property does not accept this value. Change it');
  await box.getByRole('button', { name: 'Copy error' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(message);
  await box.getByRole('button', { name: 'Open log' }).click();
  await expect(details.getByRole('list', { name: 'Log' })).toContainText(`Error ${message}`);
  await details.getByRole('tab', { name: 'Request' }).click();
  await expect(details.getByRole('tabpanel')).toContainText('not a color');
  await details.getByRole('tab', { name: 'Webhook' }).click();
  await expect(details.getByRole('tabpanel')).toContainText('No webhook was requested');

  // A receiver that answers better the second time.
  let status = 410;
  const receiver = createServer((_, response) => {
    response.writeHead(status).end(status === 410 ? 'moved out' : '');
    status = 204;
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo; // listens on TCP
  const webhook_url = `http://127.0.0.1:${port}/`;
  const told = await program.createRender({ ...brokenCard, webhook_url });
  await program.finished(told.id);
  await page.getByTestId(`render-row-${told.id}`).click();
  await details.getByRole('tab', { name: 'Webhook' }).click();
  const panel = details.getByRole('tabpanel');
  const tries = panel.getByRole('table', { name: 'Tries' }).locator('tbody').getByRole('row');
  await expect(tries).toHaveText([/Answered 410.*\d\sm?s$/]);
  await expect(panel).toContainText('Answered 410: moved out');
  await panel.getByRole('button', { name: 'Send again' }).click();
  await expect(tries).toHaveText([/Answered 204/, /Answered 410/]);
  await expect(panel).toContainText('Delivered');
  await expect(panel).not.toContainText('Last result');
  receiver.close();

  const before = await page.locator('[data-row]').count();
  await details.getByRole('button', { name: 'Render again' }).click();
  await expect(page.locator('[data-row]')).toHaveCount(before + 1);

  // It was no template: it becomes one, open at what is wrong.
  await box.getByRole('button', { name: 'Open as new template' }).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-valid', 'false');
});

test('a render that stopped the renderer says so, and offers its log', async ({
  page,
  program,
}) => {
  const { id } = await program.createRender(brokenCard);
  const { error_message: message = '' } = await program.finished(id);
  // As the list tells it after three lost attempts.
  await page.route('**/api/renders', async (route) => {
    const answer = await route.fetch();
    const list = (await answer.json()) as { renders: { id: string }[] };
    const renders = list.renders.map((one) => (one.id === id ? { ...one, rendererStops: 3 } : one));
    await route.fulfill({ json: { ...list, renders } });
  });
  await openWindow(page, program);
  await page.getByTestId(`render-row-${id}`).click();
  const box = page.getByRole('group', { name: 'This render failed' });
  await expect(box).toContainText(
    'This render stopped the renderer 3 times and was marked as failed so that the others can go on.',
  );
  await expect(box).toContainText(message);
  const saving = page.waitForEvent('download');
  await box.getByRole('button', { name: 'Save log…' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^Hello .*\.log\.txt$/);
});

test('with changes: the dialog is filled in as the render was asked for', async ({
  page,
  program,
}) => {
  const title = { type: 'text', name: 'Title', text: 'Own', dynamic: true };
  const source = { ...card('Card', 64, 64), elements: [title] };
  const template = await program.createTemplate({ name: 'Asked', source });
  const asked = { modifications: { Title: 'Hello', 'Title.fill_color': '#ff0000' } };
  const { id } = await program.createRender({
    template_id: template.id,
    ...asked,
    render_scale: 0.5,
  });
  await program.finished(id);
  await openWindow(page, program);
  await page.getByTestId(`render-row-${id}`).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Render again with changes…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Render “Asked”' });
  await expect(dialog.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue('Hello');
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  await expect(dialog).toBeHidden();
  const again = page.locator('[data-row]').first();
  await again.click();
  await page.getByRole('button', { name: '1 more', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Render details' })).toContainText(
    'Title.fill_color = "#ff0000"',
  );
});

test('details show the picture, the facts, and close with Esc', async ({ page, program }) => {
  const { id } = await program.createRender(card('Hello'));
  await program.finished(id);
  await openWindow(page, program);
  const row = page.getByTestId(`render-row-${id}`);
  await row.focus();
  await page.keyboard.press('Enter');
  const details = page.getByRole('region', { name: 'Render details' });
  const picture = details.getByRole('img', { name: 'Picture of Hello' });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(600);
  await expect(details).toContainText(id);
  await details.getByRole('button', { name: 'Copy URL' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${program.apiUrl}/renders/${id}.png`,
  );

  const downloading = page.waitForEvent('download');
  await details.getByRole('link', { name: 'Download file' }).click();
  expect((await downloading).suggestedFilename()).toBe(`${id}.png`);

  // In a narrow window they are below the list, as high as one wants.
  await page.setViewportSize({ width: 960, height: 600 });
  await expect(row).toBeInViewport({ ratio: 1 });
  const heightOf = async (): Promise<number> => (await details.boundingBox())?.height ?? 0;
  const before = await heightOf();
  const line = page.getByRole('separator', { name: 'Height of the details' });
  await line.press('ArrowUp');
  await expect.poll(heightOf).toBeGreaterThan(before);
  const higher = await heightOf();
  await expect.poll(async () => Object.keys(await program.remembered())).toContain('detailsShare');
  await page.reload();
  // The address says which render is open.
  await expect(details).toBeVisible();
  await expect.poll(heightOf).toBe(higher);
  await page.setViewportSize({ width: 1280, height: 800 });

  await details.getByRole('button', { name: 'Copy ID' }).press('Escape');
  await expect(details).toBeHidden();
  await expect(row).toBeFocused();
  // As well from the row that they belong to.
  await row.press('Enter');
  await expect(details).toBeVisible();
  await row.press('Escape');
  await expect(details).toBeHidden();
  await expect(row).toBeFocused();
});

test('messages stay while one of them is pointed at, and leave the focus where it was', async ({
  page,
  program,
}) => {
  const { id } = await program.createRender(card('Told'));
  await page.clock.install();
  await openWindow(page, program);
  const row = page.getByTestId(`render-row-${id}`);
  const toasts = page.getByTestId('toasts');
  await row.focus();
  await page.keyboard.press('Control+c');
  await toasts.getByText('Copied.').hover();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(toasts.getByRole('status')).toHaveText([/Copied/, /Queued again/]);
  await page.clock.runFor(20_000);
  await expect(toasts.getByRole('status')).toHaveCount(2);
  await page.mouse.move(5, 5);
  await page.clock.runFor(7000);
  await expect(toasts.getByRole('status')).toHaveText([/Queued again/]);

  await row.focus();
  await toasts.getByRole('button', { name: 'Dismiss' }).focus();
  await page.mouse.move(9, 9);
  await page.clock.runFor(20_000);
  await page.keyboard.press('Enter');
  await expect(toasts.getByRole('status')).toHaveCount(0);
  await expect(row).toBeFocused();
});

test('renders are ticked, removed, taken back, and gone for good after the time', async ({
  page,
  program,
}) => {
  const ids: string[] = [];
  for (const word of ['One', 'Two']) {
    const { id } = await program.createRender(card(word));
    await program.finished(id);
    ids.push(id);
  }
  await openWindow(page, program);
  const [first, second] = ids.map((id) => page.getByTestId(`render-row-${id}`));
  await second!.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('group', { name: 'Selected renders' })).toContainText('2 selected');
  await page.keyboard.press('Delete');
  await expect(first!).toBeHidden();
  await expect(second!).toBeHidden();
  await page.keyboard.press('Control+z');
  await expect(first!).toBeVisible();
  expect((await program.readRender(ids[0]!)).status).toBe('succeeded');

  await first!.focus();
  await page.keyboard.press('Delete');
  await expect(first!).toBeHidden();
  // The next key finds the row that came to its place.
  await expect(page.locator('[data-row]:focus')).toHaveCount(1);
  // Closing the window ends the time for taking back.
  await page.reload();
  await expect(second!).toBeVisible();
  await expect
    .poll(async () => 'status' in (await program.readRender(ids[0]!)), { timeout: 15_000 })
    .toBe(false);
});

test('transparent pictures stand on squares, so that black can be seen in the dark', async ({
  page,
  own,
}) => {
  for (const [name, format] of [
    ['Seen through', 'png'],
    ['Opaque', 'jpg'],
  ] as const) {
    const { id } = await own.createRender({ ...card(name), output_format: format });
    await own.finished(id);
  }
  await openWindow(page, own);
  const behind = (name: string): Promise<string> =>
    page
      .locator('[data-row]', { hasText: name })
      .locator('img')
      .evaluate((picture) => getComputedStyle(picture).backgroundImage);
  expect(await behind('Seen through')).toContain('conic-gradient');
  expect(await behind('Opaque')).toBe('none');
});

test('a narrow page says that the list is filtered, and by how much', async ({ page, program }) => {
  const { id } = await program.createRender(card('One'));
  await program.finished(id);
  await page.setViewportSize({ width: 700, height: 700 });
  await openWindow(page, program);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'png', exact: true }).click();
  await page.keyboard.press('Escape');
  const filter = page.getByRole('button', { name: 'Filter · 1' });
  await expect(filter).toBeVisible();
  const dot = await filter.evaluate(
    (button) => getComputedStyle(button.closest('.narrow') ?? button, '::after').content,
  );
  expect(dot).toBe('""');
});

test('rows are reached by keyboard; filters, search and columns', async ({ page, program }) => {
  for (const source of [card('One'), card('Two'), brokenCard]) {
    const { id } = await program.createRender(source);
    await program.finished(id);
  }
  await openWindow(page, program);
  const rows = page.locator('[data-row]');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(rows.first()).toBeFocused();

  await page.getByRole('button', { name: /^Failed, \d+$/ }).click();
  const failed = page.locator('[data-row][data-display="Failed"]');
  await expect(rows).toHaveCount(await failed.count());
  // 28: another one takes its place; Ctrl A ticks the rows, and no words of the page, wherever the focus is.
  await page.getByRole('button', { name: /^Done, \d+$/ }).click();
  await expect(page.getByRole('group', { name: 'Show' }).locator('[aria-pressed=true]')).toHaveText(
    /^Done/,
  );
  await expect(page.locator('[data-row][data-display="Failed"]')).toHaveCount(0);
  await page.keyboard.press('Control+a');
  await expect(page.locator('[data-row][aria-selected=true]')).toHaveCount(await rows.count());
  expect(await page.evaluate(() => String(getSelection()))).toBe('');
  await page.getByRole('button', { name: /^Failed, \d+$/ }).click();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('nothing has this name');
  await expect(page.getByText('No renders match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(2);

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Attempts' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Attempts' })).toBeVisible();
  // Remembered by the server, because the window's address is new at every start.
  await expect.poll(async () => (await program.remembered())['queueColumns']).toContain('attempts');
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Attempts' })).toBeVisible();

  // What is chosen in the palette is to be seen in the list, too, and has the keys.
  await page.setViewportSize({ width: 960, height: 600 });
  const last = rows.last();
  const id = (await last.getAttribute('data-row')) ?? '';
  await rows.first().focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
  const chosen = page.getByTestId(`render-row-${id}`);
  await expect(chosen).toBeInViewport({ ratio: 0.9 });
  await expect(chosen).toBeFocused();
});

test('the palette finds pages, templates and renders; F1 lists the keys', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('settings');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('page-settings')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Promo');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('page-editor')).toBeVisible();
  await page.keyboard.press('Control+2');
  await expect(page.getByTestId('page-queue')).toBeVisible();
  const saved = page.waitForEvent('download');
  for (const [words, name] of [
    ['manage proj', 'Projects'],
    ['recent mess', 'Recent messages'],
    ['save diag', undefined],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    if (name === undefined) continue;
    const opened = page.getByRole('dialog', { name });
    await expect(opened).toBeVisible();
    const hasFocus = (): Promise<boolean> =>
      opened.evaluate((box) => box.contains(document.activeElement));
    await expect.poll(hasFocus).toBe(true);
    await page.keyboard.press('Escape');
    await expect(opened).toBeHidden();
  }
  expect((await saved).suggestedFilename()).toMatch(/^framewright-diagnostics-.*\.zip$/);
  await page.keyboard.press('F1');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list).toContainText('Command palette');
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await page.keyboard.press('F6');
  await page.keyboard.press('F6');
  await expect(page.locator(':focus')).toHaveCount(1);
});
