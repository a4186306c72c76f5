#!/usr/bin/env node
/**
 * Replaces whisper.cpp's command line: accepts its arguments, reports progress on stderr like it, and writes a file
 * exactly like that of `-ojf`: tabs, special tokens, letters cut in two.
 *
 * A file beside the model says what to do, because the environment is not passed on: `hang`, `fail`, `crash`,
 * `nothing`, `wait` until the file says `words`, or `first` for the first call alone.
 */
import { clearInterval, setInterval } from 'node:timers';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';

const args = process.argv.slice(2);
const after = (name) => args[args.indexOf(name) + 1];
const model = after('-m');
appendFileSync(`${model}.calls`, `${JSON.stringify({ args, pid: process.pid })}\n`);
const isFirst = readFileSync(`${model}.calls`, 'utf8').split('\n').length === 2;
const modeNow = () => {
  const said = existsSync(`${model}.mode`) ? readFileSync(`${model}.mode`, 'utf8') : 'words';
  return said === 'first' ? (isFirst ? 'words' : 'wait') : said;
};
// The file is empty while a test writes `words` for a waiting call.
const mode = modeNow() || 'wait';

const sound = readFileSync(after('-f'));
const isWav = sound.toString('latin1', 0, 4) === 'RIFF' && sound.readUInt32LE(24) === 16000;
if (!isWav || statSync(model).size === 0) {
  console.error(`error: failed to read audio file '${after('-f')}'`);
  process.exit(3);
}
console.error(`whisper_init_from_file_with_params_no_state: loading model from '${model}'`);
console.error('whisper_print_progress_callback: progress =  40%');
if (mode === 'hang') setInterval(() => undefined, 1000);
else if (mode === 'fail') {
  console.error('whisper_init_from_file_with_params_no_state: failed to load model');
  process.exit(3);
} else if (mode === 'crash') process.kill(process.pid, 'SIGSEGV');
else if (mode === 'words') write();
else if (mode === 'wait') {
  const looking = setInterval(() => {
    if (modeNow() !== 'words') return;
    clearInterval(looking);
    write();
  }, 20);
}

function write() {
  const time = (ms) => new Date(ms).toISOString().slice(11, 23).replace('.', ',');
  const times = (from, to) =>
    `"timestamps": {\n"from": "${time(from)}",\n"to": "${time(to)}"\n},\n"offsets": {\n"from": ${from},\n"to": ${to}\n}`;
  const token = ([text, from, to]) =>
    `{\n\t"text": "${text}",\n${from === undefined ? '' : `${times(from, to)},\n`}\t"id": 50364,\n\t"p": 0.9,\n\t"t_dtw": -1\n}`;
  const segment = ([text, from, to, tokens]) =>
    `\t\t{\n${times(from, to)},\n\t"text": "${text}",\n\t"tokens": [\n${tokens.map(token).join(',\n')}\n]\n}`;
  // The bytes of é and of 语 are in two tokens each.
  const segments = [
    [
      ' It\\"s caf\xc3\xa9 time.',
      0,
      1200,
      [
        ['[_BEG_]', 0, 0],
        [' It', 0, 200],
        ['\\"s', 200, 260],
        [' caf', 300, 500],
        ['\xc3', 500, 520],
        ['\xa9', 520, 600],
        [' time', 620, 900],
        ['.', 900, 1200],
        ['[_TT_60]', 1200, 1200],
      ],
    ],
    [
      ' [BLANK_AUDIO]',
      1200,
      1300,
      [
        [' [', 1200, 1210],
        ['BL', 1210, 1220],
        ['ANK_AUDIO]', 1220, 1300],
      ],
    ],
    [
      '\xe6\xb1\x89\xe8\xaf\xad\xe3\x80\x82',
      1300,
      2000,
      [
        ['\xe6\xb1\x89', 1300, 1500],
        ['\xe8\xaf', 1500, 1600],
        ['\xad', 1600, 1800],
        ['\xe3\x80\x82', 1800, 2000],
      ],
    ],
  ];
  const json = `{\n\t"systeminfo": "AVX = 1",\n\t"model": {\n\t\t"type": "base"\n\t},\n\t"params": {\n\t\t"model": "${model}",\n\t\t"language": "auto",\n\t\t"translate": false\n\t},\n\t"result": {\n\t\t"language": "en"\n\t},\n\t"transcription": [\n${segments.map(segment).join(',\n')}\n\t]\n}\n`;
  console.error('whisper_print_progress_callback: progress = 100%');
  writeFileSync(`${after('-of')}.json`, Buffer.from(json, 'latin1'));
}
