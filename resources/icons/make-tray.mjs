/**
 * Draws the icons beside the clock out of the program's own sign: `node resources/icons/make-tray.mjs`.
 * In colour for Windows and Linux; black on nothing for macOS (`…-Template.png`), which draws its own colours over it.
 * A badge says that it renders, or that the renderer needs someone. `@2x` is for dense screens.
 */
import { createCanvas } from '@napi-rs/canvas';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
      const picture = draw(badge, suffix !== '', scale);
      writeFileSync(fileURLToPath(new URL(name, import.meta.url)), picture);
    }
  }
}
