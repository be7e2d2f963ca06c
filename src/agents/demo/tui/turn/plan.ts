import type { OpenTurn } from '../conversation.ts';
import type { Scenario, Step } from '../scenario/step.ts';
import { defaultSteps } from './default-turn.ts';
import { toldIn } from './task.ts';

/** The matching turn of the scenario: the first in the file whose pattern matches, or the next one without a pattern. */
export function chooseTurn(scenario: Scenario, used: readonly number[], prompt: string): number | null {
  const told = toldIn(prompt);
  const index = scenario.turns.findIndex((turn, at) => (turn.when === undefined ? !used.includes(at) : turn.when.test(told)));
  return index === -1 ? null : index;
}

/** The turn of the scenario for a prompt that asks to save. One whose pattern matches only by chance is about something else. */
export function chooseSaving(scenario: Scenario): number | null {
  const index = scenario.turns.findIndex(({ when }) => when?.source.includes('pauses this run') === true);
  return index === -1 ? null : index;
}

/** All steps of a turn in order, including the steps that earlier answers selected. */
export function stepsOf(scenario: Scenario, open: OpenTurn, worker: string): Step[] {
  const turn = open.turn === null ? undefined : scenario.turns[open.turn];
  const steps = [...(turn?.steps ?? defaultSteps(open, worker))];
  for (const { step, answer } of open.answers) steps.splice(step + 1, 0, ...followUp(steps[step], answer));
  return steps;
}

export function followUp(step: Step | undefined, answer: string): readonly Step[] {
  return step?.kind === 'ask' ? (step.answers[answer] ?? step.answers.other ?? []) : [];
}
