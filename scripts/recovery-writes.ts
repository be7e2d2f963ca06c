/** A kind of write, what a refusal of the system does to it, and the test that shows it. */
export interface WriteKind {
  readonly write: string;
  readonly happens: string;
  readonly test: { readonly file: string; readonly name: string };
}

const LOOP = { file: 'src/supervisor/loop-refused.test.ts', name: 'while nothing can be written the loop waits with growing pauses' };
const FULL = { file: 'src/system/refused-writes.test.ts', name: 'on a full disk every write of a file says so' };

/** Every kind of write of llmc. `test/repo/write-kinds.test.ts` checks that the named tests exist. */
export const WRITE_KINDS: readonly WriteKind[] = [
  {
    write: 'a decision of the supervisor: a row of `llmc.db`',
    happens: 'nothing of it is written and nothing follows from it; the supervisor waits and decides again',
    test: LOOP,
  },
  {
    write: 'the change of a command: a row of `llmc.db`',
    happens: 'nothing is changed; the command fails with what to type. A prompt is refused at once while the supervisor waits',
    test: { file: 'src/store/database.test.ts', name: 'a full disk is called one, nothing is written' },
  },
  {
    write: '`llmc.db`, while another program has locked it',
    happens: 'the first write waits 5 s, the next ones 50 ms until one succeeds',
    test: { file: 'src/store/database.test.ts', name: 'a database that another program has locked is an error' },
  },
  {
    write: '`state.json`',
    happens: 'the record in `llmc.db` has the change; the old file stays, and the next pass writes it',
    test: { file: 'src/store/store.test.ts', name: 'whose file cannot be written is kept by the database' },
  },
  {
    write: 'the files an agent starts with, `owner.json`, results of the canary',
    happens: 'the old file stays whole; the agent is not started before they can be written',
    test: FULL,
  },
  {
    write: 'logs and the recovery log',
    happens: 'the line is left out, never half of it; the history in `llmc.db` has it',
    test: FULL,
  },
  {
    write: 'the last screen of an agent that ended',
    happens: 'it is left out; the history has its text',
    test: { file: 'src/supervisor/launch/last-words.test.ts', name: 'a screen that cannot be written stops nothing' },
  },
  {
    write: 'an hourly copy of `llmc.db`',
    happens: 'no copy is made, the older ones stay, and the next round tries again',
    test: { file: 'src/store/copies.test.ts', name: 'a copy on a full disk fails' },
  },
  { write: 'the archive of `llmc report`', happens: 'the file that was begun is removed; the command fails', test: FULL },
  {
    write: 'a report of an agent: the file that its hook writes',
    happens: 'the report is lost; llmc reads the transcript and the screen in its place',
    test: { file: 'test/live/delivery-disk.test.ts', name: 'a full disk of the spool keeps hooks from reporting' },
  },
  {
    write: 'a rescue, a worktree, a commit or a rebase: git',
    happens: 'git fails before llmc removes or moves anything; an agent is not ended for work that cannot be saved',
    test: { file: 'src/workers/reset-worker.test.ts', name: 'a disk too full to save the work leaves the agent running' },
  },
  {
    write: 'the lock of the root',
    happens: '`llmc up` and the commands without a supervisor fail with what to type; nothing is begun',
    test: { file: 'src/system/lock.test.ts', name: 'a lock on a full disk is an error with a command that helps' },
  },
  {
    write: 'a new connection, or a program to start: too many open files',
    happens: 'the supervisor gives up its reserve of 16 files, answers callers and starts no program until there are more',
    test: { file: 'src/supervisor/observe/write-watch.test.ts', name: 'with too many open files each pass notices it' },
  },
  {
    write: 'the sign of life',
    happens: 'it is the trial that finds all of this; a watchdog of a service is fed meanwhile',
    test: { file: 'src/supervisor/observe/write-watch.test.ts', name: 'on a full disk the loop waits' },
  },
];

/** The chapter of docs/recovery.md. */
export function writesChapter(): string {
  const rows = WRITE_KINDS.map(({ write, happens }) => `| ${write} | ${happens} |`);
  return `## When nothing can be written

The disk is full, its file system became read-only, another program has locked \`llmc.db\`, or too many files are open. The supervisor
[waits and continues by itself](supervisor.md#when-nothing-can-be-written); the agents keep running. The same holds for each kind of refusal:

| the write | what happens |
|---|---|
${rows.join('\n')}
`;
}
