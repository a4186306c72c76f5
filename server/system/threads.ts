/**
 * Whether threads without work may be ended. Any process.
 *
 * Electron's Node can abort its whole process while one of its threads is being ended (electron#47986: `!flush_tasks_`
 * fails), so that there a thread which was started once stays. Threads that take too long or too much memory are ended
 * everywhere.
 */
export function endsIdleThreads(): boolean {
  return !('electron' in process.versions);
}
