import { loadConfig } from '../config/load.ts';
import { workerSettings } from '../config/worker-settings.ts';
import { openGit } from '../git/run.ts';
import { openReadOnly } from '../store/database.ts';
import { peekState } from '../store/state-file.ts';
import { type StatusReport, statusReport } from '../supervisor/status-report.ts';
import { systemProcesses } from '../system/processes.ts';
import { mainBranch } from '../workers/main-branch.ts';
import type { Shell } from './shell.ts';

export async function statusFromDisk(shell: Shell): Promise<StatusReport> {
  const { layout } = shell;
  const config = await loadConfig(layout.root);
  const database = openReadOnly(layout.database);
  try {
    return statusReport({
      root: layout.root,
      source: config.repo.source,
      branch: await mainBranch({ git: openGit(systemProcesses) }, config),
      supervisor: { running: false, pid: null, since_unix: null },
      state: peekState(layout),
      database,
      modelOf: (name) => workerSettings(config, name).model,
      assessmentOf: () => undefined,
    });
  } finally {
    database.close();
  }
}
