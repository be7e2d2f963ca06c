import type { WorkContext } from '../../workers/context.ts';
import type { Escalation } from '../model/escalation.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { stageAt } from '../model/stage-at.ts';
import { roleAt } from '../next/seat.ts';
import { SqliteRuns } from '../store/sqlite-runs.ts';
import type { ChosenAnswer } from './choose-answer.ts';
import type { RunContext } from './post-event.ts';

const POLL_MS = 50;
/** The report of the worker reaches the run within a pass of the supervisor. */
const PATIENCE_MS = 10_000;

export type AnswerContext = RunContext & Pick<WorkContext, 'agents'>;

/**
 * Answers the dialog that the agent of a stage has open: a prompt would wait behind it. The worker reports that it goes on, and this
 * closes the question. Undefined if the agent has no dialog open, so that the answer goes to it as a prompt; otherwise, whether the run
 * knows already.
 */
export async function answerAgent(
  context: AnswerContext,
  run: Run,
  { escalation: number, option, text }: ChosenAnswer,
): Promise<boolean | undefined> {
  const question = run.escalations.find((each) => each.number === number);
  const worker = question?.type === 'blocked' && option === 'answer' ? workerOf(run, question) : undefined;
  if (worker === undefined || text === null || !Object.hasOwn(context.store.state.workers, worker)) return undefined;
  if (!(await context.agents.answer(worker, text))) return undefined;
  return await isClosed(context, run.id, number);
}

function workerOf(run: Run, { step: address }: Escalation): string | undefined {
  const stage = address === null ? undefined : stageAt(run, address);
  const role = stage && roleAt(stage);
  return role === undefined || address === null ? undefined : runWorkerName(run.id, role, run.steps[address]?.seat ?? 1);
}

async function isClosed({ store, clock, signal }: AnswerContext, id: string, number: number): Promise<boolean> {
  const runs = new SqliteRuns(store.database);
  const deadline = clock.now() + PATIENCE_MS;
  while (!signal.aborted && clock.now() < deadline) {
    const run = await runs.load(id);
    if (run?.escalations.some((each) => each.number === number && each.answer !== null)) return true;
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
  }
  return false;
}
