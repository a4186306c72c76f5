/** The scenes S1 and S2 as a project of Revideo's, whose coordinates begin in the middle of the picture. */
/* global document, FontFace */
import { Img, Rect, Txt, Video, makeScene2D } from '@revideo/2d';
import { all, chain, easeOutCubic, linear, makeProject, useScene, waitFor } from '@revideo/core';

function* moving(view, { titleText, fontFamily }) {
  const picture = new Img({ src: '/photo.png', width: 960, height: 540, x: -1440, y: 150 });
  const title = new Txt({
    ...{ text: titleText, fontFamily, fontWeight: 700, fontSize: 112, fill: '#ffffff' },
    ...{ y: 120, opacity: 0 },
  });
  view.fill('#1b2a4a');
  view.add([picture, title]);
  yield* all(
    picture.x(1440, 10, linear),
    chain(
      all(title.y(0, 1, easeOutCubic), title.opacity(1, 1, easeOutCubic)),
      waitFor(8),
      title.opacity(0, 1, linear),
    ),
  );
}

function* overVideo(view, { titleText, fontFamily, width, height, frames, frameRate }) {
  view.add([
    new Video({ src: '/clip.mp4', width, height, play: true }),
    new Rect({ width: 1000, height: 180, y: 340, fill: 'rgba(0, 0, 0, 0.6)' }),
    new Txt({
      ...{ text: titleText, fontFamily, fontWeight: 700, fontSize: 80, fill: '#ffffff', y: 340 },
    }),
    new Img({ src: '/logo.png', width: 240, height: 240, x: 780, y: -360 }),
  ]);
  yield* waitFor(frames / frameRate);
}

const film = makeScene2D('film', function* (view) {
  const facts = useScene().variables.get('facts', {})();
  const font = new FontFace(facts.fontFamily, 'url(/title.woff2)', { weight: '100 900' });
  yield font.load().then((loaded) => document.fonts.add(loaded));
  yield* (facts.scene === 'S2' ? overVideo : moving)(view, facts);
});

export default makeProject({
  scenes: [film],
  settings: { shared: { size: { x: 1920, y: 1080 } }, rendering: { fps: 30 } },
});
