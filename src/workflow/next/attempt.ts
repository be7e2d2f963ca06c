import { agentsFor } from '../agents-file/agents-for.ts';
import type { ReviewStage, WorkStage } from '../definition/plan.ts';
import type { Action } from '../model/action.ts';
import { maySendBack, moveToFallback } from './breaker/provider.ts';
import { composePrompt, LETTERS, listStagesToRead, takesUp } from './compose-prompt.ts';
import { closeQuestions } from './escalation.ts';
import { TRIGGER_OF } from './failure-trigger.ts';
import { before, lastCommit } from './items/before.ts';
import { nameSeat, requireRole, takeSeat } from './seat.ts';
import type { Turn } from './turn.ts';

/** Begins a new piece of work: its worker starts from the step's base, and what an earlier piece left is not taken for its result. */
export function newPiece(turn: Turn, stage: WorkStage | ReviewStage, conversation: 'fresh' | 'resume'): void {
  turn.changeStep(stage.id, { tries: 0, tried: [] });
  takeSeat(turn, stage.id);
  if (conversation === 'fresh') takeBack(turn, requireRole(stage), stage.id);
  // Another agent has no conversation to go on in.
  attempt(turn, stage, moveToFallback(turn, requireRole(stage), stage.id) ? 'fresh' : conversation);
}

/** The usage limit of the role's own agent is over, or its service may work again. An agent in the middle of its work goes on with it. */
function takeBack(turn: Turn, role: string, address: string): void {
  const { agent, backMs, replaced } = turn.role(role, address);
  if (agent === 'own' || replaced === undefined || TRIGGER_OF[replaced.code] !== 'network') return;
  if (backMs === undefined || turn.at < backMs) return;
  const isLimit = replaced.code === 'RATE_LIMITED';
  if (!isLimit && !maySendBack(turn, role, address)) return;
  turn.changeAgent(role, address, { agent: 'own', unavailable: false });
  turn.note(address, `its own agent does it again: ${isLimit ? 'the usage limit is over' : 'its service may work again'}`);
}

/** A run worker in the stage's role gets the task. The first try has a fresh conversation; a later one goes on in it. */
export function attempt(
  turn: Turn,
  stage: WorkStage | ReviewStage,
  conversation: 'fresh' | 'resume',
  endSession: boolean | undefined = false,
): void {
  const { id } = stage;
  const role = requireRole(stage);
  const step = turn.step(id);
  // The agent that asked something, or waited for a place, does not go on.
  closeQuestions(turn, id, 'answered');
  const { agent, letters } = turn.role(role, id);
  const tries = step.tries + 1;
  const prompt = composePrompt(turn.run, stage, conversation);
  turn.changeStep(id, { attempt: step.attempt + 1, tries });
  turn.act(id, 'attempt', {
    kind: 'attempt',
    seat: nameSeat(turn, id),
    role,
    agent,
    conversation,
    continues: step.tried,
    ...(endSession && { endSession }),
    session: sessionSuffix(agent === 'own' ? undefined : agentsFor(turn.run, role, id).fallback, tries),
    base: findBase(turn, stage),
    output: stage.kind === 'work' ? stage.output : VERDICT,
    prompt: letters.length === 0 ? prompt : `${prompt}\n\n${LETTERS}`,
    reads: listStagesToRead(turn.run, stage),
    diff: findDiff(turn, stage),
    letters,
  });
  if (letters.length > 0) turn.changeRole(role, { letters: [] });
}

/** A review leaves one file, whatever the stage says. */
const VERDICT = { kind: 'files', files: [{ path: 'verdict.yaml', schema: undefined }] } as const;

/** What tells the sessions of a role apart: `-r2`, `-codex`, `-codex-r2`. */
export function sessionSuffix(fallback: string | undefined, tries: number): string {
  return `${fallback === undefined ? '' : `-${fallback}`}${tries > 1 ? `-r${tries}` : ''}`;
}

/** A reviewer stands on the reviewed commit, work that goes on from a result on this result, other work on the last commit that its needs left. */
function findBase({ run }: Turn, stage: WorkStage | ReviewStage): string | null {
  const own = takesUp(run, stage) ? run.steps[stage.id]?.result?.commit : undefined;
  if (own != null) return own;
  return lastCommit(run, stage.kind === 'review' ? [stage.of] : before(run, stage.id));
}

/** What the reviewed stage changed, if it left a commit. */
function findDiff(turn: Turn, stage: WorkStage | ReviewStage): Extract<Action['task'], { kind: 'attempt' }>['diff'] {
  if (stage.kind !== 'review') return null;
  const to = turn.step(stage.of).result?.commit ?? null;
  return to === null ? null : { from: lastCommit(turn.run, before(turn.run, stage.of)), to };
}

/** The turn of the agent is over: what it left decides. */
export function collect(turn: Turn, stage: WorkStage | ReviewStage): void {
  const output = stage.kind === 'work' ? stage.output : VERDICT;
  turn.act(stage.id, 'collect', { kind: 'collect', seat: nameSeat(turn, stage.id), output, verdict: stage.kind === 'review' });
}

/** The agent was told to save, and its turn is over. A file may be there with a half of its content. */
export function collectSaved(turn: Turn, stage: WorkStage | ReviewStage): void {
  const output = stage.kind === 'work' ? stage.output : VERDICT;
  turn.act(stage.id, 'save', { kind: 'collect', seat: nameSeat(turn, stage.id), output, verdict: stage.kind === 'review', saved: true });
}
