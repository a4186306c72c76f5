/**
 * Phase 1: formats that the product does not read, by their first bytes: what a refusal calls them, and what helps.
 * Pure.
 */
import { all, any, at, brand, photoBrands } from './sniff.ts';

const picture = 'save it as PNG or JPEG';
const video = 'save it as MP4 (H.264)';
const sound = 'save it as MP3, M4A or WAV';
const page =
  'an address that gives it leads to a page or an error; use the address of the file itself';

type Row = readonly [what: string, cure: string, matches: (head: Buffer) => boolean];

const words = (form: RegExp) => (head: Buffer) => form.test(textOf(head));
const starts = (...texts: string[]) => any(...texts.map((text) => at(0, text)));

/** Units that a bare stream begins with: delimiters, messages, parameters. */
const bareStarts = ['\x06', '\x09', '\x26', '\x27', '\x40', '\x42', '\x46', '\x47', '\x67'];

const json: Row = ['JSON text', page, words(/^\s*[{[]\s*["{[}\]]/)];
const isText = (head: Buffer): boolean =>
  head.every((byte) => byte < 0xf8 && (byte > 0x1f || (byte > 8 && byte < 14)));
const plainText: Row = ['text', page, isText];

/** First match wins. */
const rows: readonly Row[] = [
  ['a HEIC photo', 'export it as JPEG', brand(...photoBrands)],
  ['a raw photo (Canon CR3)', 'export it as JPEG', brand('crx ')],
  ['a raw photo (Canon CR2)', 'export it as JPEG', all(at(0, 'II*\0'), at(8, 'CR'))],
  ['a raw photo (Fujifilm RAF)', 'export it as JPEG', at(0, 'FUJIFILMCCD-RAW')],
  [
    'a raw photo',
    'export it as JPEG',
    starts('IIRO', 'IIRS', 'MMOR', 'IIU\0', 'FOVb', '\0MRM', 'II\x1a\0\0\0HEAP'),
  ],
  ['a TIFF picture or a raw photo', picture, starts('II*\0', 'MM\0*', 'II+\0', 'MM\0+')],
  ['a JPEG XR picture', picture, at(0, 'II\xbc')],
  ['a JPEG XL picture', picture, starts('\xff\x0a', '\0\0\0\x0cJXL ')],
  ['a JPEG 2000 picture', picture, starts('\0\0\0\x0cjP  ', '\xff\x4f\xff\x51')],
  ['a Photoshop document (PSD)', picture, at(0, '8BPS')],
  ['a PDF document', 'export its page as PNG, JPEG or SVG', at(0, '%PDF')],
  [
    'a font of an older kind',
    'save it as TTF, OTF or WOFF2',
    any(starts('%!PS-AdobeFont', '%!FontType', '\x80\x01'), at(34, 'LP\0')),
  ],
  ['a PostScript document (EPS)', 'export it as SVG or PNG', starts('%!PS', '\xc5\xd0\xd3\xc6')],
  ['an icon (ICO)', picture, all(starts('\0\0\x01\0', '\0\0\x02\0'), (head) => head[4] !== 0)],
  ['an animated cursor (ANI)', picture, all(at(0, 'RIFF'), at(8, 'ACON'))],
  ['an icon (ICNS)', picture, at(0, 'icns')],
  ['an OpenEXR picture', picture, at(0, 'v/1\x01')],
  ['a Radiance HDR picture', picture, at(0, '#?RADIANCE')],
  ['a texture (DDS or KTX)', picture, starts('DDS ', '\xabKTX ')],
  ['a QOI picture', picture, at(0, 'qoif')],
  ['a GIMP document (XCF)', picture, at(0, 'gimp xcf')],
  ['an Affinity document', picture, at(0, '\0\xffKA')],
  ['an InDesign document', picture, at(0, '\x06\x06\xed\xf5\xd8\x1d\x46\xe5')],
  ['a CorelDRAW document', 'export it as SVG or PNG', all(at(0, 'RIFF'), at(8, 'CDR'))],
  ['a Blender scene', 'render it as PNG or MP4', at(0, 'BLENDER')],
  ['a Rive animation', video, at(0, 'RIVE')],
  ['a PCX picture', picture, starts('\x0a\x02\x01', '\x0a\x03\x01', '\x0a\x05\x01')],
  ['an SGI picture', picture, starts('\x01\xda\0', '\x01\xda\x01')],
  ['a Sun raster picture', picture, at(0, '\x59\xa6\x6a\x95')],
  ['a film scan (DPX or Cineon)', picture, starts('SDPX', 'XPDS', '\x80\x2a\x5f\xd7')],
  ['a FITS picture', picture, at(0, 'SIMPLE  =')],
  ['a BPG picture', picture, at(0, 'BPG\xfb')],
  ['a FLIF picture', picture, at(0, 'FLIF')],
  ['an MNG or JNG picture', picture, starts('\x8aMNG', '\x8bJNG')],
  ['an X pixmap', picture, words(/^\s*(?:\/\* XPM \*\/|#define \w{1,80}_width )/)],
  ['a medical picture (DICOM)', picture, at(128, 'DICM')],
  [
    'a Windows metafile',
    'save it as SVG or PNG',
    any(at(0, '\xd7\xcd\xc6\x9a'), all(at(0, '\x01\0\0\0'), at(40, ' EMF'))),
  ],
  ['a DjVu document', picture, at(0, 'AT&TFORM')],
  ['a PNM picture', picture, words(/^P[1-7Ff]\s/)],
  [
    'a Windows Media file (WMV or WMA)',
    `${video}, or a sound as MP3 or M4A`,
    at(0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11'),
  ],
  ['a Flash video (FLV)', video, at(0, 'FLV\x01')],
  ['a Flash film (SWF)', video, starts('FWS', 'CWS', 'ZWS')],
  ['an MPEG video (MPG or VOB)', video, starts('\0\0\x01\xba', '\0\0\x01\xb3', '\0\0\x01\xe0')],
  [
    'a bare H.264 or H.265 stream',
    video,
    any(
      ...['\0\0\x01', '\0\0\0\x01'].flatMap((mark) => bareStarts.map((one) => at(0, mark + one))),
    ),
  ],
  ['a DV video', video, at(0, '\x1f\x07\0')],
  ['an MXF video', video, at(0, '\x06\x0e\x2b\x34')],
  ['a RealMedia file', video, starts('.RMF', '.ra\xfd')],
  ['a GXF video', video, at(0, '\0\0\0\0\x01\xbc')],
  ['a NUT video', video, at(0, 'nut/multimedia')],
  ['a raw film (RED R3D)', video, any(at(4, 'RED1'), at(4, 'RED2'))],
  ['a raw film (Blackmagic BRAW)', video, brand('braw')],
  ['a recording of Windows (WTV)', video, at(0, '\xb7\xd8\x00\x20\x37\x49\xda\x11')],
  ['a video of a game (Bink or Smacker)', video, words(/^(?:BIK[bfghik]|KB2[a-k]|SMK[24])/)],
  ['a FLIC animation', video, any(at(4, '\x11\xaf'), at(4, '\x12\xaf'))],
  ['a Nullsoft video (NSV)', video, starts('NSVf', 'NSVs')],
  ['a bare Dirac stream', video, at(0, 'BBCD')],
  ['a bare AV1 stream', video, starts('\x12\0\x0a\x0a', '\x12\0\x0a\x0b')],
  ['an IVF video', video, at(0, 'DKIF')],
  ['an uncompressed video (Y4M)', video, at(0, 'YUV4MPEG2')],
  ['a playlist (M3U8)', 'use the address of the video itself', words(/^\s*#EXTM3U/)],
  [
    'a playlist (MPEG-DASH)',
    'use the address of the video itself',
    words(/^\s*(?:<\?xml[^>]*>\s*)?<MPD[\s>]/),
  ],
  [
    'a list of files',
    'use the files themselves',
    words(
      /^\s*(?:ffconcat |\[playlist\]|rtsp:|https?:|FILE "|(?:<\?xml[^>]*>\s*)?<(?:asx|\?wpl|smil|playlist)[\s>])/i,
    ),
  ],
  [
    'a project of a video editor',
    'export the video from it',
    any(
      all(at(0, 'RIFX'), at(8, 'Egg!')),
      words(/^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE )?<?(?:fcpxml|xmeml)[\s>]/),
    ),
  ],
  ['a database (SQLite)', 'export what is in it', at(0, 'SQLite format 3')],
  ['an AIFF sound', sound, all(at(0, 'FORM'), any(at(8, 'AIFF'), at(8, 'AIFC')))],
  ['a Sun sound (AU)', sound, at(0, '.snd')],
  ['a Core Audio sound (CAF)', sound, at(0, 'caff')],
  ['a Dolby Digital sound (AC-3)', sound, at(0, '\x0b\x77')],
  ['a Dolby TrueHD sound', sound, at(4, '\xf8\x72\x6f')],
  [
    'a DTS sound',
    sound,
    starts('\x7f\xfe\x80\x01', '\xfe\x7f\x01\x80', '\x1f\xff\xe8', 'DTSHDHDR'),
  ],
  ['a WavPack sound', sound, at(0, 'wvpk')],
  ['a True Audio sound (TTA)', sound, starts('TTA1', 'TTA2')],
  ['a TAK sound', sound, at(0, 'tBaK')],
  ['an OptimFROG sound', sound, at(0, 'OFR ')],
  ['a Shorten sound', sound, at(0, 'ajkg')],
  ['a Creative sound (VOC)', sound, at(0, 'Creative Voice File')],
  ['a WAV sound of the other byte order (RIFX)', sound, all(at(0, 'RIFX'), at(8, 'WAVE'))],
  ['a sound of a phone (QCP)', sound, all(at(0, 'RIFF'), at(8, 'QLCM'))],
  ['a protected audio book (AAX)', sound, brand('aax ', 'aaxc')],
  [
    'a tracker module, which has notes and no sound',
    'record it as MP3 or WAV',
    any(at(0, 'Extended Module:'), at(0, 'IMPM'), at(44, 'SCRM'), at(1080, 'M.K.')),
  ],
  ['a Monkey’s Audio sound (APE)', sound, at(0, 'MAC ')],
  ['a Musepack sound', sound, starts('MPCK', 'MP+')],
  ['a Sony Wave64 sound', sound, at(0, 'riff\x2e\x91\xcf\x11')],
  ['a DSD sound', sound, starts('DSD ', 'FRM8')],
  ['an AMR sound', sound, at(0, '#!AMR')],
  [
    'a MIDI file, which has notes and no sound',
    'record it as MP3 or WAV',
    any(at(0, 'MThd'), all(at(0, 'RIFF'), at(8, 'RMID'))),
  ],
  [
    'the Mac’s note about a file (its name begins with ._)',
    'use the file of the same name without ._',
    at(0, '\0\x05\x16\x07'),
  ],
  ['a pointer of Git LFS', 'fetch the file with git lfs pull', at(0, 'version https://git-lfs')],
  [
    'a shortcut',
    'use the file itself',
    any(
      words(/^\s*\[(?:InternetShortcut|Desktop Entry)\]/i),
      starts('L\0\0\0\x01\x14\x02\0', 'bplist00'),
    ),
  ],
  [
    'binary data that was changed as if it were text',
    'send or save it again as binary data',
    any(
      starts('\x89PNG\n', '\x89PNG\r\r', 'PNG\r\n', '\xc2\x89PNG', '\xc3\xbf\xc3\x98'),
      starts('\xef\xbf\xbdPNG', '\xef\xbf\xbd\xef\xbf\xbd', '\xef\xbb\xbf\x89PNG'),
    ),
  ],
  [
    'base64 text',
    'decode it, and use the file that this makes',
    words(/^\s*"?(?:data:[^,]{1,80};base64,|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|AAAA.GZ0eX|SUQzB)/),
  ],
  [
    'a ZIP archive or an Office document',
    'unpack it, and use the file in it',
    starts('PK\x03\x04', 'PK\x05\x06'),
  ],
  [
    'an archive',
    'unpack it, and use the file in it',
    any(
      starts('7z\xbc\xaf\x27\x1c', 'Rar!', '\x1f\x8b', 'BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd'),
      starts('\x04\x22\x4d\x18', 'MSCF'),
      at(257, 'ustar'),
    ),
  ],
  [
    'a program',
    'use the picture, video or sound itself',
    starts('MZ\x90\0', '\x7fELF', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe'),
  ],
  ['an older Office document', 'export the picture or video from it', at(0, '\xd0\xcf\x11\xe0')],
  [
    'a web page (HTML)',
    page,
    words(
      /^\s*(?:<!--[^]{0,1000}?-->\s*)?<(?:!doctype html|html|head|body|script|meta|title|div|h1|p|pre)[\s>]/i,
    ),
  ],
  ['XML text', page, words(/^\s*<(?:\?xml\s|Error>)/)],
  [
    'subtitles of another kind',
    'save them as SRT or WebVTT',
    words(
      /^\s*(?:\[Script Info\]|<SAMI|<tt[\s>]|\{\d+\}\{\d+\}|\[\d\d:\d\d[.\]]|Scenarist_SCC|\d+:\d\d:\d\d[.]\d+,\d)/i,
    ),
  ],
  [
    'subtitles',
    'a caption takes them as its transcript_source',
    words(/^(?:WEBVTT|\d+\s+[\d:,]+ -->)/),
  ],
  json,
  plainText,
  ['empty but for zeros', 'check where it comes from', (head) => head.every((byte) => byte === 0)],
  ['a Targa picture (TGA)', picture, isTarga],
];

/** Why a file that sniff.ts does not know is refused, without a full stop. @param ofText Said of text as such. */
export function refusalOf(head: Buffer, ofText?: string): string {
  if (head.length === 0) return 'The file is empty; check where it comes from';
  const row = rows.find(([, , matches]) => matches(head));
  if (!row) return 'The file is not a video, image or audio file we can read';
  if (ofText !== undefined && (row === plainText || row === json)) return ofText;
  return `The file is ${row[0]}, which can't be used: ${row[1]}`;
}

/** As text of one byte a character, or of two with their mark; without a mark. */
function textOf(head: Buffer): string {
  const isWide = at(0, '\xff\xfe')(head);
  return head.toString(isWide ? 'utf16le' : 'latin1').replace(/^(?:\ufeff|\xef\xbb\xbf)/, '');
}

/** It has no mark: a kind of pixels, their depth, and a size. */
function isTarga(head: Buffer): boolean {
  if (head.length < 18) return false;
  const [, map = 2, kind = 0] = head;
  const depths = [8, 15, 16, 24, 32];
  const isKind = map <= 1 && [1, 2, 3, 9, 10, 11].includes(kind);
  return isKind && depths.includes(head.readUInt8(16)) && head.readUInt32LE(12) > 0;
}
