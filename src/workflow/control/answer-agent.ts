import type { WorkContext } from '../../workers/context.ts';
import type { Escalation } from '../model/escalation.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { stageAt } from '../model/stage-at.ts';
import { roleAt } from '../next/seat.ts';
import type { ChosenAnswer } from './choose-answer.ts';
import type { RunContext } from './post-event.ts';

export type AnswerContext = RunContext & Pick<WorkContext, 'agents'>;

/**
 * Answers the dialog that the agent of a stage has open: a prompt would wait behind it. Returns whether it did; otherwise the answer goes
 * to the agent as a prompt.
 */
export async function answerAgent(context: AnswerContext, run: Run, { escalation: number, option, text }: ChosenAnswer): Promise<boolean> {
  const question = run.escalations.find((each) => each.number === number);
  const worker = question?.type === 'blocked' && option === 'answer' ? findWorkerName(run, question) : undefined;
  if (worker === undefined || text === null || !Object.hasOwn(context.store.state.workers, worker)) return false;
  return await context.agents.answer(worker, text);
}

function findWorkerName(run: Run, { step: address }: Escalation): string | undefined {
  const stage = address === null ? undefined : stageAt(run, address);
  const role = stage && roleAt(stage);
  return role === undefined || address === null ? undefined : runWorkerName(run.id, role, run.steps[address]?.seat ?? 1);
}
