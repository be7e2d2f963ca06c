import { formatAge } from '../../base/duration.ts';
import { jsonText } from '../../base/visible-text.ts';
import { startDelayMs } from '../../recovery/decide-start-delay.ts';
import type { Layout } from '../../store/layout.ts';
import { type Keeper, makeKeeper } from '../../supervisor/ownership/keeper.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { systemPorts } from '../../system/ports.ts';
import { startWatchdog } from '../../system/watchdog.ts';

/** As long as `WatchdogSec` of the unit. */
const WATCHDOG_MS = 300_000;
const KEPT_STARTS = 20;

/** The service that started this process, after the wait that its earlier starts ask for; undefined if a person started it, or stopped it meanwhile. */
export async function keptByService(layout: Layout, say: (line: string) => void, stop: AbortSignal): Promise<Keeper | undefined> {
  const lastWords = `llmc: the supervisor has done nothing for ${WATCHDOG_MS / 1_000} s, so it ends. Its service starts it again; the agents keep running.`;
  let watchdog: ReturnType<typeof startWatchdog> | undefined;
  const keeper = makeKeeper(process.env, { ...systemPorts, feed: () => watchdog?.feed() });
  if (keeper === undefined) return undefined;
  await waitForTurn(layout, say, stop);
  if (stop.aborted) return undefined;
  watchdog = startWatchdog(WATCHDOG_MS, lastWords);
  return keeper;
}

async function waitForTurn(layout: Layout, say: (line: string) => void, stop: AbortSignal): Promise<void> {
  const { clock } = systemPorts;
  const now = clock.now();
  const earlier = readStarts(layout.serviceStarts);
  systemFiles.writePrivate(layout.serviceStarts, jsonText([...earlier, now].slice(-KEPT_STARTS)));
  const delayMs = startDelayMs(earlier, now);
  if (delayMs === 0) return;
  say(`The service has started ${earlier.length} times lately; waiting ${formatAge(delayMs)}.`);
  await clock.sleep(delayMs, stop).catch(() => undefined);
}

/** A damaged file costs the wait, not the start. */
function readStarts(path: string): readonly number[] {
  try {
    const read: unknown = JSON.parse(systemFiles.readText(path) ?? '[]');
    return Array.isArray(read) ? read.filter((each) => typeof each === 'number') : [];
  } catch {
    return [];
  }
}
