/** More happens than anybody can read: the window stays usable, and shows how it ended. */
import { expect, openWindow, test } from './program.ts';

const pixel = { output_format: 'png', width: 20, height: 20, elements: [] };

test('F117: a thousand events per second', async ({ page, own }) => {
  const { id } = await own.createRender(pixel);
  await own.finished(id);
  // A stream of our own: three seconds of it, each event another progress of the same render, the last one its end.
  await page.addInitScript((renderId) => {
    const real = window.fetch.bind(window);
    const listUrl = '/api/renders';
    window.fetch = async (input, options) => {
      const url = new URL(input instanceof Request ? input.url : input, location.href);
      if (url.pathname !== '/api/events') return real(input, options);
      const answer = (await (await real(listUrl, options)).json()) as {
        eventNumber: number;
        renders: { id: string; record: object }[];
      };
      const done = answer.renders.find((render) => render.id === renderId)!;
      const encoder = new TextEncoder();
      let number = answer.eventNumber + 10;
      const say = (event: object): Uint8Array =>
        encoder.encode(`data: ${JSON.stringify({ ...event, number })}\n\n`);
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          stream.enqueue(say({ type: 'hello' }));
          let left = 60;
          const timer = setInterval(() => {
            for (let count = 0; count < 50; count++) {
              number += 1;
              const status = count % 2 === 0 ? 'rendering' : 'waiting';
              const render = { ...done, record: { ...done.record, status } };
              stream.enqueue(say({ type: 'render.updated', render }));
            }
            left -= 1;
            if (left > 0) return;
            clearInterval(timer);
            number += 1;
            stream.enqueue(say({ type: 'render.updated', render: done }));
          }, 50);
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
  }, id);
  await openWindow(page, own);
  const row = page.getByTestId(`render-row-${id}`);
  await expect(row).not.toHaveAttribute('data-status', 'succeeded');
  // In the middle of it: the page changes at once, and back.
  await page.getByRole('link', { name: 'Templates' }).click({ timeout: 2_000 });
  await expect(page.getByTestId('page-templates')).toBeVisible({ timeout: 2_000 });
  await page.getByRole('link', { name: 'Queue' }).click({ timeout: 2_000 });
  await expect(row).not.toHaveAttribute('data-status', 'succeeded');
  // Each change is drawn with those that came beside it, not by itself.
  const changes = await row.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        let count = 0;
        new MutationObserver(() => (count += 1)).observe(element, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        });
        setTimeout(() => resolve(count), 1_000);
      }),
  );
  expect(changes).toBeLessThan(50);
  await expect(row).toHaveAttribute('data-status', 'succeeded');
});
