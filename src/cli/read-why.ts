import { openReadOnly } from '../store/database.ts';
import { findWorker } from '../store/find-worker.ts';
import { peekState } from '../store/peek-state.ts';
import { type WhyReport, whyReport } from '../supervisor/why-report.ts';
import { askSupervisor } from './owner.ts';
import type { Shell } from './shell.ts';

export async function readWhy(shell: Shell, worker: string): Promise<WhyReport> {
  const answered = await askSupervisor(shell, 'why', { worker });
  if (answered !== undefined) return answered.result;
  const database = openReadOnly(shell.layout.database);
  try {
    return whyReport(findWorker(peekState(shell.layout), worker), database, undefined);
  } finally {
    database.close();
  }
}
