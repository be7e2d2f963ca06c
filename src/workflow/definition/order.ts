import { nearest } from '../../config/nearest.ts';
import { keyText, type Problem, quote } from '../../config/problems/problem.ts';
import type { StageDraft, StageSpec } from './draft.ts';

/** The order of the stages of one list: those of the workflow, or those of one item. */
export class Order {
  readonly stages: ReadonlyMap<string, StageDraft>;
  readonly #needs: ReadonlyMap<string, readonly string[]>;

  constructor(stages: readonly StageDraft[]) {
    this.stages = new Map(stages.flatMap((stage) => (stage.id === undefined ? [] : [[stage.id, stage]])));
    this.#needs = new Map(
      stages.flatMap((stage, index) => (stage.id === undefined ? [] : [[stage.id, listNeeds(stage, stages[index - 1])]])),
    );
  }

  /** The stages that must have ended, as the plan has them. In place of one that is unknown, and reported: the stage above. */
  needs(id: string): readonly string[] {
    const needs = this.#needs.get(id) ?? [];
    if (needs.every((need) => this.stages.has(need))) return needs;
    const ids = [...this.stages.keys()];
    return ids.slice(0, ids.indexOf(id)).slice(-1);
  }

  /** All stages that have ended when this one begins. */
  before(id: string): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (at: string): void => {
      for (const need of this.needs(at)) {
        if (found.has(need)) continue;
        found.add(need);
        visit(need);
      }
    };
    visit(id);
    return found;
  }

  /** @param elsewhere the stages of other lists, with the words for where they are. */
  problems(elsewhere: ReadonlyMap<string, string>): readonly Problem[] {
    const unknown = [...this.stages].flatMap(([id, stage]) =>
      (this.#needs.get(id) ?? []).flatMap((need, index) =>
        this.stages.has(need) ? [] : [this.#unknownNeed(stage, need, index, elsewhere)],
      ),
    );
    return [...unknown, ...this.#cycles()];
  }

  #unknownNeed(stage: StageDraft, need: string, index: number, elsewhere: ReadonlyMap<string, string>): Problem {
    const path = [...stage.path, 'needs', ...(Array.isArray(ownNeeds(stage)) ? [index] : [])];
    const others = [...this.stages.keys()].filter((id) => id !== stage.id);
    const place = elsewhere.get(need);
    const problem = place === undefined ? `there is no stage ${quote(need)}` : `the stage ${quote(need)} is ${place}`;
    return {
      path,
      about: 'value',
      message: `${keyText(path)}: ${problem}; ${place === undefined ? meantOrKnown(need, others) : describeExpected(others, 'expected a stage of this list')}`,
    };
  }

  /** Each cycle once, at the stage that comes first in the file. */
  #cycles(): readonly Problem[] {
    const reported = new Set<string>();
    return [...this.stages].flatMap(([id, stage]) => {
      if (reported.has(id) || !this.before(id).has(id)) return [];
      const cycle = this.#wayBack(id);
      for (const each of cycle) reported.add(each);
      const path = [...stage.path, 'needs'];
      const message =
        cycle.length === 1 ? 'a stage cannot wait for itself' : `these stages wait for each other: ${[...cycle, id].join(', ')}`;
      return [{ path, about: 'value', message: `${keyText(path)}: ${message}` } as const];
    });
  }

  /** The shortest way from a stage over its needs back to it. */
  #wayBack(id: string): readonly string[] {
    const ways: (readonly string[])[] = [[id]];
    const seen = new Set<string>();
    for (const way of ways) {
      for (const need of this.needs(way.at(-1) ?? '')) {
        if (need === id) return way;
        if (seen.has(need)) continue;
        seen.add(need);
        ways.push([...way, need]);
      }
    }
    return [id];
  }
}

/** Without `needs`, a stage waits for the one above it. */
function listNeeds(stage: StageDraft, above: StageDraft | undefined): readonly string[] {
  const needs = ownNeeds(stage);
  if (needs !== undefined) return typeof needs === 'string' ? [needs] : needs;
  return above?.id === undefined ? [] : [above.id];
}

function ownNeeds({ body, rest }: StageDraft): StageSpec['spec']['needs'] {
  return (body ?? rest?.value)?.spec.needs;
}

/** A message stays one line. */
const MOST_LISTED = 20;

/** `did you mean "x"?`, else what is known. */
export function meantOrKnown(word: string, known: readonly string[], otherwise?: string): string {
  const close = nearest(word, known);
  return close === undefined ? describeExpected(known, otherwise) : `did you mean ${quote(close)}?`;
}

export function describeExpected(known: readonly string[], otherwise = 'there are none'): string {
  if (known.length === 0) return otherwise;
  const more = known.length > MOST_LISTED ? ` and ${known.length - MOST_LISTED} more` : '';
  return `expected ${known.length === 1 ? '' : 'one of '}${known.slice(0, MOST_LISTED).join(', ')}${more}`;
}
