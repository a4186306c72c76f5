/**
 * An ffmpeg that seems to have encoders of hardware: it lists those of some families, and codes with x264 or x265 what
 * they are asked for. It can be made to fail as such encoders do. Everything else the real one does. Not on Windows.
 */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { encoderName, hardwareCodecs, type HardwareFamily } from '../../shared/hardware.ts';

/** How its encoders do: as they should; not opened, gone after a while, without an end, a torn file, other colours. */
export type HardwareMode = 'works' | 'closed' | 'dies' | 'hangs' | 'broken' | 'wrong';

/** Its path, and what was asked of its encoders. */
export interface HardwareFfmpeg {
  readonly path: string;
  readonly mode: (mode: HardwareMode) => void;
  /** Arguments of each film that such an encoder was asked for, since the last call. */
  readonly asked: () => string[];
  /** As an update of it does. */
  readonly touch: () => void;
}

/** Writes it into a folder. @param families That it lists. */
export async function hardwareFfmpeg(
  folder: string,
  families: readonly HardwareFamily[],
): Promise<HardwareFfmpeg> {
  const { path: real } = await findFfmpeg(undefined);
  const file = path.join(folder, 'ffmpeg');
  const [mode, calls] = [`${file}.mode`, `${file}.asked`];
  const names = families.flatMap((family) =>
    hardwareCodecs.map((codec) => encoderName(codec, family)),
  );
  const script = `#!/bin/sh
case " $* " in
*' -encoders '*)
  '${real}' "$@" | grep -vE '_(nvenc|qsv|amf|vaapi|videotoolbox) '
  for name in ${names.join(' ')}; do echo " V..... $name x"; done
  exit ;;
esac
encoder=
for one in "$@"; do
  case "$one" in h264_metadata* | hevc_metadata*) ;; h264_*) encoder=$one ;; hevc_*) encoder=$one ;; esac
  out=$one
done
[ -z "$encoder" ] && exec '${real}' "$@"
printf '%s\\n' "$*" >> '${calls}'
mode=$(cat '${mode}')
case "$mode" in
closed) echo "[$encoder @ 0x1] Cannot load libcuda.so.1" >&2; echo 'Conversion failed!' >&2; exit 1 ;;
dies) head -c 20000 > '${file}.rest'; echo "[$encoder @ 0x1] EncodePicture failed!" >&2; exit 1 ;;
hangs) exec sleep 600 ;;
esac
left=$#
while [ $left -gt 0 ]; do
  one=$1; shift; left=$((left - 1))
  case "$one" in
  -rc | -b:v | -qp_p | -vaapi_device) shift; left=$((left - 1)) ;;
  -cq | -global_quality | -qp | -qp_i | -q:v) set -- "$@" -preset ultrafast -crf ;;
  h264_metadata*) set -- "$@" filter_units=remove_types=6 ;;
  hevc_metadata*) set -- "$@" null ;;
  h264_*) set -- "$@" libx264 ;;
  hevc_*) set -- "$@" libx265 -x265-params log-level=error ;;
  nv12) set -- "$@" yuv420p ;;
  *hwupload*) set -- "$@" "$(printf %s "$one" | sed 's/,hwupload//')" ;;
  "$out") [ "$mode" = wrong ] && set -- "$@" -vf negate; set -- "$@" "$one" ;;
  *) set -- "$@" "$one" ;;
  esac
done
'${real}' "$@" || exit
[ "$mode" = broken ] && head -c 3000 "$out" > '${file}.rest' && cat '${file}.rest' > "$out"
exit 0
`;
  writeFileSync(file, script, { mode: 0o755 });
  writeFileSync(mode, 'works');
  writeFileSync(calls, '');
  return {
    path: file,
    mode: (next) => writeFileSync(mode, next),
    asked() {
      const lines = readFileSync(calls, 'utf8').split('\n').slice(0, -1);
      writeFileSync(calls, '');
      return lines;
    },
    touch: () => utimesSync(file, new Date(), new Date(Date.now() + 10_000)),
  };
}
