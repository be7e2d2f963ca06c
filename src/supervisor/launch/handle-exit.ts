import type { Activity } from '../../agents/activity.ts';
import type { Attention } from '../../store/attention.ts';
import { nextDelivery, updateDelivery } from '../../store/deliveries.ts';
import { trySignal } from '../../system/processes/signal.ts';
import type { WorkContext } from '../../workers/context.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { oneMoreCrash } from '../../workers/status/crashes.ts';
import type { Watch } from '../observe/watch.ts';
import { adoptAgent } from './adopt-agent.ts';
import { canResume } from './can-resume.ts';
import { decideExit } from './decide-exit.ts';
import { launch } from './launch.ts';
import { planLaunch } from './launch-plan.ts';
import { queueContinue } from './resume.ts';

const POLICY = { maxCrashes: 3, stillbornMs: 5_000 };
const LOOKS_TO_CONFIRM = 2;
/** About five seconds. tmux is the parent of the process, and the number may have gone to another one. */
const LOOKS_TO_BELIEVE_TMUX = 40;

export async function handleExit(context: WorkContext, watch: Watch, activity: Extract<Activity, { kind: 'exited' }>): Promise<boolean> {
  const { store, clock } = context;
  if (store.worker(watch.name).status === 'error') return false;
  const config = await context.config();
  const worker = adoptAgent(context, config, watch.name);
  watch.goneLooks += 1;
  const now = clock.now();
  const confirmed = isConfirmed(watch);
  const resumable = canResume(worker, config);
  const step = decideExit(
    { worker, resumable, activity, livedMs: now - watch.launchedAt, wasResumed: watch.resumed, confirmed, counted: watch.endCounted },
    POLICY,
    now,
  );
  switch (step.kind) {
    case 'wait':
      return true;
    case 'fail':
      commitMove(context, watch.name, 'failed', {
        why: step.why,
        details: lastScreen(watch),
        fields: (record) => ({
          ...oneMoreCrash(record, now),
          attention: { kind: 'crashed', endings: POLICY.maxCrashes },
        }),
        rows: (database) => {
          const waiting = nextDelivery(database, watch.name);
          if (waiting?.state === 'queued') updateDelivery(database, waiting.id, { state: 'held', reason: { kind: 'not_running' } });
        },
      });
      watch.endCounted = true;
      return true;
    case 'rest':
      if (!step.called) leaveAlone(context, watch, step.why);
      return false;
    case 'relaunch':
      // Refused before anything is written: a launch that cannot work is told once and tried again later.
      planLaunch(context.layout, config, worker, worker.incarnation + 1, { kind: 'fresh', id: '' });
      store.commit({
        worker: watch.name,
        kind: 'exit',
        summary: `the agent ended (${watch.assessment.rule}): ${step.why}`,
        details: lastScreen(watch),
      });
      if (step.goOn) await queueContinue(context, watch, step.conversation);
      await launch(context, watch, { conversation: step.conversation, why: step.why, crashed: step.countsAsCrash });
      return true;
  }
}

/** The work stays where a person can review it. Whatever they decide starts the agent again. */
function leaveAlone({ store, clock }: WorkContext, watch: Watch, why: string): void {
  const { name } = watch;
  store.changeWorker(name, {
    kind: 'exit',
    summary: `left without an agent until its work is decided on: ${why}`,
    details: lastScreen(watch),
    change: (worker) => {
      const attention: Attention = { kind: 'review_without_agent', endings: POLICY.maxCrashes };
      Object.assign(worker, oneMoreCrash(worker, clock.now()), { attention });
    },
  });
  watch.endCounted = true;
}

/** By two witnesses: tmux, at two looks, and the system's own list of processes. */
function isConfirmed({ goneLooks, pid }: Watch): boolean {
  const processLives = pid !== undefined && trySignal(pid, 0);
  return goneLooks >= (processLives ? LOOKS_TO_BELIEVE_TMUX : LOOKS_TO_CONFIRM);
}

function lastScreen(watch: Watch): string {
  return (watch.look?.screen.lines ?? []).join('\n').trim();
}
