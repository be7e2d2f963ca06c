/** Runs of workflows: what each is, what happened to it, and the actions that wait to be performed. A migration: never change it. */
export const RUN_TABLES = `
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    workflow TEXT NOT NULL,
    digest TEXT NOT NULL,
    plan_json TEXT NOT NULL,
    inputs_json TEXT NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    state_json TEXT NOT NULL,
    degradation_level TEXT NOT NULL,
    wake_ms INTEGER,
    created_ms INTEGER NOT NULL,
    ended_ms INTEGER
  ) STRICT;
  CREATE INDEX runs_by_wake ON runs (wake_ms) WHERE wake_ms IS NOT NULL;
  CREATE TABLE run_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id),
    key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    dice REAL NOT NULL,
    event_json TEXT NOT NULL,
    consumed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (run, key)
  ) STRICT;
  CREATE INDEX run_events_undecided ON run_events (run, seq) WHERE consumed = 0;
  CREATE TABLE run_tasks (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    run TEXT NOT NULL REFERENCES runs (id),
    run_key TEXT NOT NULL,
    step TEXT NOT NULL,
    kind TEXT NOT NULL,
    data_json TEXT NOT NULL,
    run_at_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    lease_until_ms INTEGER,
    host TEXT
  ) STRICT;
  CREATE INDEX run_tasks_open ON run_tasks (run_key, seq) WHERE state <> 'done';
  CREATE TABLE run_history (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id),
    step TEXT,
    at_ms INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_history_by_run ON run_history (run, seq);
  CREATE TABLE checkpoints (
    id TEXT PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (id),
    type TEXT NOT NULL,
    created_by TEXT NOT NULL,
    version INTEGER NOT NULL,
    state_json TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    completed_stages_json TEXT NOT NULL,
    pending_stages_json TEXT NOT NULL,
    notes TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX checkpoints_by_run ON checkpoints (run, version);
  CREATE TABLE error_log (
    id TEXT PRIMARY KEY,
    run TEXT NOT NULL REFERENCES runs (id),
    code TEXT NOT NULL,
    category TEXT NOT NULL,
    severity TEXT NOT NULL,
    message TEXT NOT NULL,
    details TEXT,
    component TEXT NOT NULL,
    agent_role TEXT,
    recoverable INTEGER NOT NULL,
    recovered INTEGER NOT NULL DEFAULT 0,
    recovery_strategy TEXT,
    stack TEXT,
    error_json TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX error_log_by_run ON error_log (run, created_ms);
`;

/** The steps of items: hundreds of them, of which a decision changes a few. A migration: never change it. */
export const ITEM_TABLES = `
  CREATE TABLE run_items (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id),
    address TEXT NOT NULL,
    step_json TEXT NOT NULL,
    UNIQUE (run, address)
  ) STRICT;
`;

/** Circuit breakers that count over all runs; those of a stage are part of its run. A migration: never change it. */
export const BREAKER_TABLES = `
  CREATE TABLE breakers (
    scope TEXT PRIMARY KEY,
    state_json TEXT NOT NULL,
    changed_ms INTEGER NOT NULL
  ) STRICT;
`;

/**
 * What became of what followed a failure, the questions of a run, the attempts of operations that failed and were tried again, and the
 * rest of what a checkpoint says. A migration: never change it.
 */
export const OUTCOME_TABLES = `
  ALTER TABLE error_log ADD COLUMN outcome TEXT;
  UPDATE error_log SET outcome = 'recovered' WHERE recovered = 1;
  UPDATE error_log SET outcome = 'failed' WHERE recovered = 0 AND run IN (SELECT id FROM runs WHERE ended_ms IS NOT NULL);
  ALTER TABLE checkpoints ADD COLUMN processed_messages_json TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE checkpoints ADD COLUMN recovery_attempts_json TEXT NOT NULL DEFAULT '[]';
  CREATE TABLE run_questions (
    run TEXT NOT NULL REFERENCES runs (id),
    number INTEGER NOT NULL,
    question_json TEXT NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT;
  CREATE TABLE run_retries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id),
    step TEXT,
    operation TEXT NOT NULL,
    key TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    delay_ms INTEGER,
    error_json TEXT NOT NULL,
    outcome TEXT,
    UNIQUE (run, key, attempt)
  ) STRICT;
`;

/** The plans that runs had before they went on with a changed workflow. A migration: never change it. */
export const PLAN_TABLES = `
  CREATE TABLE run_plans (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id),
    digest TEXT NOT NULL,
    plan_json TEXT NOT NULL,
    until_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX run_plans_by_run ON run_plans (run, seq);
`;
