import { type ActivityKind, isAtStartup, openDialog } from '../../agents/activity.ts';
import type { WorkContext } from '../../workers/context.ts';
import { attentionReport, attentionText } from '../../workers/status/attention-text.ts';
import type { Fleet } from '../observe/fleet.ts';
import { chooseAttention } from '../report/attention.ts';
import { unwritableText } from '../report/unwritable-text.ts';

export interface Readiness {
  readonly worker: string;
  readonly ready: boolean;
  /** The worker's activity, or why it is not ready. */
  readonly says: string;
}

const POLL_MS = 50;
/** An agent that takes longer than this to start shows the reason on its screen. */
const PATIENCE_MS = 60_000;

const NOT_YET: readonly ActivityKind[] = ['starting', 'unknown', 'exited'];

/** Waits until every worker is ready or has reported why not. Workers of runs come and go: `llmc runs` reports about them. */
export async function readiness(context: WorkContext, fleet: Fleet): Promise<readonly Readiness[]> {
  const { clock, store, signal, layout } = context;
  const deadline = clock.now() + PATIENCE_MS;
  for (;;) {
    const lasting = Object.values(store.state.workers).filter(({ run }) => run === null);
    const answers = lasting.map((worker): Readiness | undefined => {
      const { name } = worker;
      if (fleet.unwritable !== undefined)
        return { worker: name, ready: false, says: unwritableText(fleet.unwritable, layout.root, clock.now()) };
      const watch = fleet.watchOf(name);
      const kind = watch?.assessment.activity.kind ?? 'unknown';
      const trouble = fleet.troubleOf(name) ?? (worker.status === 'error' ? worker.attention : undefined);
      if (trouble) return { worker: name, ready: false, says: attentionText(name, trouble) };
      if (worker.status === 'error') return { worker: name, ready: false, says: 'error' };
      const dialog = openDialog(watch?.assessment.activity);
      const { attention: says } = attentionReport(name, chooseAttention(worker, watch?.assessment));
      // llmc answers a start-up dialog for the person, unless the configuration leaves it to them.
      if (dialog !== undefined && says !== null && (!isAtStartup(dialog) || watch?.startupDialog.reported !== undefined))
        return { worker: name, ready: false, says };
      if (kind === 'unknown' && watch?.assessment.source === 'screen' && says !== null) return { worker: name, ready: false, says };
      if (dialog === undefined && !NOT_YET.includes(kind)) return { worker: name, ready: true, says: kind };
      return clock.now() < deadline ? undefined : { worker: name, ready: false, says: `still ${kind} after ${PATIENCE_MS / 1_000} s` };
    });
    const settled = answers.filter((each) => each !== undefined);
    if (settled.length === answers.length || signal.aborted) return settled;
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
  }
}
