import { hostSupervisor } from '../../supervisor/host.ts';
import { systemPorts } from '../../system/ports.ts';
import { ringBell, showNotice } from '../output.ts';
import { offerLines, readOffers } from '../runs/recovery-offers.ts';
import type { Shell } from '../shell.ts';
import { keptByService } from './kept-by-service.ts';

/** sysexits.h: try again. */
const EX_TEMPFAIL = 75;

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
  const keeper = await keptByService(shell.layout, shell.say, stop.signal);
  // Stopped while it waited: it must not take over from another supervisor only to stop the agents.
  if (stop.signal.aborted) return;
  const offers = offerLines(await readOffers(shell.layout), Date.now());
  const { again } = await hostSupervisor({
    root: shell.root,
    version: shell.options.version,
    ports: systemPorts,
    say: shell.say,
    opened: () => {
      shell.say(`llmc is up for ${shell.root}; Ctrl+C stops it.`);
      for (const line of offers) shell.say(line);
    },
    onHistory: ({ at, worker, summary, kind }) => {
      if (kind === 'status' || shell.options.verbose)
        shell.say(`${new Date(at).toTimeString().slice(0, 8)} ${worker ?? 'llmc'}: ${summary}`);
    },
    ring: ({ bell, notice }) => {
      if (bell) ringBell();
      if (notice !== undefined) showNotice(notice.title, notice.text);
    },
    patrol: shell.options.patrol,
    replace,
    keeper,
    beside: async (report, signal) => await (await import('../canary.ts')).canaryBeside(shell, report, signal),
    stop: stop.signal,
    stopNow: stopNow.signal,
  });
  // Only a failure makes the service start it again. The watchdog and the agents' sessions end with nothing else to wait for.
  if (again) process.exitCode = EX_TEMPFAIL;
}
