/** The scenes S1 and S2 as a film of Remotion's. It is packed in a folder where Remotion's packages are found. */
/* global document, FontFace */
import { createElement as h } from 'react';
import {
  AbsoluteFill,
  Composition,
  Easing,
  Img,
  OffthreadVideo,
  continueRender,
  delayRender,
  getInputProps,
  interpolate,
  registerRoot,
  staticFile,
  useCurrentFrame,
} from 'remotion';

const facts = getInputProps();
const { width, height, frameRate, frames, fontFamily, titleText } = facts;

const waiting = delayRender('the font');
const font = new FontFace(fontFamily, `url(${staticFile('title.woff2')})`, { weight: '100 900' });
document.fonts.add(await font.load());
continueRender(waiting);

const within = { extrapolateLeft: 'clamp', extrapolateRight: 'clamp' };
const words = {
  position: 'absolute',
  insetInline: 0,
  fontFamily,
  fontWeight: 700,
  color: '#ffffff',
  textAlign: 'center',
  whiteSpace: 'nowrap',
  lineHeight: 1,
};

/** A picture moves below a title that comes and goes. */
function Moving() {
  const time = useCurrentFrame() / frameRate;
  const shown = interpolate(time, [0, 1], [0, 1], { ...within, easing: Easing.out(Easing.cubic) });
  const top = height / 2 + 120 * (1 - shown) - 56;
  return h(
    AbsoluteFill,
    { style: { backgroundColor: '#1b2a4a' } },
    h(Img, {
      src: staticFile('photo.png'),
      style: { position: 'absolute', left: -960 + 288 * time, top: 420, width: 960, height: 540 },
    }),
    h(
      'div',
      { style: { ...words, top, fontSize: 112, opacity: Math.min(shown, 10 - time) } },
      titleText,
    ),
  );
}

/** A video below a still title with its plate, and a logo. */
function OverVideo() {
  return h(
    AbsoluteFill,
    null,
    h(OffthreadVideo, { src: staticFile('clip.mp4'), muted: true, style: { width, height } }),
    h('div', {
      style: {
        ...{ position: 'absolute', left: 460, top: 790, width: 1000, height: 180 },
        backgroundColor: 'rgba(0, 0, 0, 0.6)',
      },
    }),
    h('div', { style: { ...words, top: 840, fontSize: 80 } }, titleText),
    h(Img, {
      src: staticFile('logo.png'),
      style: { position: 'absolute', left: 1620, top: 60, width: 240, height: 240 },
    }),
  );
}

registerRoot(() =>
  h(Composition, {
    id: 'film',
    component: facts.scene === 'S2' ? OverVideo : Moving,
    durationInFrames: frames ?? 300,
    fps: frameRate ?? 30,
    width: width ?? 1920,
    height: height ?? 1080,
  }),
);
