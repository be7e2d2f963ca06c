import { dirname } from 'node:path';
import type { Files } from '../../base/ports.ts';
import { jsonText } from '../../base/visible-text.ts';
import type { WorkflowSettings } from '../../config/workflow-settings.ts';
import type { RunRecord } from '../model/action.ts';
import { sharesItsLog } from '../run-log-path.ts';
import type { RunCommit, RunStore } from '../store/ports.ts';

type Level = WorkflowSettings['logLevel'];
const ORDER: readonly Level[] = ['debug', 'info', 'warn', 'error'];

interface LogOptions {
  readonly files: Pick<Files, 'size' | 'rename' | 'append' | 'makeFolder'>;
  readonly pathOf: (run: string, logFile: string) => string;
  readonly settings: () => Promise<Pick<WorkflowSettings, 'logLevel' | 'logToFile' | 'logFile' | 'logMaxMb'>>;
}

/** Writes a JSON line for what each decision records to the log of its run. The database has it all, so a log that cannot be written stops nothing. */
export function loggedRuns(runs: RunStore, { files, pathOf, settings }: LogOptions): RunStore {
  const write = async ({ decision, at }: RunCommit): Promise<void> => {
    const { logLevel, logToFile, logFile, logMaxMb } = await settings();
    if (!logToFile) return;
    const { id } = decision.run;
    const shared = sharesItsLog(logFile) ? { run: id } : {};
    const lines = decision.records.flatMap((record) => toLines(record, { at, least: logLevel, shared }));
    const path = pathOf(id, logFile);
    if (lines.length === 0) return;
    files.makeFolder(dirname(path));
    if (files.size(path) > logMaxMb * 1024 * 1024) files.rename(path, `${path}.1`);
    files.append(path, `${lines.join('\n')}\n`);
  };
  return {
    ...runs,
    async commit(commit) {
      const committed = await runs.commit(commit);
      if (committed) await write(commit).catch(() => undefined);
      return committed;
    },
  };
}

function toLines(
  record: RunRecord,
  { at, least, shared }: { readonly at: number; readonly least: Level; readonly shared: { readonly run?: string } },
): readonly string[] {
  const { level, ...line } = toEntry(record);
  if (ORDER.indexOf(level) < ORDER.indexOf(least)) return [];
  return [jsonText({ time: new Date(at).toISOString(), level, ...shared, ...line })];
}

type Entry = { readonly level: Level; readonly kind: RunRecord['kind'] } & Readonly<Record<string, unknown>>;

function toEntry(record: RunRecord): Entry {
  const { kind } = record;
  switch (record.kind) {
    case 'history':
      return { level: 'info', kind, step: record.step, text: record.text };
    case 'error': {
      const { severity, code, message, details, component, role, strategy, cause } = record.error;
      const level = severity === 'warning' ? 'warn' : severity === 'info' ? 'info' : 'error';
      return { level, kind, step: component, code, text: message, details, role, strategy, cause: cause?.message ?? null };
    }
    case 'checkpoint':
      return { level: 'debug', kind, type: record.type, text: record.note };
    default:
      return { level: 'debug', kind };
  }
}
