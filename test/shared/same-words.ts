/**
 * Texts that are the same in English and in another language, so that the test of translations finds what was
 * forgotten.
 */
import type { Language } from '../../shared/languages.ts';

/** The same in every language: names of things that are not translated. */
const everywhere = [
  ...[
    'API',
    'Framewright',
    'ID',
    'URL',
    'OK',
    'ffmpeg',
    'Webhook',
    'Webhooks',
    'Feeds',
    'Feed',
    'Esc',
  ],
  ...['{page} – Framewright', '{percent} – {page} – Framewright', '{told} – {page} – Framewright'],
  ...['API · {id}', 'Feed {name} · {id}', '{amount}\u00a0min', '{amount}\u00a0ms'],
  ...['Instagram Reel', 'TikTok', 'YouTube Short', 'Full HD', 'HD'],
  ...['YouTube', 'Reels, Stories, Shorts', 'Reel, Story, Short', 'GIF', 'H.264'],
  ...['YouTube, Spotify, Reels, TikTok (−14 LUFS)', 'Podcast (−16 LUFS)'],
  ...['Facebook', 'Google', 'Twitter', 'Apple', '{name}: {value}', 'LUT (.cube)'],
];

/** For each language, the texts that look as they do in English and are right. */
export const sameWords: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  de: [
    ...everywhere,
    ...['Codec', 'Countdowns', 'Live', 'Ring', 'Plus'],
    ...['Name', 'Status', 'Details', 'Editor', 'Format', 'Filter', 'Filter · {count}', 'Port'],
    ...[
      'Element: {element}',
      'Video',
      'Text',
      'Zoom',
      'Orange',
      'Position',
      'Radius',
      'Animation',
      'Min',
      'Max',
    ],
    ...['Videos', 'Animation {type}, {seconds} s'],
    ...[
      'Story',
      'Pin',
      'Video (mp4)',
      'Video (webm)',
      'Video (mov)',
      'Animation (gif)',
      'Animation (webp)',
      'Vignette',
      'Countdown',
      'Logo',
    ],
    ...['Alpha', 'Karaoke', 'Normal', 'Phase', 'Radial', 'Sepia'],
    ...[
      'Element',
      '{count} Keyframes',
      'Keyframes: {name}',
      'Linear',
      '{count} pixels',
      'Version',
      'Version {version}',
    ],
  ],
  es: [
    '{count} logos',
    '{count} feeds',
    ...everywhere,
    ...[
      'Editor',
      'Inspector',
      'Error',
      'General',
      'Zoom',
      'Visible',
      'Variables',
      'Radial',
      'Audio',
    ],
    ...['Renders', '{count} renders', '{count} fps', 'Ctrl', 'Insert', 'Render'],
    ...['Pin', 'Logo', 'Zigzag'],
    ...['Circular', 'Color', 'Horizontal', 'Karaoke', 'Normal', 'Sepia', 'Vertical'],
  ],
  pt: [
    '{count} logos',
    'Codec',
    '{count} feeds',
    'Backup',
    'Backups',
    ...everywhere,
    ...['Item {number}'],
    ...['Story', 'Pin', 'Logo'],
    ...[
      'Editor',
      'Zoom',
      'Volume',
      'Linear',
      'Radial',
      'Status',
      '{count} pixels',
      '{size} pixels',
    ],
    ...['Renders', '{count} renders', 'Render', 'Ctrl', 'Shift', 'Enter', 'Home', 'End', 'PgUp'],
    ...['PgDn', 'Del', 'Insert', 'Circular', 'Horizontal', 'Normal', 'Vertical'],
  ],
  ja: [
    ...everywhere,
    ...['Ctrl', 'Shift', 'Enter', 'Home', 'End', 'PgUp', 'PgDn', 'Del', 'Insert', '{count} fps'],
  ],
};
