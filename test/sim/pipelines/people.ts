import type { Resumption, What } from '../../../src/workflow/model/event.ts';
import type { Run } from '../../../src/workflow/model/run.ts';
import type { Dice } from './dice.ts';
import type { MainBranch } from './main-branch.ts';

/** How often a person begins something again: one who does it for ever never sees an end. */
const MOST_AGAIN = 3;

/** Who answers questions, or stays silent, and reviews landings. */
export class People {
  readonly #dice: Dice;
  readonly #main: MainBranch;
  readonly #restarts = new Map<string, number>();
  /** Below it nobody answers: in some runs until nothing moves by itself. */
  patience: number;

  constructor(dice: Dice, main: MainBranch) {
    this.#dice = dice;
    this.#main = main;
    this.patience = dice.oneOf([0, 0.5, 1]);
  }

  wants(run: Run): boolean {
    const isThere = this.#main.offers.size > 0 || run.escalations.some(({ answer }) => answer === null);
    return isThere && (this.patience === 0 || this.#dice.random() > this.patience);
  }

  act(run: Run): readonly What[] {
    const [offer] = this.#main.offers;
    const open = run.escalations.filter(({ answer }) => answer === null);
    const asked = open[this.#dice.from(0, open.length - 1)];
    if (asked === undefined || (offer !== undefined && this.#dice.happens(0.5))) return offer === undefined ? [] : this.#review(offer);
    const { number, options } = asked;
    // Abort is one of three or four options of each question: too few runs would see their end.
    const liked = options.filter((option) => option !== 'abort' || this.#dice.happens(0.15));
    const option = this.#notForEver(asked.step ?? '', liked[this.#dice.from(0, liked.length - 1)] ?? 'abort', options);
    const decided = { kind: 'decided', escalation: number, option, text: this.#dice.happens(0.5) ? 't' : null } as const;
    return this.#dice.happens(0.1) ? [decided, decided] : [decided];
  }

  #notForEver(step: string, option: string, options: readonly string[]): string {
    if (!['restart', 'fallback', 'reject', 'rollback', 'extend', 'answer', 'wait'].includes(option)) return option;
    const times = (this.#restarts.get(step) ?? 0) + 1;
    this.#restarts.set(step, times);
    if (times <= MOST_AGAIN) return option;
    return ['approve', 'accept', 'skip', 'keep'].find((end) => options.includes(end)) ?? 'abort';
  }

  #review([action, work]: readonly [string, string]): readonly What[] {
    if (this.#dice.happens(0.2)) return [{ kind: 'rejected', action, feedback: 'f' }];
    return [{ kind: 'landed', action, commit: this.#main.land(work, action) }];
  }
}

/** How a person lets a paused run go on. */
export function interruption(dice: Dice, { steps, plan }: Run): Resumption {
  const addresses = Object.keys(steps);
  const address = addresses[dice.from(0, addresses.length - 1)];
  const stage = plan.stages[dice.from(0, plan.stages.length - 1)];
  if (address === undefined || stage === undefined || dice.happens(0.6)) return { kind: 'go_on' };
  return dice.happens(0.6) ? { kind: 'again', address } : { kind: 'skip_to', stage: stage.id };
}
