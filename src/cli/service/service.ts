import { describeCommand } from '../../base/command.ts';
import { LlmcError } from '../../base/error.ts';
import type { Files, Processes } from '../../base/ports.ts';
import { cronLine } from './cron-line.ts';
import { chooseManager, hasSucceeded, type Manager, type ServiceState } from './manager.ts';
import { planService, type ServiceFacts, type ServicePlan } from './service-plan.ts';

export interface ServicePorts {
  readonly processes: Processes;
  readonly files: Pick<Files, 'readText' | 'replace' | 'remove' | 'makeFolder'>;
  readonly uid: number;
  /** Asks whether the supervisor and its agents may be stopped; throws if not. */
  readonly confirmStop: () => Promise<void>;
}

export interface ServiceReport extends ServiceState, Omit<ServicePlan, 'text'> {
  readonly action: 'install' | 'uninstall' | 'status';
  readonly installed: boolean;
  /** Whether the file is what this llmc would write. */
  readonly up_to_date: boolean;
  /** Whether this command changed anything. */
  readonly changed: boolean;
}

/** Installs the service, or brings its file up to date. A second call changes nothing. */
export async function installService(facts: ServiceFacts, ports: ServicePorts, folderOf: (file: string) => string): Promise<ServiceReport> {
  const { plan, manager } = await reachManager(facts, ports);
  const before = readFile(ports, plan);
  const state = await manager.state(ports.processes);
  const changed = before !== plan.text || !state.enabled;
  if (changed) {
    if (state.enabled) await beforeBootout(ports, plan, state);
    ports.files.makeFolder(folderOf(plan.file));
    if (before !== plan.text) ports.files.replace(plan.file, plan.text);
    // launchd reads a file only when the service is not loaded.
    if (plan.kind === 'launchd' && state.enabled) for (const command of manager.uninstall) await ports.processes.run(command);
    for (const command of manager.install) await must(ports, command);
  }
  return await report('install', ports, { plan, manager }, changed);
}

/** Removes the service. With systemd the supervisor and its agents keep running; launchd stops what it no longer knows. */
export async function uninstallService(facts: ServiceFacts, ports: ServicePorts): Promise<ServiceReport> {
  const { plan, manager } = await reachManager(facts, ports);
  const changed = readFile(ports, plan) !== undefined;
  if (changed) {
    await beforeBootout(ports, plan, await manager.state(ports.processes));
    for (const command of manager.uninstall) await must(ports, command);
    ports.files.remove(plan.file);
    if (plan.kind === 'systemd') await must(ports, { file: 'systemctl', args: ['--user', 'daemon-reload'] });
  }
  return await report('uninstall', ports, { plan, manager }, changed);
}

export async function serviceStatus(facts: ServiceFacts, ports: ServicePorts): Promise<ServiceReport> {
  return await report('status', ports, await reachManager(facts, ports), false);
}

/** `launchctl bootout` ends the supervisor with SIGTERM, which stops its agents as `llmc down` does. */
async function beforeBootout(ports: ServicePorts, { kind }: ServicePlan, { pid }: ServiceState): Promise<void> {
  if (kind === 'launchd' && pid !== null) await ports.confirmStop();
}

interface Reached {
  readonly plan: ServicePlan;
  readonly manager: Manager;
}

async function reachManager(facts: ServiceFacts, ports: ServicePorts): Promise<Reached> {
  const plan = planService(facts);
  const manager = chooseManager(plan, ports.uid);
  const probed = await ports.processes.run(manager.probe, { timeoutMs: 10_000 });
  if (hasSucceeded(probed)) return { plan, manager };
  const details = probed.stderr.trim() === '' ? undefined : probed.stderr.trim();
  // The shell of su or sudo does not know the systemd of the user. A line for cron would start the supervisor beside the service.
  if (readFile(ports, plan) !== undefined && plan.kind === 'systemd')
    throw new LlmcError('SERVICE_UNAVAILABLE', 'the service is installed, but systemd does not answer in this shell', {
      hint: `Log in as this user, or type: export XDG_RUNTIME_DIR=/run/user/${ports.uid}`,
      details,
    });
  throw new LlmcError('SERVICE_UNAVAILABLE', `${plan.kind} does not run for this user here, as in a container`, {
    hint: `Start the supervisor at each boot with a line that you add by crontab -e: ${cronLine(facts.llmc, facts.root, facts.environment.PATH)}`,
    details,
  });
}

function readFile({ files }: ServicePorts, { file }: ServicePlan): string | undefined {
  return files.readText(file);
}

async function report(
  action: ServiceReport['action'],
  ports: ServicePorts,
  { plan, manager }: Reached,
  changed: boolean,
): Promise<ServiceReport> {
  const { text, ...named } = plan;
  const found = readFile(ports, plan);
  return {
    action,
    ...named,
    installed: found !== undefined,
    up_to_date: found === text,
    changed,
    ...(await manager.state(ports.processes)),
  };
}

async function must({ processes }: ServicePorts, command: Parameters<Processes['run']>[0]): Promise<void> {
  const finished = await processes.run(command, { timeoutMs: 60_000 });
  if (hasSucceeded(finished)) return;
  throw new LlmcError('SERVICE_UNAVAILABLE', `${describeCommand(command)} failed`, {
    hint: 'llmc service status shows what is installed; llmc service install tries again',
    details: finished.stderr.trim(),
  });
}
