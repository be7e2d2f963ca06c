import { commandLine } from '../../base/shell-quote.ts';
import { isOver, type Run, type Step } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { stageAt } from '../model/stage-at.ts';
import { hasEnded } from '../next/next.ts';
import { roleAt } from '../next/seat.ts';
import type { OpenTask } from '../store/ports.ts';

/** What the root says about a worker, beside the record of its run. */
export interface WorkerFacts {
  readonly hasWorktree: boolean;
  /** `unknown`: tmux did not answer. */
  readonly session: 'alive' | 'gone' | 'unknown';
}

export interface RecoveryFacts {
  /** Without those that the root does not know. */
  readonly workers: ReadonlyMap<string, WorkerFacts>;
  /** Whether a result is where it was, by its path in the folder of the run. */
  readonly hasArtifact: (path: string) => boolean;
  readonly tasks: readonly OpenTask[];
}

/** What the last step of a recovery found. */
export interface Verification {
  /** `open`: nothing is wrong, and something has not begun yet. */
  readonly verdict: 'sound' | 'open' | 'problems';
  readonly lines: readonly string[];
}

type Found = { readonly kind: 'sound' | 'open' | 'problem'; readonly line: string };

/** Checks that what should go on does so: agents, worktrees, results, messages, and that nothing waits for what never comes. */
export function verifyRecovery(run: Run, facts: RecoveryFacts): Verification {
  const steps = Object.values(run.steps);
  const lost = steps.flatMap((step) => artifactsLost(step, facts));
  const ended: readonly Found[] =
    hasEnded(run) && run.status !== 'done'
      ? [{ kind: 'problem', line: `${run.id} has ${run.status} again${run.error === null ? '' : `: ${run.error.message}`}` }]
      : [];
  const all = [...ended, ...steps.flatMap((step) => stepFound(run, step, facts)), ...lost, ...messagesFound(run, facts)];
  const has = (kind: Found['kind']) => all.some((one) => one.kind === kind);
  const results = steps.filter(({ state }) => state.kind === 'done').length;
  return {
    verdict: has('problem') ? 'problems' : has('open') ? 'open' : 'sound',
    lines: [
      ...all.map(({ kind, line }) => (kind === 'problem' ? `! ${line}` : line)),
      ...(results > 0 && lost.length === 0 ? [`the results of ${counted(results, 'stage')} are there`] : []),
      ...(has('problem') ? [`look: ${commandLine('llmc', 'why', run.id)}`] : []),
    ],
  };
}

/** One look at a step that has not ended. */
function stepFound(run: Run, step: Step, facts: RecoveryFacts): readonly Found[] {
  const { address, state, seat } = step;
  if (isOver(step)) return [];
  const stage = stageAt(run, address);
  const role = stage && roleAt(stage);
  const name = role === undefined || seat === null ? undefined : runWorkerName(run.id, role, seat);
  const worker = name === undefined ? undefined : facts.workers.get(name);
  switch (state.kind) {
    case 'acting':
      if (!facts.tasks.some(({ id }) => id === state.action) && state.startBy === undefined)
        return [{ kind: 'problem', line: `${address} waits for an action that nobody performs` }];
      return [{ kind: 'open', line: `${name ?? address} has not begun ${name === undefined ? '' : `${address} `}yet` }];
    case 'cooling':
      return [{ kind: 'open', line: `${address} has not begun yet` }];
    case 'working':
      if (name === undefined || stage?.kind === 'land') return [{ kind: 'sound', line: `${address} is under way` }];
      return [
        worker === undefined ? { kind: 'problem', line: `${name}, which works on ${address}, is gone` } : judgeLife(name, address, worker),
      ];
    case 'asking':
      if (run.escalations.some(({ number, answer }) => number === state.escalation && answer === null))
        return [{ kind: 'sound', line: `${address} asks you (#${state.escalation})` }];
      return [{ kind: 'problem', line: `${address} waits for an answer to a question that is not open` }];
    default:
      return [];
  }
}

function judgeLife(name: string, address: string, { hasWorktree, session }: WorkerFacts): Found {
  if (!hasWorktree) return { kind: 'problem', line: `${name} has no worktree` };
  if (session === 'gone') return { kind: 'problem', line: `${name} should work on ${address}, and its session is gone` };
  if (session === 'unknown') return { kind: 'open', line: `${name} works on ${address}; tmux did not answer` };
  return { kind: 'sound', line: `${name} works on ${address}, in its worktree` };
}

/** A later stage reads them. */
function artifactsLost({ address, state, result }: Step, { hasArtifact }: RecoveryFacts): readonly Found[] {
  if (state.kind !== 'done') return [];
  const gone = Object.values(result?.artifacts ?? {}).filter(({ path }) => !hasArtifact(path));
  return gone.map(({ path }) => ({ kind: 'problem', line: `the result ${path} of ${address} is missing` }));
}

function messagesFound({ roles }: Run, { tasks }: RecoveryFacts): readonly Found[] {
  const letters = Object.entries(roles).flatMap(([role, state]) =>
    state.letters.length === 0 ? [] : [{ role, count: state.letters.length }],
  );
  const stuck = tasks.filter(({ kind, attempt, state }) => kind === 'deliver' && attempt > 1 && state === 'open').length;
  return [
    ...letters.map(({ role, count }): Found => ({ kind: 'sound', line: `${counted(count, 'message')} for ${role} go with its next task` })),
    ...(stuck === 0 ? [] : [{ kind: 'problem' as const, line: `${counted(stuck, 'message')} could not be delivered yet` }]),
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Whether there is something to wait for before it is verified: an action that is being performed, or that is about to be. */
export function isUnderWay(run: Run, tasks: readonly OpenTask[], now: number): 'performed' | 'queued' | undefined {
  if (run.status !== 'running') return undefined;
  const steps = Object.values(run.steps);
  if (steps.some(({ state }) => state.kind === 'cooling' && state.until <= now)) return 'performed';
  const acting = steps.flatMap(({ state }) => (state.kind === 'acting' ? [state] : []));
  if (acting.length === 0) return undefined;
  const isQueued = ({ action }: { readonly action: string }) => tasks.some(({ id, state }) => id === action && state === 'open');
  return acting.every(isQueued) ? 'queued' : 'performed';
}
