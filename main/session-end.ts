/**
 * Windows tells its windows, and nobody else, that the person signs out or the computer shuts down. Main process.
 * The program may have none then, only its icon beside the clock: so one that nobody sees listens as long as it runs.
 */
import { BaseWindow } from 'electron';

/** Held, or it would be given up with its listeners. */
let listener: BaseWindow | null = null;

/**
 * @param end Called at the question whether the session may end, which leaves more time than its end, and again at that. The
 * question is not answered with no: that would hold the whole computer up.
 * @param platform for tests
 */
export function watchSessionEnd(end: () => void, platform: string = process.platform): void {
  if (platform !== 'win32') return;
  listener = new BaseWindow({ show: false, skipTaskbar: true });
  listener.on('query-session-end', end);
  listener.on('session-end', end);
}
