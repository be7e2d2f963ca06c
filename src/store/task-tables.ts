/** What runs gave to their workers, and what became of it. A migration: never change it. */
export const TASK_TABLES = `
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

/** The tasks that people give, and what became of each. A migration: never change it. */
export const QUEUE_TABLES = `
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
    ended_ms INTEGER
  ) STRICT;
  CREATE INDEX queue_waiting ON queue (priority DESC, place) WHERE state = 'waiting';
  CREATE INDEX queue_given ON queue (given_to) WHERE state = 'given';
`;

/** What agents said to people. Their events are deleted with their incarnations and workers, these are kept. A migration: never change it. */
export const SAID_TABLE = `
  CREATE TABLE said (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL UNIQUE,
    at_ms INTEGER NOT NULL,
    worker TEXT NOT NULL,
    task INTEGER,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  INSERT INTO said (event, at_ms, worker, kind, text)
    SELECT id, at_ms, worker, 'answer', json_extract(event, '$.message') FROM events
    WHERE fate = 'applied' AND json_extract(event, '$.kind') = 'turn_ended' AND coalesce(json_extract(event, '$.message'), '') <> '' ORDER BY seq;
`;

/** What tasks that end in an answer ended in. An answer stays when its worker has the next task. A migration: never change it. */
export const ANSWER_TABLE = `
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
`;
