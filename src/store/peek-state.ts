import { readFileSync } from 'node:fs';
import { LlmcError, messageOf } from '../base/error.ts';
import type { Layout } from './layout.ts';
import type { State } from './state.ts';
import { STATUSES } from './statuses.ts';

/**
 * The state for a reader that owns nothing: the file, or its backup when the file cannot be read.
 * Written by llmc after a full check, so a look at its shape is enough here, and starts ten times as fast as the schema.
 */
export function peekState(layout: Layout): State {
  const current = readShape(layout.state);
  if (current.kind === 'ok') return current.state;
  const backup = readShape(layout.stateBackup);
  if (backup.kind === 'ok') return backup.state;
  throw new LlmcError('STATE_INVALID', `${layout.state} cannot be read: ${current.problem}`, { hint: 'llmc doctor' });
}

function readShape(path: string): { kind: 'ok'; state: State } | { kind: 'broken'; problem: string } {
  try {
    // A file of an earlier version knows no limits.
    const state: State = { limits: {}, ...JSON.parse(readFileSync(path, 'utf8')) };
    const sound =
      state.version === 1 && Object.entries(state.workers).every(([key, { name, status }]) => key === name && STATUSES.includes(status));
    return sound ? { kind: 'ok', state } : { kind: 'broken', problem: 'it is not a state file of this version' };
  } catch (error) {
    return { kind: 'broken', problem: messageOf(error) };
  }
}
