/** Details of a render show what the list leaves out: what lies beside its record, and the whole of a long error. */
import { expect, openWindow, test } from './program.ts';
import { card } from './sources.ts';

test('details show modifications and metadata of a large request', async ({ page, program }) => {
  const names = Array.from({ length: 120 }, (_, index) => `Hello.note_${index}`);
  const { id } = await program.createRender({
    source: card('Hello'),
    modifications: Object.fromEntries(names.map((name) => [name, 'x'.repeat(400)])),
    metadata: 'order 4711',
  });
  await program.finished(id);
  await openWindow(page, program);
  await page.getByTestId(`render-row-${id}`).click();
  const details = page.getByRole('region', { name: 'Render details' });
  await expect(details.getByText('Hello.note_0 = "xxx')).toBeVisible();
  await expect(details).toContainText('order 4711');
  await details.getByRole('button', { name: '119 more' }).click();
  await expect(details.getByText('Hello.note_99 = "xxx')).toBeVisible();
  await expect(details.getByText(/^Hello\.note_100 = /)).toHaveCount(0);
  await expect(details).toContainText('and 20 more, in the Request tab');
});

test('details show the whole of a long error, the row its beginning', async ({ page, program }) => {
  const name = `Clip ${'long '.repeat(80)}end`;
  const { id } = await program.createRender({
    source: { ...card('Hello'), elements: [{ type: 'image', name, source: 'no/such/file.png' }] },
  });
  const { error_message: message = '' } = await program.finished(id);
  expect(message.length).toBeGreaterThan(400);
  await openWindow(page, program);
  const row = page.getByTestId(`render-row-${id}`);
  await expect(row).not.toContainText(message.slice(-40));
  await row.click();
  const details = page.getByRole('region', { name: 'Render details' });
  await expect(details.getByRole('group', { name: 'This render failed' })).toContainText(
    message.slice(-40),
  );
});

test('39: a file says when it goes and why, is kept, and let go', async ({ page, program }) => {
  const { id } = await program.createRender(card('Kept', 64, 64));
  await program.finished(id);
  await openWindow(page, program);
  await page.getByTestId(`render-row-${id}`).click();
  const details = page.getByRole('region', { name: 'Render details' });
  const when = details.getByText(/\(in 30 days\)$/);
  await expect(when).toHaveAttribute('title', /30 days after they were made/);
  await details.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect(when).toHaveCount(0);
  await page.reload();
  await expect(details.getByText('Kept', { exact: true }).last()).toBeVisible();
  await details.getByRole('button', { name: 'Let it expire' }).click();
  await expect(when).toBeVisible();
});
