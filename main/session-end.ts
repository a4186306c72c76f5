/**
 * Windows only notifies windows when the user signs out or the computer shuts down. Main process. The program may have
 * no window then, only its tray icon, so a hidden window listens as long as it runs.
 */
import { BaseWindow } from 'electron';

/** Referenced, or it would be collected with its listeners. */
let listener: BaseWindow | null = null;

/**
 * @param end Called when Windows asks whether the session may end, which leaves more time, and again at the end. We
 * never answer no, which would block the whole computer.
 * @param platform for tests
 */
export function watchSessionEnd(end: () => void, platform: string = process.platform): void {
  if (platform !== 'win32') return;
  listener = new BaseWindow({ show: false, skipTaskbar: true });
  listener.on('query-session-end', end);
  listener.on('session-end', end);
}
