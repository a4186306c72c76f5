/** Renders a scene with editly: a canvas in Node, its pixels sent to ffmpeg. */
import path from 'node:path';

/** Draws S1 on editly's own canvas; its library can't read the font of the others, so the title has the system's. */
function moving({ frames, frameRate, width, height, titleText }, photo) {
  const duration = frames / frameRate;
  return ({ canvas }) => {
    const pen = canvas.getContext('2d');
    return {
      onRender(progress) {
        const time = progress * duration;
        const shown = 1 - (1 - Math.min(1, time)) ** 3;
        pen.globalAlpha = 1;
        pen.fillStyle = '#1b2a4a';
        pen.fillRect(0, 0, width, height);
        pen.drawImage(photo, -960 + 288 * time, 420);
        pen.globalAlpha = Math.max(0, Math.min(shown, 1, duration - time));
        pen.fillStyle = '#ffffff';
        pen.font = 'bold 112px sans-serif';
        pen.textAlign = 'center';
        pen.textBaseline = 'middle';
        pen.fillText(titleText, width / 2, height / 2 + 120 * (1 - shown));
      },
      onClose: () => undefined,
    };
  };
}

/** A picture in its own size, its middle at a place of the output. */
const still = (file, x, y, { width, height }, size) => ({
  ...{ type: 'image-overlay', path: file, width: size / width },
  position: { x: x / width, y: y / height, originX: 'center', originY: 'center' },
});

/** See peers.mjs. */
export const editly = {
  name: 'editly',
  packages: ['editly', 'canvas'],
  async prepare({ facts, media, program, load }) {
    const { default: render } = await load('editly');
    const { loadImage } = await load('canvas');
    const { width, height, frameRate, frames, scene } = facts;
    const at = (name) => path.join(media, name);
    const layers =
      scene === 'S2'
        ? [
            { type: 'video', path: at('clip.mp4'), resizeMode: 'stretch' },
            still(at('plate.png'), 960, 880, facts, 1000),
            still(at('logo.png'), 1740, 180, facts, 240),
          ]
        : [{ type: 'canvas', func: moving(facts, await loadImage(at('photo.png'))) }];
    return (outPath) =>
      render({
        ...{ outPath, width, height, fps: frameRate, ffmpegPath: program, keepSourceAudio: false },
        ffprobePath: program.replace(/ffmpeg([^/\\]*)$/, 'ffprobe$1'),
        clips: [{ duration: frames / frameRate, transition: null, layers }],
        defaults: { transition: null },
        customOutputArgs: [
          ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'],
          ...['-movflags', '+faststart'],
        ],
      });
  },
};
