import type { AsksReport } from '../supervisor/report/asks-report.ts';
import { type StatusReport, statusReport, type WorkerReport } from '../supervisor/report/status-report.ts';
import { anAssessment } from '../supervisor/samples.ts';
import { aState, aWorker } from '../workers/samples.ts';
import type { QuestionView } from '../workflow/view/run-view.ts';
import { SAMPLE_DIFF, sampleWork } from './diff/samples.ts';
import { draw } from './draw/draw.ts';
import type { Begun, Effect, SeenWork } from './model/effect.ts';
import type { Event } from './model/event.ts';
import type { ListedRun } from './model/item.ts';
import { update } from './model/update.ts';
import { emptyView, type NamedRoot, type View } from './model/view.ts';
import type { Size } from './screen/line.ts';

export const NOW = 1_000_000_000_000;
const UNIX = NOW / 1_000;

/** For tests: a worker of a report, idle except for what the test says. */
export function aWorkerReport(name: string, changes: Partial<WorkerReport> = {}): WorkerReport {
  const [worker] = makeReport(name).workers;
  if (worker === undefined) throw new Error('the report has one worker');
  return { ...worker, ...changes };
}

function makeReport(name: string): StatusReport {
  return statusReport({
    root: '/root',
    source: '/source',
    branch: 'main',
    supervisor: { running: true, pid: 7, since_unix: UNIX - 90, stalled_since_unix: null },
    state: aState(aWorker({ name, last_activity_unix: UNIX - 60 })),
    deliveryOf: () => null,
    modelOf: () => 'opus',
    accountOf: (agent) => agent,
    now: NOW,
    watchedOf: () => ({ assessment: anAssessment() }),
  });
}

export function aReport(workers: readonly WorkerReport[], changes: Partial<StatusReport> = {}): StatusReport {
  return { ...makeReport('adam'), workers, ...changes };
}

export const toReview = (name: string, changes: Partial<WorkerReport> = {}): WorkerReport =>
  aWorkerReport(name, {
    status: 'needs_review',
    current_prompt: `Task of ${name}`,
    attention: 'Review it',
    attention_kind: 'review',
    ...changes,
  });

export const asking = (name: string, choices: readonly string[] = ['Yes', 'No']): WorkerReport =>
  aWorkerReport(name, {
    status: 'needs_input',
    attention: 'It asks',
    attention_kind: 'permission',
    asks: anAsk({ choices }),
  });

/** A permission for a command, with the test's changes. */
export const anAsk = (changes: Partial<AsksReport> = {}): AsksReport => ({
  id: 'a1',
  tool: 'Bash',
  command: 'rm -rf build',
  question: 'Do you want to proceed?',
  choices: ['Yes', 'No'],
  several: false,
  screen: null,
  ...changes,
});

export const aRun = (id: string, questions: readonly Partial<QuestionView>[] = []): ListedRun => ({
  id,
  workflow: 'swarm',
  status: 'running',
  stage: 'build',
  degradation_level: 'full',
  waiting_for: null,
  waiting_kind: null,
  error: null,
  created_ms: NOW - 60_000,
  ended_ms: null,
  questions: questions.map((changes, index) => ({
    run: id,
    number: index + 1,
    type: 'approval',
    stage: 'review',
    text: 'Is it good?',
    task: null,
    prompt: null,
    see: [],
    approves: null,
    options: ['approve', 'reject'],
    recommended: 'approve',
    asked_ms: NOW - 5_000,
    default: null,
    by_itself_ms: null,
    attempts: [],
    progress: null,
    terminal: null,
    ...changes,
  })),
});

/** An event of a test that has one root: it need not name the root. */
export type Given = GivenOf<Event>;
type GivenOf<E> = E extends { readonly root: string }
  ? Omit<E, 'root'> & { readonly root?: string }
  : E extends { readonly effect: Begun }
    ? Omit<E, 'effect'> & { readonly effect: Effect }
    : E;

/** The view under test: what it became, and what it asked for. Its first root has the empty name, which no test has to spell. */
export class Played {
  view: View;
  now = NOW;
  /** Without the roots, which `effectsIn` has. */
  readonly effects: Effect[] = [];
  readonly #effects = new Map<Effect, Begun>();

  constructor(
    workers: readonly WorkerReport[],
    size: Size = { columns: 120, rows: 40 },
    runs: readonly ListedRun[] = [],
    roots: readonly NamedRoot[] = [{ root: '', name: 'shop' }],
    isTogether = false,
  ) {
    this.view = emptyView(size, NOW, roots, { isTogether });
    this.on({ kind: 'runs', runs });
    this.on({ kind: 'status', report: aReport(workers) });
  }

  on(given: Given): this {
    const { view, effects } = update(this.view, this.#eventOf(given), this.now);
    this.view = view;
    for (const effect of effects) {
      const { root: _, ...rest } = effect;
      this.effects.push(rest);
      this.#effects.set(rest, effect);
    }
    return this;
  }

  #eventOf(given: Given): Event {
    if ('effect' in given) return { ...given, effect: this.#effects.get(given.effect) ?? { ...given.effect, root: '' } };
    switch (given.kind) {
      case 'status':
      case 'runs':
      case 'lost':
      case 'gone':
      case 'queue':
      case 'completed':
      case 'agents':
      case 'taken-back':
      case 'edited':
        return { ...given, root: given.root ?? '' };
      default:
        return given;
    }
  }

  /** What it asked for, with the roots. */
  get effectsIn(): readonly Begun[] {
    return this.effects.flatMap((effect) => this.#effects.get(effect) ?? []);
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

  /** What it asked for about work, without the drafts that it stores. */
  get decided(): readonly Effect[] {
    return this.effects.filter(({ kind }) => kind !== 'draft');
  }

  /** The kinds of what it asked for about work. */
  get asked(): readonly string[] {
    return this.decided.map(({ kind }) => kind);
  }
}
