import type { Command } from '../../base/command.ts';
import type { Finished, Processes } from '../../base/ports.ts';
import type { ServicePlan } from './service-plan.ts';

/** What the service manager says about the service. */
export interface ServiceState {
  readonly enabled: boolean;
  /** Its own word, such as `active` or `failed`; null if it does not know the service. */
  readonly state: string | null;
  readonly pid: number | null;
  readonly restarts: number | null;
  /** Whether it runs while the user is not logged in; null if that is not known. */
  readonly lingers: boolean | null;
}

/** A service manager: its commands as data, in the order they run. */
export interface Manager {
  /** A command that succeeds only where the manager runs for this user. */
  readonly probe: Command;
  readonly install: readonly Command[];
  readonly uninstall: readonly Command[];
  state(processes: Processes): Promise<ServiceState>;
}

const PATIENCE_MS = 30_000;

const systemctl = (...args: readonly string[]): Command => ({ file: 'systemctl', args: ['--user', ...args] });
const launchctl = (...args: readonly string[]): Command => ({ file: 'launchctl', args });

export function chooseManager({ kind, name, file }: ServicePlan, uid: number): Manager {
  if (kind === 'launchd') {
    const domain = `gui/${uid}`;
    return {
      probe: launchctl('print', domain),
      install: [launchctl('bootstrap', domain, file)],
      // launchd has no way to forget a service and leave its process: the supervisor stops, and its agents with it.
      uninstall: [launchctl('bootout', `${domain}/${name}`)],
      state: async (processes) => launchdState(await processes.run(launchctl('print', `${domain}/${name}`), { timeoutMs: PATIENCE_MS })),
    };
  }
  return {
    probe: systemctl('show', '--property=Version'),
    install: [systemctl('daemon-reload'), systemctl('enable', name), systemctl('start', '--no-block', name)],
    // Not `--now`: the supervisor and its agents keep running, and llmc down stops them.
    uninstall: [systemctl('disable', name)],
    async state(processes) {
      const show = systemctl('show', name, '--property=UnitFileState,ActiveState,MainPID,NRestarts');
      const linger: Command = { file: 'loginctl', args: ['show-user', String(uid), '--property=Linger'] };
      const [shown, lingering] = await Promise.all([show, linger].map((command) => processes.run(command, { timeoutMs: PATIENCE_MS })));
      return systemdState(shown, lingering);
    },
  };
}

function systemdState(shown: Finished | undefined, lingering: Finished | undefined): ServiceState {
  const facts = properties(hasSucceeded(shown) ? shown?.stdout : '');
  const { Linger } = properties(hasSucceeded(lingering) ? lingering?.stdout : '');
  const pid = Number(facts.MainPID ?? 0);
  return {
    enabled: facts.UnitFileState === 'enabled',
    state: facts.ActiveState ?? null,
    pid: pid > 0 ? pid : null,
    restarts: facts.NRestarts === undefined ? null : Number(facts.NRestarts),
    lingers: Linger === undefined ? null : Linger === 'yes',
  };
}

function launchdState(shown: Finished): ServiceState {
  const loaded = hasSucceeded(shown);
  const found = (name: string) => new RegExp(`^\\s*${name} = (.+)$`, 'm').exec(loaded ? shown.stdout : '')?.[1];
  const pid = found('pid');
  return {
    enabled: loaded,
    state: found('state') ?? null,
    pid: pid === undefined ? null : Number(pid),
    restarts: found('runs') === undefined ? null : Math.max(0, Number(found('runs')) - 1),
    lingers: null,
  };
}

function properties(text = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
    }),
  );
}

export function hasSucceeded(finished: Finished | undefined): boolean {
  return finished?.outcome.kind === 'exited' && finished.outcome.status === 0;
}
