import { openReadOnlyAnywhere } from '../../store/database.ts';
import type { Layout } from '../../store/layout.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import type { Worker } from '../../store/state.ts';
import { listTaskReports, type Outcome } from '../../store/tables/tasks.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { treeFiles } from '../../system/files/tree-files.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { agentPane, type Pane } from '../../terminal/panes.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { isCheckWorker } from '../../workflow/model/run-names.ts';
import { OUT_FOLDER, PROGRESS_FILE } from '../../workflow/next/values.ts';
import { stepOfTask } from '../../workflow/store/step-of-task.ts';
import type { Shell } from '../shell.ts';
import { type SessionState, sessionState } from './session-state.ts';

/** The names are part of the contract of `--json`. */
export interface SessionLine {
  readonly session: string;
  /** Null for a session that no worker has. */
  readonly worker: string | null;
  readonly run: string | null;
  readonly status: string | null;
  /** What the agent says in `progress.yaml`. */
  readonly tasks_done: number | null;
  readonly tasks_total: number | null;
  /** The file with the last screen of an agent that ended. */
  readonly output_file: string | null;
  readonly exit_code: number | null;
  readonly session_state: SessionState;
  /** By name; null for a session that no worker has. */
  readonly agent: string | null;
  /** The stage of the run that its agent has, or had last: `develop`, `write/s3`. */
  readonly step: string | null;
}

/** Checks the sessions of these workers, runs and session names, or of all workers, with one question to tmux. Needs no supervisor. */
export async function readSessions({ layout }: Pick<Shell, 'layout'>, names: readonly string[]): Promise<readonly SessionLine[]> {
  requireRoot(layout);
  const workers = Object.values(readStateLeniently(layout).workers).filter((worker) => !isCheckWorker(worker));
  const panes = await new Terminal(layout.tmuxSocket, systemProcesses).panes();
  const outcomes = lastTasks(layout, workers);
  const lineOf = (worker: Worker) => sessionLine(layout, worker, panes, outcomes.get(worker.name) ?? NO_TASK);
  if (names.length === 0) return await Promise.all(workers.map(lineOf));
  const lines: SessionLine[] = [];
  for (const name of names) {
    const meant = workers.filter((worker) => [worker.name, worker.session_id, worker.run?.id].includes(name));
    lines.push(...(meant.length === 0 ? [goneLine(name)] : await Promise.all(meant.map(lineOf))));
  }
  return lines;
}

async function sessionLine(
  layout: Layout,
  worker: Worker,
  panes: readonly Pane[] | undefined,
  { outcome, step }: LastTask,
): Promise<SessionLine> {
  const { session_id: session, name, run, status } = worker;
  const pane = panes === undefined ? null : agentPane(panes, session);
  const { state, exitCode, screen } = sessionState({ worker, pane, outcome });
  const progress = await readWorkerProgress(layout, name);
  return {
    session,
    worker: name,
    run: run?.id ?? null,
    status,
    tasks_done: progress?.done ?? null,
    tasks_total: progress?.total ?? null,
    output_file: screen,
    exit_code: exitCode,
    session_state: state,
    agent: worker.agent,
    step,
  };
}

/** A session that was there may have been that of an earlier try, or of a worker that was removed. */
function goneLine(session: string): SessionLine {
  return {
    session,
    worker: null,
    run: null,
    status: null,
    tasks_done: null,
    tasks_total: null,
    output_file: null,
    exit_code: null,
    session_state: 'not_found',
    agent: null,
    step: null,
  };
}

const LARGEST_FILE = 4_096;

async function readWorkerProgress(layout: Layout, worker: string): Promise<{ readonly done: number; readonly total: number } | null> {
  const path = `${OUT_FOLDER}/${PROGRESS_FILE}`;
  const text = await treeFiles.readBeneath(layout.worktree(worker), path, LARGEST_FILE).catch(() => undefined);
  if (text === undefined) return null;
  return (await import('../../workflow/perform/left/progress.ts')).readProgress(text);
}

interface LastTask {
  readonly outcome: Outcome | undefined;
  readonly step: string | null;
}

const NO_TASK: LastTask = { outcome: undefined, step: null };

/** The last task of each worker of a run. A root without a database has none. */
function lastTasks({ database: path }: Layout, workers: readonly Worker[]): ReadonlyMap<string, LastTask> {
  const tasks = workers.flatMap(({ name, run }) => (run?.task == null ? [] : [{ name, task: run.task.id }]));
  if (tasks.length === 0) return new Map();
  using database = openReadOnlyAnywhere(path);
  return new Map(
    tasks.map(({ name, task }) => [name, { outcome: listTaskReports(database, task).at(-1)?.outcome, step: stepOfTask(database, task) }]),
  );
}
