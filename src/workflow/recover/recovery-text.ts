import { formatAge } from '../../base/duration.ts';
import type { ErrorCode } from '../../base/error-codes.ts';
import type { Instant } from '../../base/ports.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { unknownPart } from '../control/named-part.ts';
import type { Plan } from '../definition/plan.ts';
import { isMaybeOnMain, type Run } from '../model/run.ts';
import { stageAt, stagesIn } from '../model/stage-at.ts';
import { listInside } from '../next/items/before.ts';
import { roleAt } from '../next/seat.ts';
import type { Fate, RecoverOptions, RecoveryPlan, RecoveryRefusal } from './plan-recovery.ts';

/** One of the six steps of a recovery, in words. */
export interface ReportedStep {
  readonly step: string;
  readonly lines: readonly string[];
}

/** What a recovery does, step by step. A dry run prints the same. */
export function recoverySteps(run: Run, plan: RecoveryPlan, options: RecoverOptions, now: Instant): readonly ReportedStep[] {
  const { from, passedOver, restored } = plan;
  const again = withFate(plan, 'again', 'undone', 'needed', 'repeated');
  const ended = options.keepAgents ? [] : rolesWithAgents(run);
  return [
    {
      step: '1. find the recovery point',
      lines: [
        ...passedOver.map((id) => `${id} is damaged (its hash does not match), so the one before it is used`),
        `checkpoint ${from.id} (${from.type}, ${formatAge(now - from.at)} ago)`,
        ...(run.error === null ? [] : [`the run ended with: ${run.error.message}`]),
      ],
    },
    {
      step: '2. clean up',
      lines: [
        ended.length === 0 ? 'no session has to end' : `end the sessions of ${ended.join(', ')}`,
        'drop tasks that nobody has begun; worktrees stay as they are',
      ],
    },
    {
      step: '3. restore the state',
      lines: [
        ...plan.stages.map(({ stage, fate }) => `${stage}: ${FATES[fate]}${fate === 'undone' ? leftBy(run, stage) : ''}`),
        'the counters of failures begin again',
        restored.dropMessages ? 'messages that wait are dropped' : 'messages that wait are kept',
      ],
    },
    {
      step: '4. start the agents',
      lines: [
        options.keepAgents
          ? 'the agents go on in their conversations and worktrees'
          : 'each role has its own agent again, in a fresh conversation in its worktree',
      ],
    },
    { step: '5. go on', lines: [again.length === 0 ? 'with the next stage' : `with ${again.join(', ')}`] },
    { step: '6. verify', lines: ['wait until the agents have their tasks, then check their sessions, worktrees, results and messages'] },
  ];
}

const FATES: Readonly<Record<Fate, string>> = {
  kept: 'stays as it ended',
  again: 'runs again',
  undone: 'begins again',
  reopened: 'goes on with what begins again in it; the rest of it stays',
  needed: 'runs again, although it failed: a later stage needs its result',
  repeated: 'runs again, although it was done after the checkpoint',
  skipped: 'is skipped, because it failed',
  waits: 'waits for its turn',
};

/** What becomes of the result of a stage that begins again. */
function leftBy(run: Run, address: string): string {
  const inside = listInside(run, address).flatMap((each) => run.steps[each] ?? []);
  const landed = inside.filter((step) => stageAt(run, step.address)?.kind === 'land' && isMaybeOnMain(step));
  const isMade = inside.some(({ result }) => result !== null && (result.commit !== null || Object.keys(result.artifacts).length > 0));
  if (landed.length > 0) return '; what it has landed is taken back from main';
  return isMade ? '; its results go to the archive' : '';
}

function withFate({ stages }: RecoveryPlan, ...fates: readonly Fate[]): readonly string[] {
  return stages.filter(({ fate }) => fates.includes(fate)).map(({ stage }) => stage);
}

/** The roles whose agents had a task. */
function rolesWithAgents(run: Run): readonly string[] {
  return [...new Set(stagesIn(run).flatMap((stage) => (run.steps[stage.id]?.seat == null ? [] : (roleAt(stage) ?? []))))];
}

/** What a person types to have a part of a run that is done again. */
export function fromLast(id: string, { stages }: Pick<Plan, 'stages'>): string {
  return commandLine('llmc', 'recover', id, '--from', stages.at(-1)?.id ?? '', '--dry-run');
}

interface RefusalText {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Why a run cannot be recovered, and what to type instead. */
export function recoveryRefusalText(run: Run, refused: RecoveryRefusal): RefusalText {
  const { id, status, plan } = run;
  const show = commandLine('llmc', 'show', id);
  switch (refused.kind) {
    case 'done':
      return { code: 'ILLEGAL_TRANSITION', message: `${id} is done: there is nothing to recover`, hint: fromLast(id, plan) };
    case 'unknown_part':
      return { code: 'INVALID_ARGUMENT', ...unknownPart(run, refused.name, ['recover', id, '--from']) };
    case 'not_ended':
      return {
        code: 'ILLEGAL_TRANSITION',
        message: `${id} is ${status}: only a run that has ended can be recovered`,
        hint: show,
      };
    case 'no_checkpoint': {
      const all = refused.damaged.join(', ');
      return {
        code: 'STATE_INVALID',
        message: all === '' ? `${id} has no checkpoint` : `every checkpoint of ${id} is damaged: ${all}`,
        hint: show,
      };
    }
    case 'unknown_checkpoint':
      return {
        code: 'INVALID_ARGUMENT',
        message: `${id} has no checkpoint of this name${refused.known.length === 0 ? '' : `; it has ${refused.known.join(', ')}`}`,
        hint: commandLine('llmc', 'checkpoint', id, '--list'),
      };
    case 'damaged_checkpoint':
      return {
        code: 'STATE_INVALID',
        message: 'that checkpoint is damaged: its hash does not match',
        hint: commandLine('llmc', 'recover', id),
      };
  }
}
