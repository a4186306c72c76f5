/**
 * Fonts in the settings: added by choosing and by dropping, seen in their own letters, removed after a question; faulty
 * files.
 */
import type { Page } from '@playwright/test';
import { namedFont } from '../helpers/named-font.ts';
import { checkRules } from './look.ts';
import { expect, openWindow, test } from './program.ts';

const poster = {
  output_format: 'png',
  width: 400,
  height: 120,
  elements: [{ type: 'text', text: 'headline', font_family: 'Window Poster', fill_color: '#fff' }],
};

async function openFonts(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Fonts', exact: true }).click();
  await expect(page.getByTestId('fonts')).toHaveAttribute('data-state', 'ready');
}

/** Drops files on a part of the page. */
async function drop(page: Page, part: string, files: Record<string, Buffer>): Promise<void> {
  const carried = await page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const [name, bytes] of given) data.items.add(new File([new Uint8Array(bytes)], name));
      return data;
    },
    Object.entries(files).map(([name, bytes]): [string, number[]] => [name, [...bytes]]),
  );
  await page.dispatchEvent(part, 'dragover', { dataTransfer: carried });
  await page.dispatchEvent(part, 'drop', { dataTransfer: carried });
}

test('a font is added, used by a template, and removed', async ({ page, program }) => {
  await program.createTemplate({ name: 'Poster', tags: [], source: poster });
  await openWindow(page, program);
  await openFonts(page);
  const fonts = page.getByRole('region', { name: 'Fonts' });
  await expect(fonts).toContainText('No font was added.');
  const missing = fonts.getByRole('list', { name: 'Missing fonts' });
  await expect(missing).toContainText(/Window Poster\s+Used by “Poster”/);

  const chooser = page.waitForEvent('filechooser');
  await fonts.getByRole('button', { name: 'Add fonts…' }).click();
  await (
    await chooser
  ).setFiles([
    { name: 'Poster.ttf', mimeType: 'font/ttf', buffer: namedFont({ family: 'Window Poster' }) },
    {
      name: 'Poster-Bold.ttf',
      mimeType: 'font/ttf',
      buffer: namedFont({ family: 'Window Poster', weight: 700, isItalic: true }),
    },
    { name: 'Notes.ttf', mimeType: 'font/ttf', buffer: Buffer.from('Buy milk') },
  ]);
  const row = fonts.getByRole('list', { name: 'Added fonts' }).getByRole('listitem');
  await expect(row).toContainText('400');
  await expect(row).toContainText('700 italic');
  await expect(row).toContainText('2 files');
  // Its name is a picture of its own letters.
  await expect(row.getByRole('img', { name: 'Window Poster' })).toBeVisible();
  await expect(missing).toHaveCount(0);
  const failed = fonts.getByRole('list', { name: 'Files being added' });
  await expect(failed).toContainText(
    "The font can't be used: it is no font; expected a file in the format TTF, OTF, WOFF or WOFF2.",
  );
  await failed.getByRole('button', { name: 'Remove Notes.ttf from the list' }).click();
  await expect(failed).toHaveCount(0);

  // It is among all families, with its origin.
  await fonts.getByText(/^All \d+ fonts that texts can use$/).click();
  const all = fonts.getByRole('group', { name: /^All/ }).getByRole('listitem');
  await expect(all.first()).toContainText('Added');
  await expect(all.nth(1)).toContainText('From Framewright');
  await expect(all.nth(1).getByRole('img')).toBeVisible();

  await page.emulateMedia({ colorScheme: 'dark' });
  await checkRules(page, 'fonts, dark', '#settings-fonts');
  await page.setViewportSize({ width: 640, height: 400 });
  await checkRules(page, 'fonts, 640 px', '#settings-fonts');
  await page.setViewportSize({ width: 1280, height: 800 });

  const remove = row.getByRole('button', { name: 'Remove Window Poster…' });
  await remove.click();
  const question = page.getByRole('alertdialog', { name: 'Remove the font “Window Poster”?' });
  await expect(question).toContainText('1 template uses it: “Poster”. Its texts get another font.');
  await page.keyboard.press('Escape');
  await expect(row).toHaveCount(1);
  await remove.click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(fonts).toContainText('No font was added.');
  await expect(missing).toContainText('Window Poster');
});

test('fonts dropped on the card and anywhere on the window are added', async ({
  page,
  program,
}) => {
  await openWindow(page, program);
  await openFonts(page);
  await drop(page, '[data-testid="fonts"]', {
    'One.otf': namedFont({ family: 'Dropped One' }),
  });
  const names = page.getByRole('list', { name: 'Added fonts' });
  await expect(names.getByRole('img', { name: 'Dropped One' })).toBeVisible();
  await page.getByRole('link', { name: 'Queue' }).click();
  await drop(page, '.page', { 'Two.ttf': namedFont({ family: 'Dropped Two' }) });
  await expect(page.getByTestId('page-settings')).toBeVisible();
  await expect(names.getByRole('img', { name: 'Dropped Two' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add fonts…' })).toBeInViewport();
});

test('the editor offers an added font, draws with it, and without it once it is gone', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Drawn', tags: [], source: poster });
  await openWindow(page, program);
  await openFonts(page);
  const preview = page.getByTestId('editor-preview');
  const openDrawn = async (): Promise<void> => {
    await page.goto(`${program.windowUrl}&page=templates&template=${id}`);
    await expect(preview).toHaveAttribute('data-state', 'ready');
  };
  /** The server's picture, once it is in front: the page's own differs by rounding. */
  const picture = async (): Promise<string | null> => {
    await expect(preview).toHaveAttribute('data-front', 'server');
    return page.locator('#editor-stage .frame > img').first().getAttribute('src');
  };
  await openDrawn();
  const bare = await picture();
  await page.goto(program.windowUrl);
  await openFonts(page);
  await drop(page, '[data-testid="fonts"]', {
    'Poster.ttf': namedFont({ family: 'Window Poster' }),
  });
  await expect(page.getByRole('img', { name: 'Window Poster' })).toBeVisible();
  await openDrawn();
  await expect.poll(picture).not.toBe(bare);
  await page.goto(program.windowUrl);
  await openFonts(page);
  await page.getByRole('button', { name: 'Remove Window Poster…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('img', { name: 'Window Poster' })).toHaveCount(0);
  await openDrawn();
  await expect.poll(picture).toBe(bare);
});
