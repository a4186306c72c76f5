#!/usr/bin/env node
/**
 * A real recogniser behind whisper.cpp's arguments: Debian's pocketsphinx, with its English model. Writes the words
 * with their times in the form of `-oj`.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const args = process.argv.slice(2);
const after = (name) => args[args.indexOf(name) + 1];
const options = ['-infile', after('-f'), '-time', 'yes', '-logfn', '/dev/null'];
const report = execFileSync('pocketsphinx_continuous', options, { encoding: 'utf8' });
const words = report.split('\n').flatMap((line) => {
  const [, word = '', from, to] = /^([a-z']+)(?:\(\d+\))? ([\d.]+) ([\d.]+) /.exec(line) ?? [];
  if (word === '') return [];
  const offsets = { from: Math.round(from * 1000), to: Math.round(to * 1000) };
  return [{ text: ` ${word}`, offsets }];
});
console.error('whisper_print_progress_callback: progress = 100%');
writeFileSync(`${after('-of')}.json`, JSON.stringify({ transcription: words }));
