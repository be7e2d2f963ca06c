import { glanceConfig } from '../config/glance.ts';
import { openReadOnly } from '../store/database.ts';
import { glanceDelivery } from '../store/delivery-glance.ts';
import { peekState } from '../store/peek-state.ts';
import { type StatusReport, statusReport } from '../supervisor/status-report.ts';
import { readText } from '../system/files.ts';
import type { Shell } from './shell.ts';

export function statusFromDisk(shell: Shell): StatusReport {
  const { layout } = shell;
  const { source, branch, modelOf, accountOf } = glanceConfig(readText(layout.config));
  const database = openReadOnly(layout.database);
  try {
    return statusReport({
      root: layout.root,
      source,
      branch,
      supervisor: { running: false, pid: null, since_unix: null },
      state: peekState(layout),
      deliveryOf: (worker) => glanceDelivery(database, worker),
      modelOf,
      accountOf,
      now: Date.now(),
      assessmentOf: () => undefined,
    });
  } finally {
    database.close();
  }
}
