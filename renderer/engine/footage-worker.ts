/**
 * The worker that looks into the files of a document, one after the other. Apart from the drawing worker, which must
 * not wait for it.
 */
import { lookInto, type FootageOrder, type FootageReport } from './footage.ts';
import { LiveFiles } from './live-files.ts';

let files = new LiveFiles({});
let last: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<FootageOrder>) => {
  if (data.type === 'begin') files = new LiveFiles(data.headers);
  else last = last.then(() => look(data));
};

async function look(order: FootageOrder & { type: 'look' }): Promise<void> {
  const footage = await lookInto(order, files).catch(() => null);
  const report: FootageReport = { id: order.id, kind: order.kind, footage };
  const moved =
    footage === null ? [] : footage.kind === 'peaks' ? [footage.values.buffer] : [footage.image];
  self.postMessage(report, { transfer: moved });
}
