import { hostSupervisor } from '../../supervisor/host.ts';
import { systemPorts } from '../../system/ports.ts';
import { ringBell } from '../output.ts';
import type { Shell } from '../shell.ts';

/** Runs the supervisor in this process. The first signal stops it gracefully, the second one at once. */
export async function upInForeground(shell: Shell, replace: boolean): Promise<void> {
  const stop = new AbortController();
  const stopNow = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) return stopNow.abort();
    shell.say('Stopping. Press Ctrl+C again to stop at once.');
    stop.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  await hostSupervisor({
    root: shell.root,
    version: shell.options.version,
    ports: systemPorts,
    say: shell.say,
    opened: () => shell.say(`llmc is up for ${shell.root}; Ctrl+C stops it.`),
    onHistory: ({ at, worker, summary, kind }) => {
      if (kind === 'status' || shell.options.verbose)
        shell.say(`${new Date(at).toTimeString().slice(0, 8)} ${worker ?? 'llmc'}: ${summary}`);
    },
    ring: ringBell,
    patrol: shell.options.patrol,
    replace,
    beside: async (report, signal) => await (await import('../canary.ts')).canaryBeside(shell, report, signal),
    stop: stop.signal,
    stopNow: stopNow.signal,
  });
}
