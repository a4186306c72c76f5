/**
 * Makes the media of the sample templates from nothing but code, so that they are free of anybody's rights:
 *
 *   node resources/samples/make-media.mjs [photos] [marks] [clip] [music]
 *
 * The other SVG files there are drawings of our own, written by hand.
 *
 * Run by hand when a picture changes; the results are committed. Needs ffmpeg on PATH for the clip and the music.
 */
import { createCanvas } from '@napi-rs/canvas';
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'media');
const file = (name) => path.join(folder, name);

/** Small seeded generator (mulberry32), so that every run draws the same. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Sum of sines that looks like a ridge; values around 0, about ±1. */
function ridge(next, octaves = 6) {
  const waves = Array.from({ length: octaves }, (_, i) => ({
    frequency: 1.3 * 1.9 ** i * (0.8 + 0.4 * next()),
    phase: next() * Math.PI * 2,
    size: 0.62 ** i,
  }));
  return (x) =>
    waves.reduce(
      (sum, { frequency, phase, size }) => sum + Math.sin(x * frequency + phase) * size,
      0,
    ) / 1.8;
}

function sky(context, width, height, stops) {
  const gradient = context.createLinearGradient(0, 0, 0, height);
  stops.forEach(([offset, color]) => gradient.addColorStop(offset, color));
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
}

function glow(context, x, y, radius, color, alpha = 1) {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius);
  gradient.addColorStop(0, color);
  gradient.addColorStop(1, `${color.slice(0, 7)}00`);
  context.globalAlpha = alpha;
  context.fillStyle = gradient;
  context.fillRect(x - radius, y - radius, radius * 2, radius * 2);
  context.globalAlpha = 1;
}

function mix(from, to, share) {
  const read = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  const [a, b] = [read(from), read(to)];
  return `#${a
    .map((value, i) =>
      Math.round(value + (b[i] - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Ranges of hills, the far ones in the colour of the air. */
function hills(context, width, height, { seed, layers, from, to, far, near, roughness }) {
  const next = random(seed);
  for (let layer = 0; layer < layers; layer++) {
    const depth = layer / (layers - 1);
    const base = height * (from + (to - from) * depth ** 1.2);
    const line = ridge(next, roughness);
    const size = height * (0.035 + 0.075 * depth);
    const gradient = context.createLinearGradient(0, base - size, 0, base + height * 0.3);
    gradient.addColorStop(0, mix(far, near, depth));
    gradient.addColorStop(1, mix(mix(far, near, depth), far, 0.35));
    context.fillStyle = gradient;
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 2)
      context.lineTo(x, base + line((x / width) * (2.2 + depth * 2) + layer * 9) * size);
    context.lineTo(width, height);
    context.fill();
  }
}

/** A little film grain keeps gradients from banding in JPEG and video. */
function grain(context, width, height, seed, strength = 5) {
  const next = random(seed);
  const picture = context.getImageData(0, 0, width, height);
  for (let i = 0; i < picture.data.length; i += 4) {
    const shift = (next() - 0.5) * strength;
    for (let c = 0; c < 3; c++) picture.data[i + c] += shift;
  }
  context.putImageData(picture, 0, 0);
}

const photos = {
  'dawn.jpg': [
    1600,
    1067,
    (context, w, h) => {
      sky(context, w, h, [
        [0, '#2b3a67'],
        [0.35, '#b56576'],
        [0.55, '#eaac8b'],
        [0.7, '#ffd9a8'],
      ]);
      glow(context, w * 0.66, h * 0.52, h * 0.75, '#fff0c9', 0.75);
      glow(context, w * 0.66, h * 0.52, h * 0.075, '#ffffff', 1);
      hills(context, w, h, {
        seed: 4,
        layers: 6,
        from: 0.56,
        to: 0.94,
        far: '#d9917f',
        near: '#1d2440',
        roughness: 6,
      });
    },
  ],
  'lake.jpg': [
    1600,
    1067,
    (context, w, h) => {
      sky(context, w, h, [
        [0, '#0f4c75'],
        [0.3, '#3282b8'],
        [0.56, '#bbe1fa'],
        [1, '#d8ecf7'],
      ]);
      glow(context, w * 0.25, h * 0.3, h * 0.6, '#ffffff', 0.45);
      hills(context, w, h * 0.66, {
        seed: 21,
        layers: 4,
        from: 0.62,
        to: 0.98,
        far: '#7fb2cf',
        near: '#123b4e',
        roughness: 7,
      });
      const shore = Math.round(h * 0.64);
      // The lake mirrors the land, squeezed and dimmed, with horizontal ripples.
      const mirror = createCanvas(w, shore);
      mirror.getContext('2d').drawImage(context.canvas, 0, 0, w, shore, 0, 0, w, shore);
      context.save();
      context.translate(0, shore);
      context.scale(1, -0.62);
      context.drawImage(mirror, 0, -shore);
      context.restore();
      const water = context.createLinearGradient(0, shore, 0, h);
      water.addColorStop(0, '#0f4c7533');
      water.addColorStop(1, '#0b2f4acc');
      context.fillStyle = water;
      context.fillRect(0, shore, w, h - shore);
      const next = random(8);
      for (let i = 0; i < 420; i++) {
        const depth = next() ** 1.5;
        const y = shore + depth * (h - shore);
        context.fillStyle = `rgba(255,255,255,${(0.03 + 0.06 * next()).toFixed(3)})`;
        context.fillRect(next() * w, y, (30 + 200 * depth) * next(), 1 + depth * 2);
      }
    },
  ],
  'dunes.jpg': [
    1600,
    1067,
    (context, w, h) => {
      sky(context, w, h, [
        [0, '#f6d6ad'],
        [0.4, '#f9c784'],
        [1, '#fcaf58'],
      ]);
      glow(context, w * 0.8, h * 0.22, h * 0.5, '#fff6e0', 0.9);
      const next = random(77);
      for (let layer = 0; layer < 5; layer++) {
        const depth = layer / 4;
        const base = h * (0.42 + 0.46 * depth);
        const line = ridge(next, 3);
        const edge = (x) => base + line((x / w) * (1.4 + depth) + layer * 5) * h * 0.075;
        const light = context.createLinearGradient(0, base - h * 0.1, w, base + h * 0.35);
        light.addColorStop(0, mix('#e8a05b', '#b5562b', depth));
        light.addColorStop(1, mix('#c9753a', '#5e2416', depth));
        context.fillStyle = light;
        context.beginPath();
        context.moveTo(0, h);
        for (let x = 0; x <= w; x += 2) context.lineTo(x, edge(x));
        context.lineTo(w, h);
        context.fill();
        context.strokeStyle = '#ffe3b866';
        context.lineWidth = 3;
        context.beginPath();
        for (let x = 0; x <= w; x += 2) context.lineTo(x, edge(x) + 1);
        context.stroke();
      }
    },
  ],
  'forest.jpg': [
    1600,
    1067,
    (context, w, h) => {
      sky(context, w, h, [
        [0, '#dfe9d8'],
        [0.5, '#b7cdb0'],
        [1, '#5d7f69'],
      ]);
      glow(context, w * 0.4, h * 0.15, h * 0.8, '#fffbe0', 0.8);
      const next = random(13);
      for (let layer = 0; layer < 6; layer++) {
        const depth = layer / 5;
        context.fillStyle = mix('#a8c2a3', '#12291f', depth ** 0.9);
        const ground = h * (0.62 + 0.42 * depth);
        const count = Math.round(26 - depth * 14);
        for (let i = 0; i < count; i++) {
          const x = ((i + next()) / count) * w * 1.1 - w * 0.05;
          const tall = h * (0.2 + 0.34 * depth) * (0.65 + 0.5 * next());
          const wide = tall * 0.2;
          context.beginPath();
          const tiers = 9;
          context.moveTo(x, ground - tall);
          for (let t = 1; t <= tiers; t++) {
            const y = ground - tall + (tall * t) / tiers;
            const reach = wide * (t / tiers) * (0.85 + 0.3 * next());
            context.lineTo(x + reach, y);
            context.lineTo(x + reach * 0.55, y - tall * 0.012);
          }
          for (let t = tiers; t >= 1; t--) {
            const y = ground - tall + (tall * t) / tiers;
            const reach = wide * (t / tiers) * (0.85 + 0.3 * next());
            context.lineTo(x - reach * 0.55, y - tall * 0.012);
            context.lineTo(x - reach, y);
          }
          context.closePath();
          context.fill();
        }
        context.fillRect(0, ground - 2, w, h - ground + 2);
        glow(context, w * 0.4, ground - h * 0.1, h * 0.7, '#f4f8e8', 0.16 * (1 - depth));
      }
    },
  ],
  'night.jpg': [
    1080,
    1920,
    (context, w, h) => {
      sky(context, w, h, [
        [0, '#0b1026'],
        [0.45, '#23285a'],
        [0.72, '#6a3f7d'],
        [0.86, '#d9707a'],
        [1, '#f6b27a'],
      ]);
      const next = random(2);
      for (let i = 0; i < 520; i++) {
        const y = next() ** 1.4 * h * 0.75;
        const size = 0.6 + next() ** 6 * 3;
        context.fillStyle = `rgba(255,255,255,${(0.25 + 0.7 * next()).toFixed(3)})`;
        context.beginPath();
        context.arc(next() * w, y, size, 0, Math.PI * 2);
        context.fill();
      }
      glow(context, w * 0.7, h * 0.2, w * 0.36, '#cfd8ff', 0.35);
      context.fillStyle = '#f5f3e7';
      context.beginPath();
      context.arc(w * 0.7, h * 0.2, w * 0.085, 0, Math.PI * 2);
      context.fill();
      hills(context, w, h, {
        seed: 31,
        layers: 4,
        from: 0.8,
        to: 0.97,
        far: '#8a4d78',
        near: '#0c0b1e',
        roughness: 6,
      });
    },
  ],
};

function makePhotos() {
  for (const [name, [width, height, draw]] of Object.entries(photos)) {
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    draw(context, width, height);
    grain(context, width, height, 99);
    writeFileSync(file(name), canvas.toBuffer('image/jpeg', 84));
  }
}

function makeMarks() {
  writeFileSync(
    file('logo.svg'),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">
  <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ff7a59"/><stop offset="1" stop-color="#d6336c"/></linearGradient></defs>
  <rect x="6" y="6" width="108" height="108" rx="30" fill="url(#g)"/>
  <path d="M40 34h46v14H56v14h24v14H56v24H40z" fill="#fff"/>
</svg>
`,
  );
  writeFileSync(
    file('star.svg'),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">
  <path d="${burst(100, 100, 96, 80, 16)}" fill="#ffd43b"/>
</svg>
`,
  );
}

/** A starburst with `points` teeth. */
function burst(x, y, outer, inner, points) {
  const corner = (i) => {
    const radius = i % 2 ? inner : outer;
    const angle = (i / (points * 2)) * Math.PI * 2;
    return `${(x + Math.sin(angle) * radius).toFixed(1)} ${(y - Math.cos(angle) * radius).toFixed(1)}`;
  };
  return `M${Array.from({ length: points * 2 }, (_, i) => corner(i)).join('L')}Z`;
}

/** Six seconds of evening sea, 1280×720 at 30 fps, with a soft surf sound. */
async function makeClip() {
  const [width, height, rate, seconds] = [1280, 720, 30, 6];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const next = random(5);
  const waves = Array.from({ length: 9 }, (_, i) => ({
    line: ridge(next, 4),
    depth: i / 8,
    speed: 0.5 + next() * 0.5,
  }));
  const surf = path.join('/tmp', `surf-${process.pid}.wav`);
  writeFileSync(surf, wav(surfSound(seconds)));
  const encoder = spawn(
    'ffmpeg',
    [
      '-y',
      '-loglevel',
      'error',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgba',
      '-s',
      `${width}x${height}`,
      '-r',
      String(rate),
      '-i',
      'pipe:0',
      '-i',
      surf,
      '-vf',
      'scale=out_color_matrix=bt709:out_range=tv',
      '-c:v',
      'libx264',
      '-preset',
      'slow',
      '-crf',
      '25',
      '-pix_fmt',
      'yuv420p',
      '-colorspace',
      'bt709',
      '-color_primaries',
      'bt709',
      '-color_trc',
      'bt709',
      '-color_range',
      'tv',
      '-c:a',
      'aac',
      '-b:a',
      '96k',
      '-shortest',
      '-movflags',
      '+faststart',
      '-map_metadata',
      '-1',
      '-fflags',
      '+bitexact',
      file('sea.mp4'),
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  for (let frame = 0; frame < rate * seconds; frame++) {
    const time = frame / rate;
    sky(context, width, height, [
      [0, '#1f4068'],
      [0.3, '#e08e79'],
      [0.46, '#ffd6a5'],
      [0.47, '#ffe5c4'],
    ]);
    glow(context, width * 0.5, height * 0.42, height * 0.5, '#fff3d6', 0.8);
    context.fillStyle = '#fffaf0';
    context.beginPath();
    context.arc(width * 0.5, height * 0.42, 46, 0, Math.PI * 2);
    context.fill();
    for (const { line, depth, speed } of waves) {
      const base = height * (0.47 + 0.5 * depth ** 1.25);
      const size = 4 + 26 * depth;
      const gradient = context.createLinearGradient(0, base - size, 0, base + 70);
      gradient.addColorStop(0, mix('#f2b38c', '#1b6f86', Math.min(1, depth * 1.25)));
      gradient.addColorStop(1, mix('#c97b73', '#0c3349', depth));
      context.fillStyle = gradient;
      context.beginPath();
      context.moveTo(0, height);
      for (let x = 0; x <= width; x += 4) {
        context.lineTo(
          x,
          base +
            line((x / width) * (3 + 3 * (1 - depth)) + time * speed) * size +
            Math.sin(time * 1.05 * 2 + depth * 5) * size * 0.25,
        );
      }
      context.lineTo(width, height);
      context.fill();
    }
    const data = canvas.data();
    if (!encoder.stdin.write(data)) await new Promise((done) => encoder.stdin.once('drain', done));
  }
  encoder.stdin.end();
  await new Promise((done) => encoder.once('close', done));
}

/** Filtered noise that swells twice, stereo samples. */
function surfSound(seconds) {
  const next = random(17);
  const count = 48000 * seconds;
  const [left, right] = [new Float32Array(count), new Float32Array(count)];
  let [a, b] = [0, 0];
  for (let i = 0; i < count; i++) {
    const swell = 0.35 + 0.65 * Math.sin((Math.PI * i) / (48000 * 3)) ** 2;
    a += (next() * 2 - 1 - a) * 0.06;
    b += (next() * 2 - 1 - b) * 0.06;
    left[i] = a * swell * 0.5;
    right[i] = b * swell * 0.5;
  }
  return [left, right];
}

/** Twenty-four seconds of a quiet tune: four chords, plucked notes and a soft pad, 90 beats a minute. */
function tune() {
  const beat = 60 / 90;
  const seconds = beat * 4 * 9;
  const count = Math.round(48000 * seconds);
  const channels = [new Float32Array(count), new Float32Array(count)];
  const hertz = (note) => 440 * 2 ** ((note - 69) / 12);
  const add = (time, length, note, volume, pan, shape) => {
    const first = Math.round(time * 48000);
    const end = Math.min(count, first + Math.round(length * 48000));
    for (let i = Math.max(0, first); i < end; i++) {
      const value = shape((i - first) / 48000, length, hertz(note)) * volume;
      channels[0][i] += value * Math.cos((pan * Math.PI) / 2);
      channels[1][i] += value * Math.sin((pan * Math.PI) / 2);
    }
  };
  const turn = Math.PI * 2;
  const pluck = (t, length, f) =>
    Math.exp(-t * 3.2) *
    Math.min(1, t * 200) *
    Math.min(1, (length - t) * 40) *
    (Math.sin(turn * f * t) +
      0.35 * Math.sin(turn * 2 * f * t) * Math.exp(-t * 4) +
      0.12 * Math.sin(turn * 3 * f * t) * Math.exp(-t * 8));
  const pad = (t, length, f) =>
    Math.sin((Math.PI * Math.min(t, length)) / length) ** 0.7 *
    (Math.sin(turn * f * t) +
      0.5 * Math.sin(turn * f * 1.003 * t) +
      0.22 * Math.sin(turn * 2 * f * t));
  const chords = [
    [57, 60, 64, 69],
    [53, 57, 60, 65],
    [48, 55, 60, 64],
    [55, 59, 62, 67],
  ];
  const figure = [0, 2, 1, 3, 2, 1, 3, 2];
  for (let bar = 0; bar < 8; bar++) {
    const chord = chords[bar % 4];
    const start = bar * beat * 4;
    chord.slice(0, 3).forEach((note, i) => add(start, beat * 4.6, note, 0.05, 0.3 + 0.2 * i, pad));
    add(start, beat * 3.5, chord[0] - 12, 0.14, 0.5, pluck);
    add(start + beat * 2, beat * 2, chord[0] - 12, 0.1, 0.5, pluck);
    figure.forEach((step, i) =>
      add(
        start + i * beat * 0.5,
        1.6,
        chord[step] + 12,
        i % 4 === 0 ? 0.17 : 0.12,
        i % 2 ? 0.68 : 0.32,
        pluck,
      ),
    );
  }
  chords[0].forEach((note, i) => add(8 * beat * 4, beat * 4, note, 0.12, 0.35 + 0.1 * i, pluck));
  const peak = channels[0].reduce(
    (most, value, i) => Math.max(most, Math.abs(value), Math.abs(channels[1][i])),
    0,
  );
  return channels.map((channel) => channel.map((value) => (value / peak) * 0.7));
}

/** 16-bit stereo WAV, 48 kHz. */
function wav([left, right]) {
  const data = Buffer.alloc(44 + left.length * 4);
  data.write('RIFF', 0);
  data.writeUInt32LE(36 + left.length * 4, 4);
  data.write('WAVEfmt ', 8);
  [16, 0x00020001, 48000, 48000 * 4, 0x00100004].forEach((value, i) =>
    data.writeUInt32LE(value, 16 + i * 4),
  );
  data.write('data', 36);
  data.writeUInt32LE(left.length * 4, 40);
  for (let i = 0; i < left.length; i++) {
    data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, left[i])) * 32767), 44 + i * 4);
    data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, right[i])) * 32767), 46 + i * 4);
  }
  return data;
}

function makeMusic() {
  const raw = path.join('/tmp', `tune-${process.pid}.wav`);
  writeFileSync(raw, wav(tune()));
  execFileSync('ffmpeg', [
    '-y',
    '-loglevel',
    'error',
    '-i',
    raw,
    '-c:a',
    'aac',
    '-b:a',
    '112k',
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    file('tune.m4a'),
  ]);
}

const chosen = process.argv.slice(2);
const wanted = (name) => chosen.length === 0 || chosen.includes(name);
if (wanted('photos')) makePhotos();
if (wanted('marks')) makeMarks();
if (wanted('clip')) await makeClip();
if (wanted('music')) makeMusic();
