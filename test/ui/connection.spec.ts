/** The window and its server: what happens when it goes and comes back, and what the page may not do. */
import { createHmac } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { proofText } from '../../shared/window-proof.ts';
import { lookAt } from './look.ts';
import { expect, openWindow, Program, test } from './program.ts';

test('a server that goes is said', async ({ page, own }) => {
  await openWindow(page, own);
  await expect(page.getByTestId('status-api')).toHaveAttribute('data-state', 'on');
  await own.stop();
  await expect(page.getByTestId('banner-lost')).toBeVisible();
  await expect(page.getByTestId('status-api')).toHaveAttribute('data-state', 'off');
});

test('a stream that breaks is taken up again with everything missed', async ({ page, own }) => {
  // The first stream ends after its greeting, as one does when a computer has slept.
  let streams = 0;
  await page.route('**/api/events', async (route) => {
    streams += 1;
    if (streams > 1) return route.continue();
    const body = 'data: {"type":"hello","number":0}\n\n';
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  await openWindow(page, own);
  const { id } = await own.createRender({
    output_format: 'png',
    width: 40,
    height: 40,
    elements: [],
  });
  await expect(page.getByTestId(`render-row-${id}`)).toHaveAttribute('data-status', 'succeeded');
  expect(streams).toBeGreaterThan(1);
  await expect(page.getByTestId('banner-lost')).toBeHidden();
});

test('F118: events that are missing make the window load the list', async ({ page, own }) => {
  const lists: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/renders')) lists.push(request.url());
  });
  const body =
    'data: {"type":"hello","number":4}\n\n' +
    'data: {"type":"render.removed","number":5,"id":"a"}\n\n' +
    'data: {"type":"render.removed","number":8,"id":"b"}\n\n';
  await page.route('**/api/events', (route) =>
    lists.length > 5 ? route.abort() : route.fulfill({ contentType: 'text/event-stream', body }),
  );
  await openWindow(page, own);
  // Each stream asks twice: for its greeting, and for the gap.
  await expect.poll(() => lists.length).toBeGreaterThan(1);
});

test('another program at the port is never sent the token, also one that passes questions on', async ({
  page,
  own,
}) => {
  await openWindow(page, own);
  await expect(page.getByTestId('status-api')).toHaveAttribute('data-state', 'on');
  const address = new URL(own.windowUrl);
  const token = address.hash.replace('#token=', '');
  await own.stop();
  await expect(page.getByTestId('banner-lost')).toBeVisible();
  // It answers proofs as the real server would that had to go to the next port.
  const heard: string[] = [];
  const thief = createHttpServer((request, response) => {
    heard.push(`${request.url ?? ''} ${JSON.stringify(request.headers)}`);
    const url = new URL(request.url ?? '/', address);
    const port = Number(address.port) + 1;
    const text = proofText(url.searchParams.get('nonce') ?? '', port);
    const proof = createHmac('sha256', token).update(text).digest('hex');
    const claimed = heard.length % 2 === 0 ? port : Number(address.port);
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ port: claimed, proof }));
  });
  await new Promise<void>((resolve) => {
    thief.listen(Number(address.port), '127.0.0.1', () => resolve());
  });
  try {
    await expect(page.getByTestId('banner-token')).toBeVisible();
    await expect.poll(() => heard.length, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(heard.filter((one) => one.includes(token))).toEqual([]);
  } finally {
    thief.closeAllConnections();
    await new Promise((resolve) => thief.close(resolve));
  }
});

test('without the token there is a sentence instead of data', async ({ page, own }) => {
  await page.goto(own.windowUrl.replace(/#.*/, '#token=wrong'));
  await expect(page.getByTestId('banner-token')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-app', 'ready');
  await expect(page.getByTestId('page-home')).toHaveAttribute('data-state', 'error');
});

test('a taken port switches the API off, and the window says what can be done', async ({
  page,
}) => {
  const other = createServer();
  // Where it is taken already, it is taken.
  await new Promise<void>((resolve) => {
    other.once('error', () => resolve());
    other.listen(4820, '127.0.0.1', () => resolve());
  });
  const own = new Program();
  try {
    await own.start(null, true);
    await openWindow(page, own);
    const bar = page.getByTestId('status-api');
    await expect(bar).toHaveAttribute('data-state', 'off');
    await expect(bar).toContainText('API off – port in use');
    await page.getByTestId('banner-api').getByRole('button', { name: 'Open API page' }).click();
    await expect(page.getByTestId('page-api')).toHaveAttribute('data-state', 'error');
    await expect(page.getByTestId('banner-api')).toBeHidden();
    const card = page.getByTestId('api-off');
    await expect(card).toContainText('Port 4820 is used by another program.');
    await lookAt(page, 'api-off');
    await card.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByTestId('toasts')).toContainText('Port 4820 is used by another program.');
    await card.getByRole('button', { name: 'Change port' }).click();
    const port = page.getByRole('textbox', { name: 'Port' });
    await expect(port).toBeFocused();
    expect(await page.evaluate(() => String(getSelection()))).toBe('4820');
    await page.getByRole('button', { name: 'Test the port' }).click();
    await expect(page.getByTestId('port-test')).toHaveText('Port 4820 is used by another program.');
    await page.keyboard.press('Control+5');
    await card.getByRole('button', { name: /^Use 48\d\d this time$/ }).click();
    await expect(page.getByTestId('page-api')).toHaveAttribute('data-state', 'ready');
    await expect(bar).toHaveAttribute('data-state', 'on');
    // This program has its rate limit: the count falls with a request and climbs by itself.
    const left = page.getByTestId('api-limit');
    await expect(left).toHaveText(/30 of 30 \(10.s\)/);
    const url = (await page.getByTestId('api-base-url').textContent()) ?? '';
    const headers = { Authorization: `Bearer ${own.apiKey}` };
    expect((await fetch(`${url}/v2/templates`, { headers })).status).toBe(200);
    await expect(left).toHaveText(/29 of 30/);
  } finally {
    await own.remove();
    other.close();
  }
});

test('F114: the page keeps to its content policy, and names are text', async ({ page, own }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const name = '<img src=x onerror="document.title=1">';
  const source = { output_format: 'png', width: 20, height: 20, elements: [] };
  await own.createTemplate({ name, source });
  await openWindow(page, own);
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByRole('article', { name })).toBeVisible();
  await page.getByRole('link', { name: 'API' }).click();
  await expect(page.getByTestId('api-base-url')).toHaveText(own.apiUrl);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByTestId('page-settings')).toHaveAttribute('data-state', 'ready');
  await expect(page).toHaveTitle('Settings – Framewright');
  expect(complaints).toEqual([]);

  const script = await page.evaluate(() => {
    const element = document.createElement('script');
    element.textContent = 'document.title = "foreign"';
    document.body.append(element);
    return document.title;
  });
  expect(script).toBe('Settings – Framewright');
});
