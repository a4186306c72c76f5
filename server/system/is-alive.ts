/** Whether a process of this computer lives, by its number: for what it may have left behind. */
/** False if there is no process with this number; true also for one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
