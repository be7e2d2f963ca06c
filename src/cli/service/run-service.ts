import { createHash } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { SMALL_YOUNG_GENERATION } from '../../system/processes/young-generation.ts';
import { homeRoot } from '../roots/root-here.ts';
import type { Shell } from '../shell.ts';
import { installService, type ServiceReport, serviceStatus, uninstallService } from './service.ts';
import { planService, type ServiceFacts, type ServicePlan, serviceFile } from './service-plan.ts';

/** The service of a root on this machine. */
export async function runService(
  shell: Shell,
  action: 'install' | 'uninstall' | 'status' | 'dry-run',
): Promise<ServiceReport | ({ readonly action: 'dry-run' } & ServicePlan)> {
  const facts = collectFacts(shell.root);
  if (action !== 'uninstall') requireRoot(shell.layout);
  if (action === 'dry-run') return { action, ...planService(facts) };
  const ports = { processes: systemProcesses, files: systemFiles, uid: userInfo().uid, confirmStop: () => confirmStop(shell) };
  if (action === 'install') return await installService(facts, ports, dirname);
  return action === 'uninstall' ? await uninstallService(facts, ports) : await serviceStatus(facts, ports);
}

async function confirmStop(shell: Shell): Promise<void> {
  await shell.confirm('launchd stops the supervisor and its agents for this. Their work and conversations are kept. Continue?', {
    message: 'the service was not changed',
    hint: 'llmc service status',
  });
}

/** Whether the file of a service of this user is there. A supervisor keeps the name of its service after `llmc service uninstall`. */
export function isInstalled(name: string): boolean {
  const { platform, env } = process;
  return systemFiles.readText(serviceFile(name, { platform, home: env.HOME || homedir(), environment: env })) !== undefined;
}

function collectFacts(root: string): ServiceFacts {
  return {
    platform: process.platform,
    home: process.env.HOME || homedir(),
    root,
    isDefaultRoot: root === homeRoot() && !process.env.LLMC_ROOT,
    llmc: [process.execPath, SMALL_YOUNG_GENERATION, process.argv[1] ?? ''],
    environment: process.env,
    mark: createHash('sha256').update(root).digest('hex').slice(0, 8),
  };
}
