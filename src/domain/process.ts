/** Whether a process of this machine runs, whoever owns it: dead is only what the system says is not there. A number may be in use again. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: unknown }).code !== 'ESRCH';
  }
}
