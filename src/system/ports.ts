import type { SystemPorts } from '../base/ports.ts';
import { systemClock, systemScheduler } from './clock.ts';
import { systemFiles } from './files/system-files.ts';
import { watchFolder } from './files/watch-folder.ts';
import { connectMessages } from './message-socket.ts';
import { startLineProcess } from './processes/line-process.ts';
import { processTable } from './processes/process-table.ts';
import { systemProcesses } from './processes/processes.ts';
import { systemSignals } from './processes/system-signals.ts';
import { systemRandom } from './random.ts';

/** The real machine. */
export const systemPorts: SystemPorts = {
  clock: systemClock,
  random: systemRandom,
  scheduler: systemScheduler,
  processes: systemProcesses,
  startLineProcess,
  listProcesses: () => processTable(systemProcesses),
  signals: systemSignals,
  files: systemFiles,
  watchFolder,
  connectMessages,
};
