/**
 * Draws icons out of the program's own sign (`window/icon.svg`): `node resources/icons/make-icons.mjs`. Look at each
 * before committing it.
 *
 * `app/`: the sizes of Linux' icon theme, each drawn for its pixels, because a picture that is made smaller blurs.
 *
 * `tray-…`: the icons beside the clock. In colour for Windows and Linux; black on nothing for macOS (`…-Template.png`),
 * which draws its own colours over it. A badge says that it renders, or that the renderer needs someone. `@2x` is for
 * dense screens.
 */
import { createCanvas, Path2D } from '@napi-rs/canvas';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const write = (name, picture) =>
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), picture);

/** Sides of the pictures in `app/`: those that the theme hicolor has folders for. */
const appSides = [16, 24, 32, 48, 64, 128, 256, 512];
/** The sign's own field, and its measures there, as in window/icon.svg. */
const signField = 64;
const sign = { corner: 15, frame: 11.5, line: 5, arm: 17, bend: 6.5 };
const triangle = new Path2D(
  'M27 23.6v16.8a1.6 1.6 0 0 0 2.45 1.36l13.3-8.4a1.6 1.6 0 0 0 0-2.72l-13.3-8.4A1.6 1.6 0 0 0 27 23.6z',
);

/**
 * The sign at a size; edges of the frame and the triangle lie on whole pixels. Large ones have a margin, as desktops
 * want it.
 */
function drawApp(side) {
  const margin = side < 48 ? 0 : side / 16;
  const scale = (side - 2 * margin) / signField;
  const canvas = createCanvas(side, side);
  const context = canvas.getContext('2d');
  context.fillStyle = '#2447d8';
  context.beginPath();
  context.roundRect(margin, margin, side - 2 * margin, side - 2 * margin, sign.corner * scale);
  context.fill();

  const line = Math.max(1, Math.round(sign.line * scale));
  const near = margin + Math.round(sign.frame * scale);
  const arm = Math.round(sign.arm * scale);
  const bend = sign.bend * scale - line / 2;
  context.strokeStyle = '#fff';
  context.lineWidth = line;
  context.lineCap = line > 2 ? 'round' : 'butt';
  const cap = line > 2 ? line / 2 : 0;
  for (const [right, down] of [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ]) {
    const x = right > 0 ? near + line / 2 : side - near - line / 2;
    const y = down > 0 ? near + line / 2 : side - near - line / 2;
    const reach = arm - line / 2 - cap;
    context.beginPath();
    context.moveTo(x, y + down * reach);
    context.arcTo(x, y, x + right * reach, y, bend);
    context.lineTo(x + right * reach, y);
    context.stroke();
  }

  context.fillStyle = '#fff';
  const left = margin + 27 * scale;
  if (side === 16) {
    // Round corners would be grey all over.
    context.beginPath();
    context.moveTo(7, 5);
    context.lineTo(11.5, 8);
    context.lineTo(7, 11);
    context.fill();
    return canvas.toBuffer('image/png');
  }
  context.translate(margin + Math.round(left) - left, margin);
  context.scale(scale, scale);
  context.fill(triangle);
  return canvas.toBuffer('image/png');
}

mkdirSync(fileURLToPath(new URL('app/', import.meta.url)), { recursive: true });
for (const side of appSides) write(`app/${side}x${side}.png`, drawApp(side));

/** On a field of 16 × 16. */
const field = 16;
const faces = {
  idle: null,
  rendering: { colour: '#22a06b', sign: 'play' },
  problem: { colour: '#d9342b', sign: 'mark' },
};

/** The four corners of the frame and the triangle in it. */
function drawSign(context, { inset, width }) {
  const far = field - inset;
  const arm = 3.2;
  const bend = 1.6;
  context.lineWidth = width;
  context.lineCap = 'round';
  for (const [x, y, right, down] of [
    [inset, inset, 1, 1],
    [far, inset, -1, 1],
    [far, far, -1, -1],
    [inset, far, 1, -1],
  ]) {
    context.beginPath();
    context.moveTo(x, y + down * arm);
    context.lineTo(x, y + down * bend);
    context.quadraticCurveTo(x, y, x + right * bend, y);
    context.lineTo(x + right * arm, y);
    context.stroke();
  }
  context.beginPath();
  context.moveTo(6.5, 5.4);
  context.lineTo(10.7, 8);
  context.lineTo(6.5, 10.6);
  context.closePath();
  context.fill();
}

/** A round badge in the lower right corner, cut out of what lies below it. */
function drawBadge(context, { colour, sign }, isTemplate) {
  context.save();
  context.globalCompositeOperation = 'destination-out';
  context.beginPath();
  context.arc(11.8, 11.8, 4.2, 0, 2 * Math.PI);
  context.fill();
  // And nothing of the field beyond it.
  context.fillRect(11.8, 11.8, 4.2, 4.2);
  context.restore();
  context.fillStyle = isTemplate ? '#000' : colour;
  context.beginPath();
  context.arc(11.8, 11.8, 3.4, 0, 2 * Math.PI);
  context.fill();
  context.globalCompositeOperation = isTemplate ? 'destination-out' : 'source-over';
  context.fillStyle = '#fff';
  if (sign === 'play') {
    context.beginPath();
    context.moveTo(10.8, 10);
    context.lineTo(13.7, 11.8);
    context.lineTo(10.8, 13.6);
    context.fill();
  } else {
    context.fillRect(11.2, 9.6, 1.2, 2.7);
    context.fillRect(11.2, 13, 1.2, 1.2);
  }
  context.globalCompositeOperation = 'source-over';
}

function draw(badge, isTemplate, scale) {
  const canvas = createCanvas(field * scale, field * scale);
  const context = canvas.getContext('2d');
  context.scale(scale, scale);
  if (isTemplate) {
    context.strokeStyle = '#000';
    context.fillStyle = '#000';
    drawSign(context, { inset: 2, width: 1.5 });
  } else {
    context.fillStyle = '#2446d8';
    context.beginPath();
    context.roundRect(0, 0, field, field, 3.6);
    context.fill();
    context.strokeStyle = '#fff';
    context.fillStyle = '#fff';
    drawSign(context, { inset: 3.4, width: 1.4 });
  }
  if (badge) drawBadge(context, badge, isTemplate);
  return canvas.toBuffer('image/png');
}

for (const [face, badge] of Object.entries(faces)) {
  for (const suffix of ['', '-Template']) {
    for (const scale of [1, 2]) {
      const name = `tray-${face}${suffix}${scale === 1 ? '' : '@2x'}.png`;
      write(name, draw(badge, suffix !== '', scale));
    }
  }
}
