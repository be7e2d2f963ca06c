import type { StatusReport } from '../../supervisor/report/status-report.ts';
import type { Event } from '../../tui/model/event.ts';
import type { ListedRun } from '../../tui/model/item.ts';
import type { QuestionView, RunLine } from '../../workflow/view/run-view.ts';
import type { Shell } from '../shell.ts';

/** Adds to the runs of a report what they ask. Reads the database only for runs that wait for a person. */
export class RunsFeed {
  readonly #shell: Shell;
  readonly #dispatch: (event: Event) => void;
  #last: StatusReport['runs'] = [];

  constructor(shell: Shell, dispatch: (event: Event) => void) {
    this.#shell = shell;
    this.#dispatch = dispatch;
  }

  async read({ runs }: StatusReport): Promise<void> {
    if (runs === this.#last || (runs.length === 0 && this.#last.length === 0)) return;
    this.#last = runs;
    const listed = await Promise.all(runs.map(async (run): Promise<ListedRun> => ({ ...run, questions: await this.#questionsOf(run) })));
    // A later report may have been read faster.
    if (this.#last === runs) this.#dispatch({ kind: 'runs', root: this.#shell.root, runs: listed });
  }

  async #questionsOf({ id, waiting_kind }: RunLine): Promise<readonly QuestionView[]> {
    if (waiting_kind !== 'person') return [];
    const { readRunView } = await import('../runs/read-runs.ts');
    const view = await readRunView(this.#shell, id).catch(() => undefined);
    return view?.questions ?? [];
  }
}
