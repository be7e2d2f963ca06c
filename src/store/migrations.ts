import { REVIEW_TABLES } from './review-tables.ts';
import { BREAKER_TABLES, ITEM_TABLES, OUTCOME_TABLES, PLAN_TABLES, RUN_TABLES } from './run-tables.ts';
import { ANSWER_TABLE, QUEUE_TABLES, SAID_TABLE, TASK_TABLES } from './task-tables.ts';

/** Applied in order. A released entry never changes; a new one follows it. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE state_journal (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    revision INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;

  CREATE TABLE history (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    revision INTEGER,
    worker TEXT,
    kind TEXT NOT NULL,
    summary TEXT NOT NULL,
    details TEXT
  ) STRICT;
  CREATE INDEX history_by_worker ON history (worker, seq);

  CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    worker TEXT NOT NULL,
    purpose TEXT NOT NULL,
    text TEXT NOT NULL,
    sent_text TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    changes TEXT NOT NULL,
    fresh_conversation INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    attempt INTEGER NOT NULL,
    incarnation INTEGER,
    after_event INTEGER,
    acked_event INTEGER UNIQUE,
    ack_source TEXT,
    created_ms INTEGER NOT NULL,
    typed_ms INTEGER,
    submitted_ms INTEGER,
    acked_ms INTEGER,
    done_ms INTEGER
  ) STRICT;
  CREATE INDEX deliveries_by_worker ON deliveries (worker, seq);

  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    worker TEXT NOT NULL,
    incarnation INTEGER NOT NULL,
    name TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    fate TEXT NOT NULL,
    event TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_worker ON events (worker, incarnation, seq);

  CREATE TABLE landings (
    id TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    phase TEXT NOT NULL,
    message TEXT,
    head TEXT NOT NULL,
    onto TEXT,
    landed TEXT,
    created_ms INTEGER NOT NULL,
    settled_ms INTEGER,
    outcome TEXT
  ) STRICT;
  `,
  // Every pass asks for open deliveries, however many are done.
  'CREATE INDEX deliveries_by_state ON deliveries (worker, state, seq)',
  // The usage of a conversation when it was last counted, and of all conversations per day.
  `
  CREATE TABLE usage_counted (
    conversation TEXT PRIMARY KEY,
    tokens INTEGER NOT NULL,
    cost_usd REAL NOT NULL
  ) STRICT;
  CREATE TABLE usage_days (
    day TEXT PRIMARY KEY,
    tokens INTEGER NOT NULL,
    cost_usd REAL NOT NULL
  ) STRICT;
  `,
  // Reasons were sentences that code compared. One of them still decides something and gets its kind; the others stay readable.
  `
  UPDATE deliveries SET reason = CASE reason
    WHEN 'cut short; the agent was told to go on' THEN '{"kind":"cut_short"}'
    ELSE json_object('kind', 'text', 'text', reason)
  END WHERE reason IS NOT NULL;
  `,
  // A text is made safe when it is sent, not before, and nothing read its hash. SQLite drops a NOT NULL only with the whole table.
  `
  CREATE TABLE deliveries_sent (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    worker TEXT NOT NULL,
    purpose TEXT NOT NULL,
    text TEXT NOT NULL,
    sent_text TEXT,
    changes TEXT NOT NULL,
    fresh_conversation INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    attempt INTEGER NOT NULL,
    incarnation INTEGER,
    after_event INTEGER,
    acked_event INTEGER UNIQUE,
    ack_source TEXT,
    created_ms INTEGER NOT NULL,
    typed_ms INTEGER,
    submitted_ms INTEGER,
    acked_ms INTEGER,
    done_ms INTEGER
  ) STRICT;
  INSERT INTO deliveries_sent
    SELECT id, seq, worker, purpose, text, CASE WHEN typed_ms IS NULL THEN NULL ELSE sent_text END,
      CASE WHEN typed_ms IS NULL THEN '[]' ELSE changes END, fresh_conversation, state, reason, attempt, incarnation, after_event,
      acked_event, ack_source, created_ms, typed_ms, submitted_ms, acked_ms, done_ms
    FROM deliveries;
  DROP TABLE deliveries;
  ALTER TABLE deliveries_sent RENAME TO deliveries;
  CREATE INDEX deliveries_by_worker ON deliveries (worker, seq);
  CREATE INDEX deliveries_by_state ON deliveries (worker, state, seq);
  `,
  // The seal of the running incarnation, as a hash: an agent that reads the database of the root must not learn it.
  `
  CREATE TABLE seals (
    worker TEXT PRIMARY KEY,
    incarnation INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  `,
  // Each status asks whether there was any, and almost always there was none.
  "CREATE INDEX history_tampering ON history (at_ms) WHERE kind = 'tampering';",
  // Conflicting rebases that agents resolve. Every pass of a rebasing worker asks for the open one.
  `
  CREATE TABLE resolutions (
    id TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    cause TEXT NOT NULL,
    phase TEXT NOT NULL,
    branch TEXT NOT NULL,
    head TEXT NOT NULL,
    onto TEXT NOT NULL,
    base TEXT NOT NULL,
    files TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    loops INTEGER NOT NULL,
    stop TEXT,
    continuing TEXT,
    called TEXT,
    asked_ms INTEGER,
    help_ms INTEGER,
    sent_back INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    proven_commit TEXT,
    proof TEXT,
    outcome TEXT,
    created_ms INTEGER NOT NULL,
    settled_ms INTEGER
  ) STRICT;
  CREATE INDEX resolutions_by_worker ON resolutions (worker, created_ms);
  `,
  // An undo needs what an accept forgets, and the last undo of a landing.
  `
  ALTER TABLE landings ADD COLUMN work TEXT;
  ALTER TABLE landings ADD COLUMN before TEXT;
  CREATE TABLE undos (
    id TEXT PRIMARY KEY,
    landing TEXT NOT NULL,
    worker TEXT NOT NULL,
    kind TEXT NOT NULL,
    phase TEXT NOT NULL,
    branch TEXT NOT NULL,
    landed TEXT NOT NULL,
    onto TEXT,
    made TEXT,
    outcome TEXT,
    problem TEXT,
    created_ms INTEGER NOT NULL,
    settled_ms INTEGER
  ) STRICT;
  CREATE INDEX undos_by_landing ON undos (landing, created_ms);
  CREATE INDEX undos_by_commit ON undos (landed);
  `,
  // What the validation commands said, by the files they ran on.
  `
  CREATE TABLE validations (
    tree TEXT NOT NULL,
    lines TEXT NOT NULL,
    worker TEXT NOT NULL,
    failed_line TEXT,
    reason TEXT,
    log TEXT NOT NULL,
    took_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (tree, lines)
  ) STRICT;
  `,
  // What a resolution saved, which files a rule resolved, and whether its worktree was deleted.
  `
  ALTER TABLE resolutions ADD COLUMN rescue TEXT;
  ALTER TABLE resolutions ADD COLUMN ruled TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE resolutions ADD COLUMN worktree_lost INTEGER NOT NULL DEFAULT 0;
  `,
  // An accept that was killed after its commit landed has still to run `after_accept` and to report the commit.
  `
  ALTER TABLE landings ADD COLUMN after_ms INTEGER;
  ALTER TABLE landings ADD COLUMN reported_ms INTEGER;
  UPDATE landings SET after_ms = settled_ms, reported_ms = settled_ms;
  `,
  // When the supervisor last made a pass, for everybody who asks whether it still works.
  `
  CREATE TABLE heartbeat (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    pid INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  `,
  // Reports of the patrol: equal ones in a row share a row.
  `
  CREATE TABLE patrols (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    took_ms INTEGER NOT NULL,
    findings TEXT NOT NULL
  ) STRICT;
  `,
  // Scripts read the status from the events; the summary is for people.
  'ALTER TABLE history ADD COLUMN status TEXT',
  // Notices that a digest will contain: the supervisor may end before it is due.
  'CREATE TABLE kept_notices (worker TEXT PRIMARY KEY) STRICT',
  // How far the CLI's own record reached when a prompt was typed: its order does not depend on clocks.
  `
  ALTER TABLE deliveries ADD COLUMN record_conversation TEXT;
  ALTER TABLE deliveries ADD COLUMN record_bytes INTEGER;
  `,
  // How far a worker without progress had climbed: the supervisor may end before a person is called.
  `
  CREATE TABLE ladders (
    worker TEXT PRIMARY KEY,
    incarnation INTEGER NOT NULL,
    since_ms INTEGER NOT NULL,
    rungs INTEGER NOT NULL,
    asked_ms INTEGER NOT NULL
  ) STRICT;
  `,
  RUN_TABLES,
  TASK_TABLES,
  // A checkpoint also says who worked, which messages waited, and what had failed; an error says what it was about.
  `
  ALTER TABLE checkpoints ADD COLUMN agent_states_json TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE checkpoints ADD COLUMN message_queue_json TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE checkpoints ADD COLUMN errors_json TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE error_log ADD COLUMN context_json TEXT NOT NULL DEFAULT '{}';
  `,
  // Shell lines of a run: the process that runs them, so that they never run twice at a time, and their result, so that it is not lost.
  `
  CREATE TABLE run_checks (
    action TEXT PRIMARY KEY,
    run TEXT NOT NULL,
    mark TEXT NOT NULL,
    pid INTEGER,
    started TEXT,
    result_json TEXT,
    at_ms INTEGER NOT NULL
  ) STRICT;
  `,
  ITEM_TABLES,
  BREAKER_TABLES,
  PLAN_TABLES,
  QUEUE_TABLES,
  SAID_TABLE,
  // Where an accept lands if not on main, and what that branch was before.
  `
  ALTER TABLE landings ADD COLUMN branch TEXT;
  ALTER TABLE landings ADD COLUMN branch_before TEXT;
  `,
  ANSWER_TABLE,
  // Whether the person who sent feedback was told what became of it: a killed command must not lead to the same feedback twice.
  `
  ALTER TABLE deliveries ADD COLUMN told_ms INTEGER;
  UPDATE deliveries SET told_ms = created_ms;
  `,
  // Which llmc wrote here last, for an older one that cannot read the rest.
  `
  CREATE TABLE writer (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), llmc TEXT NOT NULL) STRICT;
  `,
  // How long each worker had waited: the supervisor may end before that is too long.
  'CREATE TABLE clocks (worker TEXT PRIMARY KEY, clocks_json TEXT NOT NULL) STRICT',
  REVIEW_TABLES,
  // The model that a task names, and the workers that the pool is making: a kill in between must leave no worktree behind.
  `
  ALTER TABLE queue ADD COLUMN model TEXT;
  CREATE TABLE pool_making (worker TEXT PRIMARY KEY, task INTEGER NOT NULL, agent TEXT NOT NULL, model TEXT) STRICT;
  `,
  OUTCOME_TABLES,
];
