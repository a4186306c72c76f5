/** The card of the first run: a step that was done in any way stays done. */
import { expect, openWindow, test } from './program.ts';
import { card } from './sources.ts';

test('a render of a template through the API ticks its step; removing renders takes no tick away', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Called', source: card('C', 200, 100) });
  await openWindow(page, program);
  const steps = page.getByTestId('first-steps').getByRole('listitem');
  await expect(steps).toHaveText([/^To do:/, /^To do:/, /^To do:/].map(spaced));
  const render = await program.createRender({ template_id: id });
  await program.finished(render.id);
  const row = page.getByTestId(`render-row-${render.id}`);
  await expect(row).toHaveAttribute('data-display', 'Done');
  const done = [/^Done:/, /^To do:/, /^Done:/].map(spaced);
  await expect(steps).toHaveText(done);

  await row.focus();
  await page.keyboard.press('Delete');
  await expect(row).toBeHidden();
  await expect(steps).toHaveText(done);
  await program.changeTemplate(id, { name: 'Changed' });
  // 29: with its last step the card goes, and comes again only when it is asked for.
  await expect(page.getByTestId('first-steps')).toHaveCount(0);
  const remembered = { firstRendered: true, firstEdited: true, commandCopied: true };
  await expect.poll(() => program.remembered()).toMatchObject(remembered);
  await program.trashTemplate(id);
  await page.reload();
  await expect(page.getByTestId('page-queue')).toHaveAttribute('data-state', /ready|empty/);
  await expect(page.getByTestId('first-steps')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('first steps');
  await page.keyboard.press('Enter');
  await expect(steps).toHaveText([/^Done:/, /^Done:/, /^Done:/].map(spaced));
  await page.getByRole('button', { name: 'Hide this card' }).click();
  await expect(page.getByTestId('first-steps')).toHaveCount(0);
});

/** The text of an item begins with spaces of its markup. */
const spaced = ({ source }: RegExp): RegExp => new RegExp(source.replace('^', '^\\s*'));
