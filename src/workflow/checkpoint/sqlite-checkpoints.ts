import { z } from 'zod';
import { type Database, prepared } from '../../store/database.ts';
import { jsonColumn } from '../../store/tables/json-column.ts';
import { CHECKPOINT_TYPES } from '../model/action.ts';
import { runStateSchema, type StoredRunState } from '../store/run-schema.ts';
import type { Checkpoint, Checkpoints } from './checkpoints.ts';
import { hashState } from './write-checkpoint.ts';

const checkpointRow = z.object({
  id: z.string(),
  type: z.enum(CHECKPOINT_TYPES),
  version: z.int(),
  state_json: z.string(),
  sha256: z.string(),
  completed_stages_json: z.string(),
  pending_stages_json: z.string(),
  created_by: z.enum(['auto', 'manual', 'error']),
  agent_states_json: z.string(),
  message_queue_json: z.string(),
  processed_messages_json: z.string(),
  errors_json: z.string(),
  recovery_attempts_json: z.string(),
  notes: z.string(),
  created_ms: z.int(),
});

export class SqliteCheckpoints implements Checkpoints {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(run: string): Promise<readonly Checkpoint[]> {
    const rows = prepared(
      this.#database,
      `SELECT id, type, version, state_json, sha256, completed_stages_json, pending_stages_json, notes, created_ms,
              created_by, agent_states_json, message_queue_json, processed_messages_json, errors_json, recovery_attempts_json
         FROM checkpoints WHERE run = ? ORDER BY version DESC`,
    ).all(run);
    return Promise.resolve(rows.map((row) => toCheckpoint(checkpointRow.parse(row))));
  }
}

function toCheckpoint(row: z.infer<typeof checkpointRow>): Checkpoint {
  const { id, type, version, notes: note, created_ms: at } = row;
  return {
    id,
    type,
    version,
    note,
    at,
    completed: parseAddresses(row.completed_stages_json),
    pending: parseAddresses(row.pending_stages_json),
    state: parseState(row.state_json, row.sha256),
    createdBy: row.created_by,
    snapshot: {
      agents: parseJsonOrNull(row.agent_states_json),
      messages: parseJsonOrNull(row.message_queue_json),
      processed_messages: parseJsonOrNull(row.processed_messages_json),
      errors: parseJsonOrNull(row.errors_json),
      recovery_attempts: parseJsonOrNull(row.recovery_attempts_json),
    },
  };
}

/** Only shown to people, so a damaged column must not hide the other checkpoints. */
function parseAddresses(json: string): readonly string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(json));
  } catch {
    return [];
  }
}

function parseJsonOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function parseState(json: string, sha256: string): StoredRunState | null {
  if (hashState(json) !== sha256) return null;
  const read = jsonColumn(runStateSchema).safeParse(json);
  return read.success ? read.data : null;
}
