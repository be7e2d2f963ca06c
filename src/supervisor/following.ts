import { isDeepStrictEqual } from 'node:util';
import type { WorkContext } from '../workers/context.ts';
import type { Run } from '../workflow/model/run.ts';
import { SqliteRecords } from '../workflow/store/sqlite-records.ts';
import { SqliteRuns } from '../workflow/store/sqlite-runs.ts';
import { Followers } from './follow/followers.ts';
import { type ReportSources, StatusMaker } from './follow/report-maker.ts';
import { RunLines } from './follow/run-lines.ts';
import { Screens } from './follow/screens.ts';
import type { Supervisor } from './loop.ts';
import type { Meter } from './metering/meter.ts';
import type { StatusReport } from './report/status-report.ts';

interface FollowedParts extends Pick<ReportSources, 'heartbeat' | 'since'> {
  readonly context: WorkContext;
  readonly supervisor: Supervisor;
  readonly meter: Meter;
}

export interface Following {
  readonly followers: Followers;
  readonly screens: Screens;
  readonly status: () => Promise<StatusReport>;
  /** The engine has decided on a run. */
  readonly noteRun: (run: Run) => void;
}

/** Connects everything that changes the status of a root with those who follow it. */
export function openFollowing({ context, supervisor, meter, heartbeat, since }: FollowedParts): Following {
  const { store, clock } = context;
  const runs = new RunLines({ store, clock, runs: new SqliteRuns(store.database), records: new SqliteRecords(store.database) });
  const maker = new StatusMaker({ context, fleet: supervisor, meter, heartbeat, since, runs });
  const followers = new Followers(maker, context);
  const screens = new Screens(context, supervisor);
  let { limits } = store.state;
  store.onCommit(({ worker }) => {
    if (worker !== null) screens.note(worker);
    if (!followers.isFollowed) return;
    const before = limits;
    limits = store.state.limits;
    // A usage limit holds every worker of its account.
    if (worker === null || (before !== limits && !isDeepStrictEqual(before, limits))) return followers.markAll();
    const run = Object.hasOwn(store.state.workers, worker) ? store.state.workers[worker]?.run : undefined;
    if (run) runs.mark(run.id);
    followers.markWorker(worker);
  });
  supervisor.onStep((name) => {
    screens.note(name);
    followers.markWorker(name);
  });
  meter.onSample(() => {
    // The next sample tries again.
    void followers.refresh().catch(() => undefined);
  });
  return {
    followers,
    screens,
    status: async () => await maker.make(undefined, 'all'),
    noteRun(run) {
      if (!followers.isFollowed) return;
      runs.note(run);
      followers.markHead();
    },
  };
}
