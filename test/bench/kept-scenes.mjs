/**
 * The scenes of which only what changed is rendered: S9 a film with another title, S10 rows of a template, S11 the same
 * film again. Their limit is our own first render.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { median, renderInTurn, runOnce } from './measure.mjs';
import { fontFamily, frameRate, height, makeClip, overVideo, width } from './scenes.mjs';

const text = (value, time, duration, y) => ({
  ...{ type: 'text', text: value, time, duration, x: '50%', y, font_family: fontFamily },
  ...{ font_weight: 700, font_size: 90, fill_color: '#fff', background_color: 'rgba(0,0,0,0.6)' },
});

/** A minute of video under a logo, with a title that is visible for five seconds. */
async function minute(context) {
  const { source } = await overVideo('S9', 1, 60 * frameRate).prepare(context);
  const [video, , , logo] = source.elements;
  return (title) => ({ ...source, elements: [video, logo, text(title, 20, 5, '80%')] });
}

/** Half a minute of video with three texts of four seconds. */
async function row(context) {
  await makeClip(context, { count: 30 * frameRate });
  const film = { type: 'video', track: 1, source: 'clip.mp4', width: '100%', height: '100%' };
  return (number) => ({
    ...{ output_format: 'mp4', width, height, frame_rate: frameRate, duration: 30 },
    elements: [
      film,
      ...[3, 13, 23].map((time) => text(`Row ${number} at ${time}`, time, 4, '75%')),
    ],
  });
}

async function prepared(context, name, prepare) {
  const folder = path.join(context.folder, name);
  await mkdir(folder, { recursive: true });
  const quiet = ['-nostdin', '-hide_banner', '-nostats', '-loglevel', 'error'];
  const ffmpeg = (args) => runOnce(context.program, [...quiet, ...args]);
  return { folder, documentOf: await prepare({ ...context, folder, ffmpeg }) };
}

/** Documents one after the other, beginning without pieces; the seconds of each. */
async function renderAll(sources, { folder, context, more = {} }) {
  await rm(path.join(folder, 'cache/pieces'), { recursive: true, force: true });
  const outputPath = path.join(folder, 'film.mp4');
  const options = { folder, mediaFolder: folder, ffmpegPath: context.program, outputPath, more };
  return renderInTurn(sources, options);
}

const round3 = (value) => Math.round(value * 1000) / 1000;

/** @param pick The documents' names: the first is rendered first, the last one is measured. */
function again(name, goal, [first, last]) {
  return {
    name,
    async measure(context) {
      const { folder, documentOf } = await prepared(context, name, minute);
      const [firsts, lasts] = [[], []];
      for (let round = 0; round < context.rounds; round++) {
        const sources = [documentOf(first), documentOf(last)];
        const [one, other] = await renderAll(sources, { folder, context });
        firsts.push(one.seconds);
        lasts.push(other.seconds);
      }
      const [limitSeconds, seconds] = [median(firsts), median(lasts)];
      const ratio = round3(seconds / limitSeconds);
      return { name, ratio, goal, seconds: round3(seconds), limitSeconds: round3(limitSeconds) };
    },
  };
}

const rows = 50;
/** Rows rendered by themselves, of which the time of all is counted. */
const alone = 3;

const feed = {
  name: 'S10',
  async measure(context) {
    const { folder, documentOf } = await prepared(context, 'S10', row);
    const sources = Array.from({ length: rows }, (_, index) => documentOf(index + 1));
    const sum = (results) => results.reduce((total, { seconds }) => total + seconds, 0);
    const shared = sum(await renderAll(sources, { folder, context, more: { isShared: true } }));
    const singles = await renderAll(sources.slice(0, alone), {
      ...{ folder, context, more: { piecesLimit: 0 } },
    });
    const limitSeconds = (sum(singles) / alone) * rows;
    const ratio = round3(shared / limitSeconds);
    return {
      ...{ name: 'S10', ratio, goal: 0.45, seconds: round3(shared) },
      limitSeconds: round3(limitSeconds),
    };
  },
};

export const keptScenes = [
  again('S9', 0.15, ['The first title', 'Another one']),
  feed,
  again('S11', 0.03, ['The title', 'The title']),
];
