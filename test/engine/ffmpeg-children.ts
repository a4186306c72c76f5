/** The ffmpeg processes of this process, on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** How many ffmpeg processes this process has started that still run. */
export function ffmpegChildren(): number {
  return readdirSync('/proc').filter((id) => {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      return stat.includes('(ffmpeg)') && stat.split(') ')[1]?.split(' ')[1] === `${process.pid}`;
    } catch {
      return false;
    }
  }).length;
}
