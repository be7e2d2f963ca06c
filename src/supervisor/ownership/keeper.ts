import type { Clock, Instant, Processes } from '../../base/ports.ts';

/** The service manager that keeps this supervisor running, as the supervisor talks to it. */
export interface Keeper {
  /** The name of the service. */
  readonly name: string;
  ready(): void;
  /** Called at each record of the heartbeat. */
  beat(): void;
  stopping(): void;
}

interface KeeperPorts {
  readonly processes: Processes;
  readonly clock: Clock;
  /** A sign of life for the watchdog of this process. */
  readonly feed: () => void;
}

/** systemd starts the service again after 300 s without a sign of life (`WatchdogSec`). Each sign is one short process. */
const NOTIFY_EVERY_MS = 60_000;

/**
 * Undefined unless a service started this process. Node cannot send a datagram to a unix socket, so `systemd-notify` sends it.
 * Takes the variables out of the environment: agents must not be able to speak for the supervisor by accident.
 */
export function makeKeeper(environment: NodeJS.ProcessEnv, ports: KeeperPorts): Keeper | undefined {
  const { LLMC_SERVICE: name, NOTIFY_SOCKET: socket } = environment;
  for (const variable of ['LLMC_SERVICE', 'NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[variable];
  if (!name) return undefined;
  let notifiedAt: Instant | undefined;
  const notify = (...args: readonly string[]) => {
    if (!socket) return;
    notifiedAt = ports.clock.now();
    // Without an answer from systemd nothing else can be done: its own watchdog then starts the service again.
    void ports.processes
      .run({ file: 'systemd-notify', args, env: { NOTIFY_SOCKET: socket } }, { timeoutMs: 10_000 })
      .catch(() => undefined);
  };
  return {
    name,
    ready: () => notify('--ready', '--status=observing the agents'),
    beat() {
      ports.feed();
      const now = ports.clock.now();
      if (notifiedAt === undefined || now < notifiedAt || now - notifiedAt >= NOTIFY_EVERY_MS) notify('WATCHDOG=1');
    },
    stopping: () => notify('STOPPING=1'),
  };
}
