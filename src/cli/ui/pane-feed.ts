import { toKnownError } from '../../base/known-error.ts';
import type { Event } from '../../tui/model/event.ts';
import { keepsWork, paneSize } from '../../tui/model/pane.ts';
import { selectedIn, type View } from '../../tui/model/view.ts';
import type { Shell } from '../shell.ts';
import { ViewShell } from './view-shell.ts';
import type { PaneSource, Wanted } from './wanted.ts';

/** The work of an agent changes often; git is not asked more often than this. */
const RELOAD_MS = 1_500;

/** The view starts without what only the pane needs. */
const loadLater = async (wanted: Wanted, source: PaneSource): Promise<void> =>
  await (await import('./load-pane.ts')).loadPane(wanted, source);

/** Keeps the pane of the view supplied: loads it when the selection or the tab changes, and again when the worker has changed. */
export class PaneFeed {
  readonly #shellOf: (root: string) => Shell;
  readonly #dispatch: (event: Event) => void;
  #place = '';
  #version = '';
  #loading = new AbortController();
  #loadedAt = 0;
  #reload: NodeJS.Timeout | undefined;

  readonly #loadPane: (wanted: Wanted, source: PaneSource) => Promise<void>;

  constructor(shellOf: (root: string) => Shell, dispatch: (event: Event) => void, load = loadLater) {
    this.#loadPane = load;
    this.#shellOf = shellOf;
    this.#dispatch = dispatch;
  }

  want(view: View): void {
    const item = selectedIn(view);
    if (item === undefined) return this.stop();
    const wanted = { item, tab: view.tab, size: paneSize(view), ignoreWhitespace: view.ignoresWhitespace, withEvidence: view.withEvidence };
    const place = [
      item.key,
      view.tab,
      view.ignoresWhitespace,
      view.withEvidence,
      view.reloads,
      followsSize(wanted) ? Object.values(wanted.size) : '',
    ].join('|');
    // A screen follows the agent by itself. The rest may have failed without a supervisor or with a broken config.toml.
    const root = view.roots.find((each) => each.root === item.root);
    const causes = JSON.stringify([root?.lost === undefined, root?.report?.problems]);
    const version = followsSize(wanted) ? '' : `${causes} ${nameVersion(wanted)}`;
    if (place === this.#place && (version === this.#version || keepsWork(view))) return;
    const wait = place === this.#place ? Math.max(0, this.#loadedAt + RELOAD_MS - performance.now()) : 0;
    this.#version = version;
    clearTimeout(this.#reload);
    if (place !== this.#place || wait === 0) this.#begin(place, wanted);
    else this.#reload = setTimeout(() => this.#begin(place, wanted), wait);
  }

  stop(): void {
    clearTimeout(this.#reload);
    this.#loading.abort();
    this.#place = '';
  }

  #begin(place: string, wanted: Wanted): void {
    const isNew = place !== this.#place;
    this.#place = place;
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const { key: of } = wanted.item;
    const dispatch = (event: Event) => {
      if (!signal.aborted) this.#dispatch(event);
    };
    if (isNew) setImmediate(() => dispatch({ kind: 'pane', of, tab: wanted.tab, content: { kind: 'loading' } }));
    void this.#load(wanted, { shell: new ViewShell(this.#shellOf(wanted.item.root).options), dispatch, signal });
  }

  async #load(wanted: Wanted, source: PaneSource): Promise<void> {
    const { item, tab } = wanted;
    try {
      await this.#loadPane(wanted, source);
    } catch (error) {
      const { message, hint } = toKnownError(error);
      source.dispatch({
        kind: 'pane',
        of: item.key,
        tab,
        content: { kind: 'failed', text: message, hint: hint && source.shell.atRoot(hint) },
      });
    } finally {
      this.#loadedAt = performance.now();
    }
  }
}

/** A screen is cut to the pane; the rest is drawn for any size. */
function followsSize({ item, tab }: Wanted): boolean {
  return item.kind === 'worker' && tab === 'screen';
}

/** Changes when the content may have changed. */
function nameVersion({ item, tab }: Wanted): string {
  if (item.kind !== 'worker') return JSON.stringify(item.kind === 'run' ? item.run : item.question);
  const { status, commit_sha, last_activity_unix, attention, attention_kind, activity, current_prompt, draft_comments, draft_message } =
    item.worker;
  // A review waits for the lock of the landing; the work as it is does not.
  const work = [status, commit_sha, last_activity_unix, current_prompt, attention_kind === 'landing'];
  return JSON.stringify(
    tab === 'diff' ? [...work, draft_comments, draft_message] : [...work, attention, activity.kind, activity.since_unix],
  );
}
