import type { Activity } from '../../agents/activity.ts';
import type { Instant } from '../../base/ports.ts';
import { MAX_CRASHES, oneMoreCrash } from '../../recovery/crashes.ts';
import { decideExit } from '../../recovery/decide-exit.ts';
import type { Attention } from '../../store/attention.ts';
import { nextDelivery, updateDelivery } from '../../store/tables/deliveries.ts';
import type { WorkContext } from '../../workers/context.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { type Watch, wasReady } from '../observe/watch.ts';
import { adoptAgent } from './adopt-agent.ts';
import { canResume } from './can-resume.ts';
import { lastWords } from './last-words.ts';
import { relaunch } from './relaunch.ts';

const POLICY = { maxCrashes: MAX_CRASHES, stillbornMs: 5_000 };
const PASSES_TO_CONFIRM = 2;
/** tmux is the parent of the process, and another process may have the same number by now. */
const BELIEVE_TMUX_AFTER_MS = 5_000;

export async function handleExit(context: WorkContext, watch: Watch, activity: Extract<Activity, { kind: 'exited' }>): Promise<boolean> {
  const { store, clock } = context;
  if (store.worker(watch.name).status === 'error') return false;
  const config = await context.config();
  const worker = adoptAgent(context, config, watch.name);
  const now = clock.now();
  const confirmed = isConfirmed(context, watch, now);
  const resumable = canResume(context, worker, config);
  const step = decideExit(
    {
      ...{ worker, resumable, activity, confirmed, counted: watch.exit.counted },
      ...{ livedMs: now - watch.life.launchedAt, resumeFailed: watch.life.resumed && !wasReady(watch) },
    },
    POLICY,
    now,
  );
  switch (step.kind) {
    case 'wait':
      return true;
    case 'fail':
      commitMove(context, watch.name, 'failed', {
        why: step.why,
        details: await lastWords(context, watch),
        fields: (record) => ({
          ...oneMoreCrash(record, now),
          attention: { kind: 'crashed', endings: POLICY.maxCrashes },
        }),
        rows: (database) => {
          const waiting = nextDelivery(database, watch.name);
          const open = waiting?.state === 'queued' || waiting?.state === 'held';
          if (open) updateDelivery(database, waiting.id, { state: 'held', reason: { kind: 'not_running' } });
        },
      });
      watch.exit = { counted: true };
      return true;
    case 'rest':
      if (!step.called) leaveAlone(context, watch, step.why, await lastWords(context, watch));
      return false;
    case 'relaunch': {
      const words = await lastWords(context, watch);
      await relaunch(context, watch, {
        ...{ why: step.why, conversation: step.conversation, goOn: step.goOn, crashed: step.countsAsCrash },
        record: () =>
          store.commit({
            worker: watch.name,
            kind: 'exit',
            summary: `the agent ended (${watch.assessment.rule}): ${step.why}`,
            details: words,
          }),
      });
      return true;
    }
  }
}

/** The work stays where a person can review it. Every decision of theirs starts the agent again. */
function leaveAlone({ store, clock }: WorkContext, watch: Watch, why: string, details: string): void {
  const { name } = watch;
  store.changeWorker(name, {
    kind: 'exit',
    summary: `left without an agent until a person reviews its work: ${why}`,
    details,
    change: (worker) => {
      const attention: Attention = { kind: 'review_without_agent', endings: POLICY.maxCrashes };
      Object.assign(worker, oneMoreCrash(worker, clock.now()), { attention });
    },
  });
  watch.exit = { counted: true };
}

/** The end needs two kinds of evidence: tmux, in two passes, and the system's own list of processes. */
function isConfirmed({ signals }: WorkContext, { tmux: { ended, pid } }: Watch, now: Instant): boolean {
  if (ended === undefined) return false;
  const processLives = pid !== undefined && signals.isAlive(pid);
  return processLives ? now - ended.since >= BELIEVE_TMUX_AFTER_MS : ended.passes >= PASSES_TO_CONFIRM;
}
