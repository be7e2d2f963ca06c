import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { readTextIfThere } from '../../system/files/files.ts';
import type { Plan } from '../definition/plan.ts';
import { readWorkflow } from '../definition/read-workflow.ts';
import { builtInFolder } from '../library/built-in-folder.ts';
import type { Action } from '../model/action.ts';
import { splitAddress } from '../model/address.ts';
import type { Resumption } from '../model/event.ts';
import type { Result, Run, Verdict } from '../model/run.ts';
import { CRASH, result } from '../next/samples.ts';
import { checkFile } from '../perform/left/check-file.ts';
import { Told } from '../view/told.fixture.ts';

function builtIn(name: string): Plan {
  const reading = readWorkflow(readTextIfThere(join(builtInFolder(), `${name}.yaml`)) ?? '', { name, agents: ['claude', 'codex'] });
  if (reading.kind === 'invalid') throw new Error(reading.problems.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  return reading.plan;
}

interface Cast {
  /** What agents write, by the file's name; a function gets the key of the item. A text for any other file. */
  readonly files?: Readonly<Record<string, unknown>>;
  /** By the address of a review, the verdict of each round; otherwise they approve. */
  readonly verdicts?: Readonly<Record<string, readonly Verdict[]>>;
  /** What a person answers, by the stage that is asked about. */
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  /** By step, what becomes of each try; otherwise it ends well. */
  readonly mishaps?: Readonly<Record<string, readonly Mishap[]>>;
  /** A person pauses the run when this step begins, and lets it go on so. */
  readonly paused?: { readonly at: string; readonly how: Resumption };
}

type Mishap = 'fine' | 'crash' | 'timeout';

const source = (key: string, doi: string) => ({
  key,
  title: 'A study of it',
  authors: ['Smith, Jane'],
  year: 2021,
  type: 'review',
  doi,
  url: `https://doi.org/${doi}`,
  quote: 'We found it in 12 of 40 cases.',
  where: 'abstract',
  finding: 'It occurs in about a third of cases.',
});
const SOURCES = [source('smith2021', '10.1000/a'), source('lee2019', '10.1000/b')];
const decisions = [{ decision: 'since 2010', why: 'earlier work used another method' }];
const section = (id: string) => ({ id, title: id, answers: 'a part', claims: ['x'], sources: ['smith2021'], words: 400 });
const OUTLINE = {
  thesis: 'It happens in a third of cases.',
  sections: ['s1', 's2', 's3', 's4', 's5', 's6'].map(section),
  gaps: [],
  decisions,
};
const ANGLES = [
  { id: 'reviews', search: 'meta-analyses' },
  { id: 'critics', search: 'evidence against' },
];
/** What the agents of literature-review leave. */
export const LITERATURE = {
  'scope.yaml': { question: 'How often does it happen?', includes: [], excludes: [], angles: ANGLES, decisions },
  'reviews.yaml': SOURCES,
  'sources.yaml': SOURCES,
  'outline.yaml': OUTLINE,
  'synthesis.yaml': { addition_percentage: 12, additions: [], conflicts: [], decisions },
};
export const QUESTION = { question: 'How often?', tier: 'standard', high_stakes: false };
export const synthesis = (share: number | null) => ({ ...LITERATURE['synthesis.yaml'], addition_percentage: share });

/** Plays a run of a built-in workflow: agents leave these files, which are checked as those of real agents are. */
export class Play {
  readonly told: Told;
  readonly #cast: Cast;
  readonly #played = new Set<string>();
  readonly #times = new Map<string, number>();

  constructor(name: string, inputs: Run['inputs'], cast: Cast = {}) {
    this.told = new Told(builtIn(name), inputs);
    this.#cast = cast;
    for (let moves = 0; moves < 2_000 && this.#move(); moves += 1);
  }

  get run(): Run {
    return this.told.run;
  }

  /** The prompts of a step, in their order. */
  prompts(step: string): readonly string[] {
    return this.told.actions.flatMap((action) => (action.step === step && action.task.kind === 'attempt' ? [action.task.prompt] : []));
  }

  states(): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.values(this.run.steps).map(({ address, state }) => [address, state.kind]));
  }

  #move(): boolean {
    if (this.run.status !== 'running') return false;
    const action = this.told.actions.find(
      ({ id, task }) => !this.#played.has(id) && ['attempt', 'follow_up', 'nudge', 'collect', 'land'].includes(task.kind),
    );
    if (action === undefined) return this.#answer();
    const { paused } = this.#cast;
    if (action.step === paused?.at && this.#next('pause') === 0) {
      this.told.tell({ kind: 'pause', now: true }).tell({ kind: 'resume', how: paused.how });
      return true;
    }
    this.#played.add(action.id);
    this.#perform(action);
    return true;
  }

  #perform({ id, step, task }: Action): void {
    if (task.kind === 'attempt' || task.kind === 'follow_up') this.#try(id, step);
    if (task.kind === 'nudge') this.#nudged(id, step, task.text !== null);
    if (task.kind === 'land') this.told.tell({ kind: 'started', action: id }).tell({ kind: 'landed', action: id, commit: `m-${step}` });
    if (task.kind === 'collect') this.told.tell({ kind: 'collected', action: id, result: this.#result(step, task) });
  }

  #try(id: string, step: string): void {
    this.told.tell({ kind: 'started', action: id });
    const mishap = this.#cast.mishaps?.[step]?.[this.#next(`try ${step}`)] ?? 'fine';
    if (mishap === 'fine') this.told.tell({ kind: 'finished', action: id });
    if (mishap === 'crash') this.told.tell({ kind: 'crashed', action: id, error: { ...CRASH, component: step } });
    if (mishap === 'timeout') this.#untilTimeout(step);
  }

  /** An agent that takes too long shows nothing. Asked how far it is, it ends its turn, or hangs on. */
  #nudged(nudge: string, step: string, isAsked: boolean): void {
    const before = this.run.steps[step]?.state;
    this.told.tell({ kind: 'nudged', action: nudge, works: false });
    if (!isAsked || before?.kind !== 'working' || before.nudge?.action !== nudge) return;
    const hangs = this.#cast.mishaps?.[step]?.[this.#next(`try ${step}`)] === 'timeout';
    if (hangs) this.#untilTimeout(step);
    else this.told.tell({ kind: 'finished', action: before.action });
  }

  #untilTimeout(step: string): void {
    const state = this.run.steps[step]?.state;
    if (state?.kind === 'working') this.told.tell({ kind: 'tick' }, (state.deadline?.at ?? 0) - this.told.at);
  }

  #result(step: string, { output, verdict: isVerdict }: Extract<Action['task'], { kind: 'collect' }>): Result {
    if (isVerdict) return result({ verdict: this.#cast.verdicts?.[step]?.[this.#next(step)] ?? { verdict: 'approved', issues: [] } });
    if (output.kind !== 'files') return result({ commit: `c-${step}` });
    const artifacts = output.files.map((file) => {
      const checked = checkFile(file, this.#text(file.path, splitAddress(step).key ?? ''));
      if (checked.kind === 'invalid') throw new Error(`${step}: ${checked.problems.join('; ')}`);
      return [file.path, { path: `${step}/${basename(file.path)}`, sha256: 'h', value: checked.value }];
    });
    return result({ artifacts: Object.fromEntries(artifacts) });
  }

  #text(path: string, key: string): string {
    const content = this.#cast.files?.[path];
    const value: unknown = typeof content === 'function' ? content(key) : content;
    return value === undefined ? `# ${path}\n` : stringify(value);
  }

  #answer(): boolean {
    const open = this.run.escalations.find(({ answer }) => answer === null);
    if (open === undefined) return this.#wait();
    const asked = open.step ?? '';
    const option = this.#cast.answers?.[asked]?.[this.#next(`answer ${asked}`)] ?? open.recommended;
    this.told.tell({ kind: 'decided', escalation: open.number, option, text: option === 'reject' ? 'Not yet.' : null });
    return true;
  }

  /** A step that cools down is tried again later. */
  #wait(): boolean {
    if (!Object.values(this.run.steps).some(({ state }) => state.kind === 'cooling')) return false;
    this.told.tell({ kind: 'tick' }, 60_000);
    return true;
  }

  #next(name: string): number {
    const times = this.#times.get(name) ?? 0;
    this.#times.set(name, times + 1);
    return times;
  }
}
