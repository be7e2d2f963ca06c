import { type StatusReport, statusReport, type WorkerReport } from '../supervisor/report/status-report.ts';
import { anAssessment } from '../supervisor/samples.ts';
import { aState, aWorker } from '../workers/samples.ts';
import type { QuestionView } from '../workflow/view/run-view.ts';
import { SAMPLE_DIFF, sampleWork } from './diff/samples.ts';
import { draw } from './draw/draw.ts';
import type { Effect, SeenWork } from './model/effect.ts';
import type { Event } from './model/event.ts';
import type { ListedRun } from './model/item.ts';
import { update } from './model/update.ts';
import { emptyView, type View } from './model/view.ts';
import type { Size } from './screen/line.ts';

export const NOW = 1_000_000_000_000;
const UNIX = NOW / 1_000;

/** For tests: a worker of a report, idle except for what the test says. */
export function aWorkerReport(name: string, changes: Partial<WorkerReport> = {}): WorkerReport {
  const [worker] = reportOf(name).workers;
  if (worker === undefined) throw new Error('the report has one worker');
  return { ...worker, ...changes };
}

function reportOf(name: string): StatusReport {
  return statusReport({
    ...{ root: '/root', source: '/source', branch: 'main' },
    supervisor: { running: true, pid: 7, since_unix: UNIX - 90, stalled_since_unix: null },
    state: aState(aWorker({ name, last_activity_unix: UNIX - 60 })),
    deliveryOf: () => null,
    modelOf: () => 'opus',
    accountOf: (agent) => agent,
    now: NOW,
    assessmentOf: () => anAssessment(),
  });
}

export function aReport(workers: readonly WorkerReport[], changes: Partial<StatusReport> = {}): StatusReport {
  return { ...reportOf('adam'), workers, ...changes };
}

export const toReview = (name: string, changes: Partial<WorkerReport> = {}): WorkerReport =>
  aWorkerReport(name, {
    ...{ status: 'needs_review', current_prompt: `Task of ${name}`, attention: 'Review it', attention_kind: 'review' },
    ...changes,
  });

export const asking = (name: string, choices: readonly string[] = ['Yes', 'No']): WorkerReport =>
  aWorkerReport(name, {
    ...{ status: 'needs_input', attention: 'It asks', attention_kind: 'permission' },
    asks: { tool: 'Bash', command: 'rm -rf build', question: 'Do you want to proceed?', choices },
  });

export const aRun = (id: string, questions: readonly Partial<QuestionView>[] = []): ListedRun => ({
  ...{
    id,
    workflow: 'swarm',
    status: 'running',
    stage: 'build',
    degradation_level: 'full',
    waiting_for: null,
    waiting_kind: null,
    error: null,
  },
  ...{ created_ms: NOW - 60_000, ended_ms: null },
  questions: questions.map((changes, index) => ({
    ...{
      run: id,
      number: index + 1,
      type: 'approval',
      stage: 'review',
      text: 'Is it good?',
      see: [],
      approves: null,
      options: ['approve', 'reject'],
    },
    ...{ recommended: 'approve', asked_ms: NOW - 5_000, default: null, by_itself_ms: null, attempts: [], progress: null },
    ...changes,
  })),
});

/** The view under test: what it became, and what it asked for. */
export class Played {
  view: View;
  now = NOW;
  readonly effects: Effect[] = [];

  constructor(workers: readonly WorkerReport[], size: Size = { columns: 120, rows: 40 }, runs: readonly ListedRun[] = []) {
    this.view = emptyView(size, NOW);
    this.on({ kind: 'runs', runs });
    this.on({ kind: 'status', report: aReport(workers) });
  }

  on(event: Event): this {
    const { view, effects } = update(this.view, event, this.now);
    this.view = view;
    this.effects.push(...effects);
    return this;
  }

  /** Presses keys by their names; a word in quotes is typed. */
  press(...keys: readonly string[]): this {
    for (const key of keys) this.on({ kind: 'pressed', pressed: { kind: 'key', key } });
    return this;
  }

  type(text: string): this {
    return this.press(...Array.from(text));
  }

  /** The work of the selected worker arrives, is drawn, and stays a while. */
  seesWork(head = 'c0ffee', afterMs = 400, changes: Partial<SeenWork> = {}): this {
    const seen: SeenWork = { head, diff: SAMPLE_DIFF, message: 'Message', proof: null, isWhole: true, ...changes };
    this.on({ kind: 'work', of: this.view.selected ?? '', shown: sampleWork({ diff: SAMPLE_DIFF }), seen }).on({ kind: 'shown' });
    this.now += afterMs;
    return this;
  }

  /** The screen as text, one string per row. */
  get screen(): readonly string[] {
    return draw(this.view).map((line) => line.map(({ text }) => text).join(''));
  }

  /** The kinds of what it asked for, without what is only read. */
  get asked(): readonly string[] {
    return this.effects.map(({ kind }) => kind);
  }
}
