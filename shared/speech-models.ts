/**
 * THE TABLE of speech models that can be fetched: whisper.cpp's, in its ggml form (MIT). Sizes and digests are those
 * that the publisher's Git LFS pointers name. Shared by window and server.
 */

/** A file that `models get` fetches. */
export interface SpeechModel {
  /** As people name it: `small-q5_1`. */
  readonly name: string;
  /** Its repository at the publisher, at a fixed revision. */
  readonly repository: string;
  readonly file: string;
  readonly bytes: number;
  /** Of the whole file, in hexadecimal digits. */
  readonly sha256: string;
  /** What it is good for, in plain words. */
  readonly quality: string;
  /** How long it takes, in plain words. */
  readonly speed: string;
  /** Recognises words; else it only finds where somebody speaks. */
  readonly hears: boolean;
}

const whisper = 'ggerganov/whisper.cpp/resolve/5359861c739e955e79d9a303bcbc70fb988958b1';
const voices = 'ggml-org/whisper-vad/resolve/9ffd54a1e1ee413ddf265af9913beaf518d1639b';

function hears(
  name: string,
  bytes: number,
  sha256: string,
  quality: string,
  speed: string,
): SpeechModel {
  const file = `ggml-${name}.bin`;
  return { name, repository: whisper, file, bytes, sha256, quality, speed, hears: true };
}

/** The languages that the models know, as whisper names them: all know the same. */
export const spokenLanguages = (
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is ' +
  'it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk ' +
  'sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'
).split(' ');

/** From the smallest to the best: of several that are there, the last one is used. */
// prettier-ignore
export const speechModels: readonly SpeechModel[] = [
  hears('tiny-q5_1', 32_152_673, '818710568da3ca15689e31a743197b520007872ff9576237bda97bd1b469c3d7',
    'many words wrong, for a first look', 'fastest'),
  hears('tiny', 77_691_713, 'be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21',
    'many words wrong', 'fastest'),
  hears('base-q5_1', 59_707_625, '422f1ae452ade6f30a004d7e5c6a43195e4433bc370bf23fac9cc591f01a8898',
    'clear English, few names', 'fast'),
  hears('base', 147_951_465, '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
    'clear English, few names', 'fast'),
  hears('small-q5_1', 190_085_487, 'ae85e4a935d7a567bd102fe55afc16bb595bdb618e11b2fc7591bc08120411bb',
    'good in the large languages', 'about as long as the recording on an older computer'),
  hears('small', 487_601_967, '1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b',
    'good in the large languages', 'about as long as the recording on an older computer'),
  hears('medium-q5_0', 539_212_467, '19fea4b380c3a618ec4723c3eef2eb785ffba0d0538cf43f8f235e7b3b34220f',
    'very good, also with accents', 'slowest'),
  hears('medium', 1_533_763_059, '6c14d5adee5f86394037b4e4e8b59f1673b6cee10e3cf0b11bbdbee79c156208',
    'very good, also with accents', 'slowest'),
  hears('large-v3-turbo-q5_0', 574_041_195, '394221709cd5ad1f40c46e6031ca61bce88931e6e088c188294c6d5a55ffa7e2',
    'best for its size', 'slow without a graphics card'),
  hears('large-v3-turbo-q8_0', 874_188_075, '317eb69c11673c9de1e1f0d459b253999804ec71ac4c23c17ecf5fbe24e259a1',
    'best', 'slow without a graphics card'),
  hears('large-v3-turbo', 1_624_555_275, '1fc70f774d38eb169993ac391eea357ef47c88757ef72ee5943879b7e8e2bc69',
    'best', 'slow without a graphics card'),
  { name: 'silero-vad', repository: voices, file: 'ggml-silero-v6.2.0.bin', bytes: 885_098,
    sha256: '2aa269b785eeb53a82983a20501ddf7c1d9c48e33ab63a41391ac6c9f7fb6987',
    quality: 'tells voices from music and noise', speed: 'saves time where nobody speaks', hears: false },
];

/** The smallest one whose captions need little correction: what is offered where there is none. */
export const firstSpeechModel = 'small-q5_1';

/** Why nothing is heard, and what to do; a sentence without its full stop. */
export const noSpeechModel = `There is no speech model yet, and nothing is fetched without being asked: run framewright models get ${firstSpeechModel}, or press “Follow speech” in the editor`;

/** Where the models are published, and where mirrors have the same paths. */
export const modelAddress = 'https://huggingface.co';

/** A model by its name or that of its file; undefined for another one. */
export function speechModelNamed(name: string): SpeechModel | undefined {
  const wanted = name.toLowerCase().replace(/^ggml-|\.bin$/g, '');
  return speechModels.find(
    (model) => model.name === wanted || model.file.replace(/^ggml-|\.bin$/g, '') === wanted,
  );
}
