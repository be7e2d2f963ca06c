import type { LlmcError } from '../base/error.ts';
import { glanceConfig } from '../config/glance.ts';
import { openReadOnly } from '../store/database.ts';
import { findWorker } from '../store/find-worker.ts';
import { peekState } from '../store/peek-state.ts';
import { holdingOn } from '../supervisor/status-report.ts';
import { type WhyReport, whyReport } from '../supervisor/why-report.ts';
import { readText } from '../system/files.ts';
import { askSupervisorIfAny } from './owner.ts';
import type { Shell } from './shell.ts';

export async function readWhy(shell: Shell, worker: string): Promise<WhyReport> {
  const fromDisk = (silence: LlmcError) => shell.say(`${silence.message}; what follows is from disk.\n→ ${silence.hint}`);
  const answered = await askSupervisorIfAny(shell, 'why', { worker }, fromDisk);
  if (answered !== undefined) return answered.result;
  const database = openReadOnly(shell.layout.database);
  try {
    const state = peekState(shell.layout);
    const record = findWorker(state, worker);
    const { accountOf } = glanceConfig(readText(shell.layout.config));
    return whyReport(record, database, undefined, undefined, { limit: holdingOn(state, accountOf(record.agent), Date.now()) });
  } finally {
    database.close();
  }
}
