import type { LlmcError } from '../../base/error.ts';
import { readConfigLeniently } from '../../config/read-config-leniently.ts';
import { stalledSince } from '../../recovery/decide-stall.ts';
import { openReadOnly } from '../../store/database.ts';
import { findWorker } from '../../store/find-worker.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { lastHeartbeat } from '../../store/tables/heartbeat.ts';
import { holdingOn } from '../../supervisor/report/status-report.ts';
import { type WhyReport, whyReport } from '../../supervisor/report/why-report.ts';
import type { Shell } from '../shell.ts';
import { askSupervisorIfAny } from './owner.ts';
import { textInForce } from './status-from-disk.ts';

export async function readWhy(shell: Shell, worker: string, { say = shell.say, inWords = false } = {}): Promise<WhyReport> {
  let silent = false;
  const fromDisk = (silence: LlmcError) => {
    silent = true;
    say(`${silence.message}; the following is from disk.\n→ ${silence.hint}`);
  };
  const answered = await askSupervisorIfAny(shell, 'why', { worker, inWords }, fromDisk);
  if (answered !== undefined) return answered.result;
  const database = openReadOnly(shell.layout.database);
  try {
    const state = readStateLeniently(shell.layout);
    const record = findWorker(state, worker);
    const { text, problem } = await textInForce(shell.layout);
    const { accountOf } = readConfigLeniently(text);
    const now = Date.now();
    const stalled = silent ? stalledSince(lastHeartbeat(database)?.at, now) : undefined;
    return whyReport(record, database, undefined, now, {
      limit: holdingOn(state, accountOf(record.agent), now),
      silent,
      stalledSince: stalled,
      problem,
    });
  } finally {
    database.close();
  }
}
