/**
 * Phase 1: formats that the product does not read, by their first bytes: what a refusal calls them, and what helps.
 * Pure.
 */
import { all, any, at, brand } from './sniff.ts';

const picture = 'save it as PNG or JPEG';
const video = 'save it as MP4 (H.264)';
const sound = 'save it as MP3, M4A or WAV';
const page =
  'an address that gives it leads to a page or an error; use the address of the file itself';

type Row = readonly [what: string, cure: string, matches: (head: Buffer) => boolean];

const words = (form: RegExp) => (head: Buffer) => form.test(textOf(head));

/** Units that a bare stream begins with: delimiters, messages, parameters. */
const bareStarts = ['\x06', '\x09', '\x26', '\x27', '\x40', '\x42', '\x46', '\x47', '\x67'];

/** First match wins. */
const rows: readonly Row[] = [
  [
    'a HEIC photo',
    'export it as JPEG',
    brand('heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'),
  ],
  ['a raw photo (Canon CR3)', 'export it as JPEG', brand('crx ')],
  ['a raw photo (Canon CR2)', 'export it as JPEG', all(at(0, 'II*\0'), at(8, 'CR'))],
  ['a raw photo (Fujifilm RAF)', 'export it as JPEG', at(0, 'FUJIFILMCCD-RAW')],
  [
    'a TIFF picture or a raw photo',
    picture,
    any(at(0, 'II*\0'), at(0, 'MM\0*'), at(0, 'II+\0'), at(0, 'MM\0+')),
  ],
  ['a JPEG XL picture', picture, any(at(0, '\xff\x0a'), at(0, '\0\0\0\x0cJXL '))],
  ['a JPEG 2000 picture', picture, any(at(0, '\0\0\0\x0cjP  '), at(0, '\xff\x4f\xff\x51'))],
  ['a Photoshop document (PSD)', picture, at(0, '8BPS')],
  ['a PDF document', 'export its page as PNG, JPEG or SVG', at(0, '%PDF')],
  [
    'a PostScript document (EPS)',
    'export it as SVG or PNG',
    any(at(0, '%!PS'), at(0, '\xc5\xd0\xd3\xc6')),
  ],
  ['an icon (ICO)', picture, any(at(0, '\0\0\x01\0'), at(0, '\0\0\x02\0'))],
  ['an icon (ICNS)', picture, at(0, 'icns')],
  ['an OpenEXR picture', picture, at(0, 'v/1\x01')],
  ['a Radiance HDR picture', picture, at(0, '#?RADIANCE')],
  ['a texture (DDS)', picture, at(0, 'DDS ')],
  ['a QOI picture', picture, at(0, 'qoif')],
  ['a GIMP document (XCF)', picture, at(0, 'gimp xcf')],
  [
    'a Windows metafile',
    'save it as SVG or PNG',
    any(at(0, '\xd7\xcd\xc6\x9a'), all(at(0, '\x01\0\0\0'), at(40, ' EMF'))),
  ],
  ['a DjVu document', picture, at(0, 'AT&TFORM')],
  ['a PNM picture', picture, words(/^P[1-7]\s/)],
  [
    'a Windows Media file (WMV or WMA)',
    `${video}, or a sound as MP3 or M4A`,
    at(0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11'),
  ],
  ['a Flash video (FLV)', video, at(0, 'FLV\x01')],
  ['a Flash film (SWF)', video, any(at(0, 'FWS'), at(0, 'CWS'), at(0, 'ZWS'))],
  ['an MPEG video (MPG or VOB)', video, any(at(0, '\0\0\x01\xba'), at(0, '\0\0\x01\xb3'))],
  [
    'a bare H.264 or H.265 stream',
    video,
    any(
      ...['\0\0\x01', '\0\0\0\x01'].flatMap((mark) => bareStarts.map((one) => at(0, mark + one))),
    ),
  ],
  ['a DV video', video, at(0, '\x1f\x07\0')],
  ['an MXF video', video, at(0, '\x06\x0e\x2b\x34')],
  ['a RealMedia file', video, at(0, '.RMF')],
  ['an IVF video', video, at(0, 'DKIF')],
  ['an uncompressed video (Y4M)', video, at(0, 'YUV4MPEG2')],
  ['a playlist (M3U8)', 'use the address of the video itself', at(0, '#EXTM3U')],
  [
    'a playlist (MPEG-DASH)',
    'use the address of the video itself',
    words(/^\s*(?:<\?xml[^>]*>\s*)?<MPD[\s>]/),
  ],
  ['a list of files', 'use the files themselves', words(/^(?:ffconcat |\[playlist\])/i)],
  ['an AIFF sound', sound, all(at(0, 'FORM'), any(at(8, 'AIFF'), at(8, 'AIFC')))],
  ['a Sun sound (AU)', sound, at(0, '.snd')],
  ['a Core Audio sound (CAF)', sound, at(0, 'caff')],
  ['a Dolby Digital sound (AC-3)', sound, at(0, '\x0b\x77')],
  ['a DTS sound', sound, at(0, '\x7f\xfe\x80\x01')],
  ['a WavPack sound', sound, at(0, 'wvpk')],
  ['a True Audio sound (TTA)', sound, any(at(0, 'TTA1'), at(0, 'TTA2'))],
  ['a Monkey’s Audio sound (APE)', sound, at(0, 'MAC ')],
  ['a Musepack sound', sound, any(at(0, 'MPCK'), at(0, 'MP+'))],
  ['a Sony Wave64 sound', sound, at(0, 'riff\x2e\x91\xcf\x11')],
  ['a DSD sound', sound, any(at(0, 'DSD '), at(0, 'FRM8'))],
  ['an AMR sound', sound, at(0, '#!AMR')],
  ['a MIDI file, which has notes and no sound', 'record it as MP3 or WAV', at(0, 'MThd')],
  [
    'the Mac’s note about a file (its name begins with ._)',
    'use the file of the same name without ._',
    at(0, '\0\x05\x16\x07'),
  ],
  ['a pointer of Git LFS', 'fetch the file with git lfs pull', at(0, 'version https://git-lfs')],
  ['a shortcut to a web page', 'use the file itself', words(/^\s*\[InternetShortcut\]/i)],
  [
    'a ZIP archive or an Office document',
    'unpack it, and use the file in it',
    any(at(0, 'PK\x03\x04'), at(0, 'PK\x05\x06')),
  ],
  [
    'an archive',
    'unpack it, and use the file in it',
    any(at(0, '7z\xbc\xaf\x27\x1c'), at(0, 'Rar!'), at(0, '\x1f\x8b')),
  ],
  ['an older Office document', 'export the picture or video from it', at(0, '\xd0\xcf\x11\xe0')],
  ['an animation as JSON (Lottie)', video, words(/^\s*\{[^]{0,400}"(?:layers|fr|ip|op)"\s*:/)],
  [
    'a web page (HTML)',
    page,
    words(/^\s*(?:<!--[^]{0,1000}?-->\s*)?<(?:!doctype html|html|head|body|script)[\s>]/i),
  ],
  ['JSON text', page, words(/^\s*[{[]\s*["{[}\]]/)],
  ['XML text', page, words(/^\s*<\?xml\s/)],
];

/** Why a file that sniff.ts does not know is refused, without a full stop. */
export function refusalOf(head: Buffer): string {
  if (head.length === 0) return 'The file is empty; check where it comes from';
  const row = rows.find(([, , matches]) => matches(head));
  if (!row) return 'The file is not a video, image or audio file we can read';
  return `The file is ${row[0]}, which can't be used: ${row[1]}`;
}

/** As text of one byte a character, without a mark of UTF-8. */
function textOf(head: Buffer): string {
  return head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
}
