import { describeError } from '../../base/error.ts';
import { jsonText, visibleLine, visibleText } from '../../base/visible-text.ts';
import { readStatus } from '../../git/inspect.ts';
import type { HistoryEntry } from '../../store/tables/history.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';

/** The kinds of history entries that record what llmc did about a failure. */
const RECOVERY_KINDS: readonly string[] = [
  'exit',
  'launch',
  'stuck',
  'failed_turn',
  'limit',
  'repair',
  'rescue',
  'tampering',
  'terminal',
  'trouble',
];

const LARGEST_LOG = 5 * 1024 * 1024;
const SCREEN_LINES = 12;
const MOST_PATHS = 20;
/** Fewer than the failures of a large fleet at once; further entries are written without git. */
const MOST_WAITING = 50;
const GIT_PATIENCE_MS = 5_000;

type GitState =
  | { readonly head: string | null; readonly branch: string | null; readonly changes: readonly string[]; readonly more: number }
  | { readonly unread: string };

type LogContext = Pick<WorkContext, 'store' | 'git' | 'clock' | 'files' | 'layout' | 'signal'>;

/** Writes a JSON line for each recovery action, with the end of the screen and the git status of its worker. */
export class RecoveryLog {
  readonly #context: LogContext;
  readonly #watchOf: (name: string) => Watch | undefined;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(context: LogContext, watchOf: (name: string) => Watch | undefined) {
    this.#context = context;
    this.#watchOf = watchOf;
    context.store.onCommit((entry) => this.#record(entry));
  }

  /** Resolves once every line is written: soon after the signal, because the rest is written without git then. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #record(entry: HistoryEntry): void {
    if (!this.#isRecovery(entry)) return;
    // The screen of this moment: the next launch clears it.
    const screen = this.#screenOf(entry);
    this.#waiting += 1;
    const isCrowded = this.#waiting > MOST_WAITING;
    this.#last = this.#last.then(async () => {
      const git = isCrowded ? { unread: 'too many recoveries at once' } : await this.#gitOf(entry.worker);
      this.#waiting -= 1;
      this.#write(entry, screen, git);
    });
  }

  /** A worker that a decision moved to `error` was given up. One that starts with the supervisor after `llmc down` has not failed. */
  #isRecovery({ kind, worker, recovers }: HistoryEntry): boolean {
    if (recovers === true) return true;
    const { workers } = this.#context.store.state;
    const status = worker !== null && Object.hasOwn(workers, worker) ? workers[worker]?.status : undefined;
    if (kind === 'status') return status === 'error';
    return RECOVERY_KINDS.includes(kind) && !(kind === 'launch' && status === 'offline');
  }

  #screenOf({ worker, details }: HistoryEntry): readonly string[] {
    const lines = details?.split('\n') ?? (worker === null ? [] : (this.#watchOf(worker)?.screen.capture?.screen.lines ?? []));
    return lines
      .filter((line) => line.trim() !== '')
      .slice(-SCREEN_LINES)
      .map(visibleText);
  }

  async #gitOf(worker: string | null): Promise<GitState | null> {
    const { store, git, clock, signal } = this.#context;
    if (worker === null || !Object.hasOwn(store.state.workers, worker)) return null;
    if (signal.aborted) return { unread: 'the supervisor is stopping' };
    const over = new AbortController();
    const late = clock.sleep(GIT_PATIENCE_MS, AbortSignal.any([over.signal, signal])).catch(() => undefined);
    try {
      const status = await Promise.race([readStatus(git, store.worker(worker).worktree_path), late]);
      if (status === undefined) return { unread: 'git did not answer in time' };
      const paths = status.changes.map(({ kind, path }) => visibleLine(`${kind} ${path}`));
      return {
        head: status.head ?? null,
        branch: status.branch ?? null,
        changes: paths.slice(0, MOST_PATHS),
        more: Math.max(0, paths.length - MOST_PATHS),
      };
    } catch (error) {
      return { unread: describeError(error) };
    } finally {
      over.abort();
    }
  }

  #write({ at, worker, kind, summary }: HistoryEntry, screen: readonly string[], git: GitState | null): void {
    const { layout, files } = this.#context;
    const path = layout.recoveryLog;
    try {
      if (files.size(path) > LARGEST_LOG) files.rename(path, `${path}.1`);
      files.append(path, `${jsonText({ time: new Date(at).toISOString(), worker, kind, summary, screen, git })}\n`);
    } catch {
      // The database has the entry, so a log that cannot be written must not stop the work.
    }
  }
}
