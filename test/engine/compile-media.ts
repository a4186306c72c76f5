/** Invented media facts for the compile tests: nothing is read from disk there. */
import type { MediaInfo } from '../../shared/engine/media-info.ts';

const base: MediaInfo = {
  kind: 'image',
  format: 'jpg',
  width: 0,
  height: 0,
  duration: 0,
  frameRate: 0,
  hasAudio: false,
  hasAlpha: false,
};

const files = {
  photo: { ...base, width: 1600, height: 1200 },
  video8: {
    ...base,
    kind: 'video',
    format: 'mp4',
    width: 1920,
    height: 1080,
    duration: 8,
    frameRate: 25,
    hasAudio: true,
  },
  video3: {
    ...base,
    kind: 'video',
    format: 'mp4',
    width: 720,
    height: 1280,
    duration: 3,
    frameRate: 50,
    hasAudio: true,
  },
  silent4: {
    ...base,
    kind: 'video',
    format: 'webm',
    width: 640,
    height: 480,
    duration: 4,
    frameRate: 120,
  },
  moving: {
    ...base,
    kind: 'video',
    format: 'gif',
    width: 320,
    height: 240,
    duration: 2,
    frameRate: 10,
  },
  music22: { ...base, kind: 'audio', format: 'mp3', duration: 22, hasAudio: true },
} satisfies Record<string, MediaInfo>;

/** The invented files by the names under which the test documents know them. */
export function mediaOf(): ReadonlyMap<string, MediaInfo> {
  return new Map(Object.entries(files));
}
