import { describeError } from '../base/error.ts';
import { decidePatrol, type PatrolFinding, type PatrolKind, type PatrolView } from '../recovery/decide-patrol.ts';
import { patrolText } from '../recovery/patrol-text.ts';
import { keepCopy } from '../store/copies.ts';
import { pruneAnswers } from '../store/tables/answers.ts';
import { nextState, pruneDeliveries } from '../store/tables/deliveries.ts';
import { pruneHistory } from '../store/tables/history.ts';
import { lastPatrol, recordPatrol } from '../store/tables/patrols.ts';
import { pruneQueue } from '../store/tables/queue.ts';
import { pruneSaid } from '../store/tables/said.ts';
import type { WorkContext } from '../workers/context.ts';
import { refreshReviews } from '../workers/landing/refresh-pending-reviews.ts';
import { resolver } from '../workers/rebase/resolve-conflict.ts';
import { isAtWork } from '../workers/status/transitions.ts';
import { keepConnections } from '../workers/worktree/keep-connections.ts';
import type { Fleet } from './observe/fleet.ts';
import { paneState } from './observe/tmux-watch.ts';
import type { Watch } from './observe/watch.ts';

/**
 * The slow round beside the quick passes. It looks for what they overlooked (missing and forgotten sessions, turns that have ended,
 * agents without progress), puts back what agents changed in the root's `.git`, and rebases work that waits for review onto the newest
 * main, also when another person moved main. Rounds never overlap, and a suspended laptop costs one round, not one per minute: each
 * waits for the end of the one before. The next round tries again what failed in this one.
 */
export async function patrol(context: WorkContext, fleet: Fleet, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { defaults } = await context.config().catch(() => ({ defaults: { patrolIntervalSecs: 60 } }));
    await context.clock.sleep(defaults.patrolIntervalSecs * 1_000, signal).catch(() => undefined);
    if (signal.aborted) return;
    // The loop reports it, and the next round finds what this one would have found.
    if (fleet.unwritable !== undefined) continue;
    await patrolOnce(context, fleet).catch((error: unknown) => context.say(`Patrol: ${describeError(error)}`));
    await keepCopy(context.layout, context).catch((error: unknown) => context.say(`llmc.db was not copied: ${describeError(error)}`));
  }
}

/** One round, with its report in the history and for `llmc why`. A failure of one worker does not keep the others from being checked. */
export async function patrolOnce(context: WorkContext, fleet: Fleet): Promise<void> {
  const { clock } = context;
  const begun = clock.now();
  const unchecked: string[] = [];
  const views = Object.keys(context.store.state.workers).flatMap((name) => {
    try {
      return collectView(context, fleet, name);
    } catch (error) {
      context.say(`Patrol: ${name}: ${describeError(error)}`);
      unchecked.push(name);
      return [];
    }
  });
  const overlooked = decidePatrol(views);
  for (const { kind, workers } of overlooked) for (const name of workers) act(fleet, kind, name);
  await keepConnections(context);
  const { rebased, failed } = await refreshReviews(context, { signal: context.signal, onConflict: resolver(context, 'patrol') });
  const rest: readonly PatrolFinding[] = [
    { kind: 'rebased', workers: rebased },
    { kind: 'not_refreshed', workers: failed },
    { kind: 'not_checked', workers: unchecked },
  ];
  report(context, [...overlooked, ...rest.filter(({ workers }) => workers.length > 0)], clock.now() - begun);
}

function act(fleet: Fleet, kind: PatrolKind, name: string): void {
  if (kind === 'session_restored') fleet.adopt(name);
  else fleet.wake(name);
}

function collectView({ store, locks, clock }: WorkContext, fleet: Fleet, name: string): PatrolView {
  const { status } = store.worker(name);
  const watch = fleet.watchOf(name);
  const now = clock.now();
  const state = watch === undefined ? 'unknown' : paneState(watch.tmux.pane);
  const givenUp = status === 'error' || (status === 'needs_review' && watch?.exit.counted === true);
  return {
    name,
    busy: locks.isLocked(name) || watch === undefined,
    offline: status === 'offline',
    expected: status !== 'offline' && !givenUp,
    session: state === 'dead' ? 'gone' : state,
    goneMs: watch?.tmux.ended === undefined ? 0 : now - watch.tmux.ended.since,
    readyMs: isAtWork(status) && nextState(store.database, name) === undefined ? readyFor(watch, now) : undefined,
    stuck: watch?.stuck !== undefined,
  };
}

function readyFor(watch: Watch | undefined, now: number): number | undefined {
  return watch?.assessment.activity.kind === 'ready' ? now - watch.assessment.since : undefined;
}

/** What was done is always news; what was found again is counted in the row of the first time. */
const DONE: readonly PatrolKind[] = ['rebased', 'session_missing', 'session_restored', 'turn_over'];

function report({ store, clock }: WorkContext, findings: readonly PatrolFinding[], tookMs: number): void {
  const text = JSON.stringify(findings);
  const repeats = !findings.some(({ kind }) => DONE.includes(kind)) && lastPatrol(store.database)?.findings === text;
  const at = clock.now();
  store.commit({
    worker: null,
    kind: 'patrol',
    summary: patrolText(findings),
    silent: repeats,
    rows: (database) => {
      recordPatrol(database, { at, tookMs, findings: text }, repeats);
      pruneHistory(database);
      pruneDeliveries(database);
      pruneSaid(database);
      pruneQueue(database);
      pruneAnswers(
        database,
        Object.values(store.state.workers).flatMap(({ answer }) => answer ?? []),
      );
    },
    state: (draft) => {
      draft.patrol_last_run_unix = Math.floor(at / 1_000);
    },
  });
}
