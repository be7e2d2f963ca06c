import type { Activity } from '../../agents/activity.ts';
import { judgeExitOutput } from '../../agents/exit-output.ts';
import { formatAge } from '../../base/duration.ts';
import type { Instant } from '../../base/ports.ts';
import { crashesInARow, oneMoreCrash } from '../../recovery/crashes.ts';
import { decideExit, type ExitStep } from '../../recovery/decide-exit.ts';
import type { Attention } from '../../store/attention.ts';
import { holdForAgent, typedDeliveries } from '../../store/tables/deliveries.ts';
import { loadAgent, type WorkContext } from '../../workers/context.ts';
import { exitPolicy } from '../../workers/recovery-policy.ts';
import { commitMove } from '../../workers/status/commit-move.ts';
import { isResuming, type Watch, wasReady } from '../observe/watch.ts';
import { adoptAgent } from './adopt-agent.ts';
import { canResume } from './can-resume.ts';
import { lastWords, saveScreen } from './last-words.ts';
import { relaunch } from './relaunch.ts';

const PASSES_TO_CONFIRM = 2;
/** tmux is the parent of the process, and another process may have the same number by now. */
const BELIEVE_TMUX_AFTER_MS = 5_000;

export async function handleExit(context: WorkContext, watch: Watch, activity: Exited): Promise<boolean> {
  const { store, clock, random } = context;
  if (store.worker(watch.name).status === 'error') return false;
  if (waitsForRestart(watch, clock.now())) return false;
  const config = await context.config();
  const worker = adoptAgent(context, config, watch.name);
  const now = clock.now();
  const confirmed = isConfirmed(context, watch, now);
  const words = confirmed && !watch.exit.counted ? await lastWords(context, watch) : '';
  const agent = loadAgent(config, worker.agent);
  const refusals = wasReady(watch) ? undefined : (agent.refusals ?? []);
  const policy = exitPolicy(config);
  const step = decideExit(
    {
      worker,
      resumable: canResume(context, worker, config),
      activity,
      confirmed,
      ...watch.exit,
      livedMs: now - watch.life.launchedAt,
      tookPrompt: agent.plain !== undefined && tookPrompt(context, watch),
      resuming: isResuming(watch),
      resumeExits: worker.resume_exits,
      output: judgeExitOutput(words.split('\n'), activity.status, refusals),
      chance: random.next(),
    },
    policy,
    now,
  );
  switch (step.kind) {
    case 'wait':
      return true;
    case 'delay':
      watch.exit = { ...watch.exit, restartAt: step.until };
      store.commit({
        worker: watch.name,
        kind: 'exit',
        summary: `the agent ended (${watch.assessment.rule}); it starts again in ${formatAge(step.until - now)}: ${step.why}`,
        rows: (database) => holdForAgent(database, watch.name),
      });
      return false;
    case 'fail':
      giveUp(context, watch, step, words, attentionFor(step, activity, crashesInARow(worker, now) + 1));
      return true;
    case 'rest':
      if (!step.called) leaveAlone(context, watch, step.why, words, crashesInARow(worker, now) + 1);
      return false;
    case 'relaunch': {
      const screen = step.countsAsCrash ? saveScreen(context, watch.name, words) : undefined;
      await relaunch(context, watch, {
        why: step.why,
        conversation: step.conversation,
        goOn: step.goOn,
        crashed: step.countsAsCrash,
        resumeExit: step.resumeExit,
        record: () =>
          store.commit({
            worker: watch.name,
            kind: 'exit',
            summary: `the agent ended (${watch.assessment.rule}): ${step.why}${screen === undefined ? '' : `; its last screen: ${screen}`}`,
            details: words,
          }),
      });
      return true;
    }
  }
}

function tookPrompt({ store }: WorkContext, { name, life }: Watch): boolean {
  return typedDeliveries(store.database, name, 1)[0]?.incarnation === life.incarnation;
}

type Exited = Extract<Activity, { kind: 'exited' }>;
type Failed = Extract<ExitStep, { kind: 'fail' }>;

function attentionFor(
  { cause }: Failed,
  { how }: Exited,
  endings: number,
): Extract<Attention, { kind: 'crashed' | 'not_found' | 'cannot_start' }> {
  if (cause !== undefined) return { kind: 'cannot_start', cause };
  return { kind: how === 'not_found' ? 'not_found' : 'crashed', endings };
}

function giveUp(context: WorkContext, watch: Watch, { why }: Failed, words: string, attention: ReturnType<typeof attentionFor>): void {
  const screen = saveScreen(context, watch.name, words);
  commitMove(context, watch.name, 'failed', {
    why,
    details: words,
    fields: (record) => ({
      ...oneMoreCrash(record, context.clock.now()),
      attention: { ...attention, ...(screen !== undefined && { screen }) },
    }),
    rows: (database) => holdForAgent(database, watch.name),
  });
  watch.exit = { counted: true, restartAt: undefined };
}

/** Passes come eight times a second meanwhile, and tmux need not be asked in each. A clock that was set back ends the wait. */
function waitsForRestart(watch: Watch, now: Instant): boolean {
  const { restartAt, counted } = watch.exit;
  if (restartAt === undefined || now >= restartAt) return false;
  if (now >= (watch.tmux.ended?.since ?? 0)) return true;
  watch.exit = { counted, restartAt: now };
  return false;
}

/** The work stays where a person can review it. Every decision of theirs starts the agent again. */
function leaveAlone({ store, clock }: WorkContext, watch: Watch, why: string, details: string, endings: number): void {
  const { name } = watch;
  store.changeWorker(name, {
    kind: 'exit',
    summary: `left without an agent until a person reviews its work: ${why}`,
    details,
    change: (worker) => {
      const attention: Attention = { kind: 'review_without_agent', endings };
      Object.assign(worker, oneMoreCrash(worker, clock.now()), { attention });
    },
  });
  watch.exit = { counted: true, restartAt: undefined };
}

/** The end needs two kinds of evidence: tmux, in two passes, and the system's own list of processes. */
export function isConfirmed({ signals }: WorkContext, { tmux: { ended, pid } }: Watch, now: Instant): boolean {
  if (ended === undefined) return false;
  const processLives = pid !== undefined && signals.isAlive(pid);
  return processLives ? now - ended.since >= BELIEVE_TMUX_AFTER_MS : ended.passes >= PASSES_TO_CONFIRM;
}
