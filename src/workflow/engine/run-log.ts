import type { Files } from '../../base/ports.ts';
import { jsonText } from '../../base/visible-text.ts';
import type { WorkflowSettings } from '../../config/workflow-settings.ts';
import type { RunRecord } from '../model/action.ts';
import type { RunCommit, RunStore } from '../store/ports.ts';

type Level = WorkflowSettings['logLevel'];
const ORDER: readonly Level[] = ['debug', 'info', 'warn', 'error'];

interface LogOptions {
  readonly files: Pick<Files, 'size' | 'rename' | 'append'>;
  readonly pathOf: (run: string) => string;
  readonly settings: () => Promise<Pick<WorkflowSettings, 'logLevel' | 'logToFile' | 'logMaxMb'>>;
}

/** Writes a JSON line for what each decision records to the log of its run. The database has it all, so a log that cannot be written stops nothing. */
export function loggedRuns(runs: RunStore, { files, pathOf, settings }: LogOptions): RunStore {
  const write = async ({ decision, at }: RunCommit): Promise<void> => {
    const { logLevel, logToFile, logMaxMb } = await settings();
    if (!logToFile) return;
    const lines = decision.records.flatMap((record) => lineOf(record, at, logLevel));
    const path = pathOf(decision.run.id);
    if (lines.length === 0) return;
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

function lineOf(record: RunRecord, at: number, least: Level): readonly string[] {
  const { level, ...line } = entryOf(record);
  if (ORDER.indexOf(level) < ORDER.indexOf(least)) return [];
  return [jsonText({ time: new Date(at).toISOString(), level, ...line })];
}

type Entry = { readonly level: Level; readonly kind: RunRecord['kind'] } & Readonly<Record<string, unknown>>;

function entryOf(record: RunRecord): Entry {
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
