/**
 * The tables of llmc.db, by what they are about. The first release freezes them as they stand here: from then on a change is a new
 * entry of `MIGRATIONS`, and no entry changes any more.
 */

/** The root itself: its state, what happened in it, who writes here. */
const ROOT = `
  -- The redo record of state.json.
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
    details TEXT,
    status TEXT
  ) STRICT;
  CREATE INDEX history_by_worker ON history (worker, seq);
  CREATE INDEX history_tampering ON history (at_ms) WHERE kind = 'tampering';
  -- Which llmc wrote here last, for an older one that cannot read the rest.
  CREATE TABLE writer (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), llmc TEXT NOT NULL) STRICT;
  -- Whether the supervisor still works, for the program that starts it again.
  CREATE TABLE heartbeat (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    pid INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  -- Equal reports in a row share a row.
  CREATE TABLE patrols (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    took_ms INTEGER NOT NULL,
    findings TEXT NOT NULL
  ) STRICT;
  -- Notices that a digest will contain: the supervisor may end before it is due.
  CREATE TABLE kept_notices (worker TEXT PRIMARY KEY) STRICT;
  -- The usage of a conversation when it was last counted.
  CREATE TABLE usage_counted (conversation TEXT PRIMARY KEY, tokens INTEGER NOT NULL, cost_usd REAL NOT NULL) STRICT;
  -- The usage of all conversations per day.
  CREATE TABLE usage_days (day TEXT PRIMARY KEY, tokens INTEGER NOT NULL, cost_usd REAL NOT NULL) STRICT;
  -- Circuit breakers that count over all runs. The ones of a stage are part of its run.
  CREATE TABLE breakers (scope TEXT PRIMARY KEY, state_json TEXT NOT NULL, changed_ms INTEGER NOT NULL) STRICT;
`;

/** The agents: prompts on their way to them, and what came from them. */
const AGENTS = `
  -- \`record_bytes\`: how far the own record of the CLI reached when the prompt was typed. \`told_ms\`: when the person who sent it
  -- heard what became of it.
  CREATE TABLE deliveries (
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
    done_ms INTEGER,
    record_conversation TEXT,
    record_bytes INTEGER,
    told_ms INTEGER
  ) STRICT;
  CREATE INDEX deliveries_by_worker ON deliveries (worker, seq);
  CREATE INDEX deliveries_by_state ON deliveries (worker, state, seq);
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
  -- The reports of one incarnation carry the secret with this hash.
  CREATE TABLE seals (worker TEXT PRIMARY KEY, incarnation INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  -- How far a worker without progress had climbed: the supervisor may end before a person is called.
  CREATE TABLE ladders (
    worker TEXT PRIMARY KEY,
    incarnation INTEGER NOT NULL,
    since_ms INTEGER NOT NULL,
    rungs INTEGER NOT NULL,
    asked_ms INTEGER NOT NULL
  ) STRICT;
  -- How long each worker had waited.
  CREATE TABLE clocks (worker TEXT PRIMARY KEY, clocks_json TEXT NOT NULL) STRICT;
  -- What agents said to people. Events are deleted with their incarnation, this is kept.
  CREATE TABLE said (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL UNIQUE,
    at_ms INTEGER NOT NULL,
    worker TEXT NOT NULL,
    task INTEGER,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
`;

/** Tasks, their answers, and the workers that the pool is making for them. */
const TASKS = `
  -- The tasks that people give, and what became of each.
  CREATE TABLE queue (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    place INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    prompt TEXT NOT NULL,
    expects TEXT NOT NULL,
    worker TEXT,
    agent TEXT,
    after TEXT NOT NULL,
    state TEXT NOT NULL,
    given_to TEXT,
    delivery TEXT,
    problem TEXT,
    created_ms INTEGER NOT NULL,
    given_ms INTEGER,
    ended_ms INTEGER,
    model TEXT
  ) STRICT;
  CREATE INDEX queue_waiting ON queue (priority DESC, place) WHERE state = 'waiting';
  CREATE INDEX queue_given ON queue (given_to) WHERE state = 'given';
  -- An answer stays when its worker has the next task.
  CREATE TABLE answers (
    id TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    number INTEGER,
    task TEXT,
    text TEXT NOT NULL,
    source TEXT NOT NULL,
    cut INTEGER NOT NULL,
    given_ms INTEGER NOT NULL,
    dismissed_ms INTEGER,
    rescue TEXT
  ) STRICT;
  CREATE INDEX answers_number ON answers (number);
  -- A kill in between must leave no worktree behind.
  CREATE TABLE pool_making (worker TEXT PRIMARY KEY, task INTEGER NOT NULL, agent TEXT NOT NULL, model TEXT) STRICT;
  -- The tasks that runs give to their workers.
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    run TEXT NOT NULL,
    worker TEXT NOT NULL,
    kind TEXT NOT NULL,
    base TEXT NOT NULL,
    expects TEXT NOT NULL,
    created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_run ON tasks (run);
  -- What became of them, until the run was told.
  CREATE TABLE task_reports (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    task TEXT NOT NULL REFERENCES tasks (id),
    run TEXT NOT NULL,
    worker TEXT NOT NULL,
    outcome TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    told_ms INTEGER
  ) STRICT;
  CREATE INDEX task_reports_untold ON task_reports (seq) WHERE told_ms IS NULL;
  CREATE INDEX task_reports_by_task ON task_reports (task, seq);
`;

/** From a review to main and back. */
const REVIEW = `
  -- What a person has written about work and not sent yet.
  CREATE TABLE drafts (
    id TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX drafts_by_worker ON drafts (worker, at_ms);
  -- What was sent back with which remarks.
  CREATE TABLE rejections (
    delivery TEXT PRIMARY KEY,
    worker TEXT NOT NULL,
    reviewed TEXT,
    feedback TEXT NOT NULL,
    notes TEXT NOT NULL,
    drafts TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX rejections_by_worker ON rejections (worker, at_ms);
  -- An intent before main moves, its outcome after. \`branch\`: where it lands if not on main.
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
    outcome TEXT,
    work TEXT,
    before TEXT,
    after_ms INTEGER,
    reported_ms INTEGER,
    branch TEXT,
    branch_before TEXT
  ) STRICT;
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
  -- Conflicting rebases that agents resolve.
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
    settled_ms INTEGER,
    rescue TEXT,
    ruled TEXT NOT NULL DEFAULT '[]',
    worktree_lost INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX resolutions_by_worker ON resolutions (worker, created_ms);
  -- What the validation commands said, by the files they ran on.
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
`;

/** Runs of workflows: what each is, what happened to it, and the actions that wait to be performed. */
const RUNS = `
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
  -- The plans that a run had before it went on with a changed workflow.
  CREATE TABLE run_plans (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id),
    digest TEXT NOT NULL,
    plan_json TEXT NOT NULL,
    until_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX run_plans_by_run ON run_plans (run, seq);
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
  -- The steps of items: hundreds of them, of which a decision changes a few.
  CREATE TABLE run_items (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id),
    address TEXT NOT NULL,
    step_json TEXT NOT NULL,
    UNIQUE (run, address)
  ) STRICT;
  -- Shell lines of a run: the process that runs them, so that they never run twice at a time, and their result, so that it is not
  -- lost.
  CREATE TABLE run_checks (
    action TEXT PRIMARY KEY,
    run TEXT NOT NULL,
    mark TEXT NOT NULL,
    pid INTEGER,
    started TEXT,
    result_json TEXT,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE run_history (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL REFERENCES runs (id),
    step TEXT,
    at_ms INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX run_history_by_run ON run_history (run, seq);
  CREATE TABLE run_questions (
    run TEXT NOT NULL REFERENCES runs (id),
    number INTEGER NOT NULL,
    question_json TEXT NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT;
  -- The attempts of operations that failed and were tried again.
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
    created_ms INTEGER NOT NULL,
    agent_states_json TEXT NOT NULL DEFAULT '[]',
    message_queue_json TEXT NOT NULL DEFAULT '{}',
    errors_json TEXT NOT NULL DEFAULT '[]',
    processed_messages_json TEXT NOT NULL DEFAULT '[]',
    recovery_attempts_json TEXT NOT NULL DEFAULT '[]'
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
    created_ms INTEGER NOT NULL,
    context_json TEXT NOT NULL DEFAULT '{}',
    outcome TEXT
  ) STRICT;
  CREATE INDEX error_log_by_run ON error_log (run, created_ms);
`;

/** Applied in order; the number of applied entries is the schema of the file. */
export const MIGRATIONS: readonly string[] = [[ROOT, AGENTS, TASKS, REVIEW, RUNS].join('')];
