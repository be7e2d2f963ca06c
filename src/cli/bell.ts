import { quietUntil } from '../base/quiet-hours.ts';
import { ringBell, showNotice } from './output.ts';
import type { Shell } from './shell.ts';

/** Rings the terminal of a command that waits or watches, because a background supervisor has no terminal. */
export async function ringFor(shell: Shell, worker: string): Promise<void> {
  if (process.stderr.isTTY !== true || shell.options.quiet) return;
  const { loadConfigInForce } = await import('../config/in-force.ts');
  const { workerSettings } = await import('../config/worker-settings.ts');
  const config = (await loadConfigInForce(shell.root).catch(() => undefined))?.config;
  if (config !== undefined && quietUntil(config.notify.quiet, Date.now()) !== undefined) return;
  if (config === undefined || workerSettings(config, worker).soundOnReview) ringBell();
  if (config?.notify.terminal === true) showNotice(`llmc: ${worker} needs you`, '');
}
