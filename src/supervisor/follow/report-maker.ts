import { localDay } from '../../base/local-day.ts';
import type { Instant } from '../../base/ports.ts';
import { invalidConfigText } from '../../config/in-force.ts';
import { type LenientConfig, readConfigLeniently } from '../../config/read-config-leniently.ts';
import { stalledSince } from '../../recovery/decide-stall.ts';
import { deliverySummary } from '../../store/tables/delivery-summary.ts';
import { draftCounts } from '../../store/tables/draft-counts.ts';
import { failingServices } from '../../store/tables/failing-services.ts';
import { tamperingSince } from '../../store/tables/history.ts';
import { givenNumber, queueLength } from '../../store/tables/queue-facts.ts';
import { spentOn } from '../../store/tables/spending.ts';
import type { WorkContext } from '../../workers/context.ts';
import { landingPlace } from '../../workers/landing/landing-place.ts';
import { readBudgetLeniently } from '../../workers/pool/budget.ts';
import type { Meter } from '../metering/meter.ts';
import type { Fleet } from '../observe/fleet.ts';
import type { Watch } from '../observe/watch.ts';
import {
  inSeconds,
  type ReportInput,
  reportedWorkers,
  reportHead,
  type StatusReport,
  type Watched,
  type WorkerReport,
  workerReport,
} from '../report/status-report.ts';
import { unwritableText } from '../report/unwritable-text.ts';
import { sharedReport } from './changes.ts';
import type { ReportMaker } from './followers.ts';
import type { RunLines } from './run-lines.ts';

/** The parts of a running supervisor that its status comes from. */
export interface ReportSources {
  readonly context: WorkContext;
  readonly fleet: Fleet;
  readonly meter: Meter;
  /** When the loop last made a pass. */
  readonly heartbeat: { readonly lastPassAt: Instant };
  readonly since: number;
  readonly runs: RunLines;
}

interface Place {
  readonly text: string;
  readonly lenient: LenientConfig;
  readonly landing: Awaited<ReturnType<typeof landingPlace>>;
}

/** Makes the status of a running supervisor, whole or only of the workers that may have changed. */
export class StatusMaker implements ReportMaker {
  readonly #reported: ReportSources;
  #place: Place | undefined;

  constructor(reported: ReportSources) {
    this.#reported = reported;
  }

  async make(before: StatusReport | undefined, workers: ReadonlySet<string> | 'all'): Promise<StatusReport> {
    const input = await this.#input(workers === 'all');
    const known = new Map<string, WorkerReport>(before?.workers.map((worker) => [worker.name, worker]));
    const after: StatusReport = {
      ...reportHead(input),
      workers: reportedWorkers(input.state).map((worker) => {
        const earlier = known.get(worker.name);
        return earlier === undefined || workers === 'all' || workers.has(worker.name) ? workerReport(worker, input) : earlier;
      }),
    };
    return before === undefined ? after : sharedReport(before, after);
  }

  async #input(whole: boolean): Promise<ReportInput> {
    const { context, fleet, meter, heartbeat, since, runs } = this.#reported;
    const { store, validating, layout, clock } = context;
    const { lenient, landing } = await this.#readPlace(whole);
    const invalid = await context.invalidConfig().catch(() => undefined);
    const now = clock.now();
    return {
      root: layout.root,
      source: landing.source,
      branch: landing.branch,
      modelOf: lenient.modelOf,
      accountOf: lenient.accountOf,
      problems: [
        fleet.unwritable && unwritableText(fleet.unwritable, layout.root, now),
        invalid && invalidConfigText(invalid, now),
        landing.problem,
      ],
      supervisor: {
        running: true,
        pid: process.pid,
        since_unix: since,
        stalled_since_unix: inSeconds(stalledSince(heartbeat.lastPassAt, now)),
      },
      tamperingSince: (moment) => tamperingSince(store.database, moment),
      deliveryOf: (name) => deliverySummary(store.database, name),
      taskOf: (name) => givenNumber(store.database, name),
      now,
      budget: await readBudgetLeniently(context),
      services: failingServices(store.database),
      queued: queueLength(store.database),
      drafts: draftCounts(store.database),
      spentToday: spentOn(store.database, localDay(now)),
      runs: await runs.read(whole),
      state: store.state,
      watchedOf: (name) => toWatched(fleet.watchOf(name)),
      troubleOf: (name) => fleet.troubleOf(name),
      validationOf: (name) => validating.get(name),
      workerUsageOf: (name) => meter.workerUsageOf(name),
      messageOf: (name) => fleet.watchOf(name)?.reported.lastTurn?.message,
    };
  }

  /** Without a branch in config.toml, git is asked for it: for a whole report or a new config.toml only, not for each event. */
  async #readPlace(whole: boolean): Promise<Place> {
    const { context } = this.#reported;
    // Read leniently, as without a supervisor: a config.toml that a person is editing must not hide the statuses of the workers.
    const text = await context.configText();
    if (this.#place?.text === text && !whole) return this.#place;
    const lenient = readConfigLeniently(text);
    this.#place = { text, lenient, landing: await landingPlace(context, lenient) };
    return this.#place;
  }
}

function toWatched(watch: Watch | undefined): Watched | undefined {
  if (watch === undefined) return undefined;
  return { assessment: watch.assessment, dialog: watch.dialog.open, screen: watch.screen.capture?.screen.lines };
}
