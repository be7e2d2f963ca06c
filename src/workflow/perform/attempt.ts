import { LlmcError } from '../../base/error.ts';
import { TASK_FOLDER } from '../../workers/prompt/prompts.ts';
import { agentsFor } from '../agents-file/agents-for.ts';
import type { Action, Task } from '../model/action.ts';
import type { Run } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { LETTERS } from '../next/compose-prompt.ts';
import { DIFF_FILE } from '../next/values.ts';
import type { PerformContext, Performed } from './context.ts';
import type { Incoming } from './exchange.ts';
import { handoffNote } from './handoff.ts';
import { missedBy, toIncoming } from './letters.ts';
import { requireView } from './require-view.ts';
import type { GivenTask, NewRunWorker } from './run-workers.ts';

type Attempt = Extract<Task, { kind: 'attempt' }>;

/** Gives a stage's task to a worker of the run. The worker itself reports when its agent has it. */
export async function performAttempt(context: PerformContext, run: Run, { id, step }: Action, task: Attempt): Promise<Performed> {
  const { workers, exchange, git, fault } = context;
  const name = runWorkerName(run.id, task.seat);
  const { agent, model } = chooseAgent(run, { ...task, step });
  await workers.make(newRunWorker(run, { ...task, step }));
  await fault('attempt:after-make');
  const view = requireView(workers, name);
  const { worktree, task: last } = view;
  // After a crash behind `give`: its agent may have left results already, which a new exchange would delete.
  if (last === id) return { kind: 'given', action: id };
  const keeps = last !== null && task.continues.includes(last);
  const letters = [...missedBy(view), ...toIncoming(id, task.letters)];
  const takesOver = task.continues.length > 0 && task.conversation === 'fresh';
  const handoff = takesOver ? [await handoffNote(exchange, run, { ...task, step, worktree, keeps })] : [];
  if (keeps) await exchange.add(worktree, [...letters, ...handoff]);
  else {
    // A verdict that lies in the commit under review would be found where the reviewer leaves its own.
    if (await git.hasTaskFolder(task.base)) throw taskFolderIn(task.base);
    await exchange.prepare(worktree, [...(await incoming(context, run, task)), ...letters, ...handoff]);
  }
  await fault('attempt:after-exchange');
  if (task.endSession) await workers.rest(name);
  await workers.give({
    id,
    worker: name,
    agent,
    model,
    session: task.session,
    base: task.base,
    ...expected(task),
    prompt: task.letters.length === 0 && letters.length > 0 ? `${task.prompt}\n\n${LETTERS}` : task.prompt,
    worktree: keeps ? 'keep' : 'reset',
    conversation: task.conversation,
  });
  return { kind: 'given', action: id };
}

function taskFolderIn(base: string | null): LlmcError {
  return new LlmcError('STAGE_FAILED', `${base ?? 'main'} contains ${TASK_FOLDER}, where the results of agents lie`, {
    hint: `Remove it from the repository: git rm -r ${TASK_FOLDER}`,
  });
}

/** The worker of a role, as the plan describes it. */
export function newRunWorker(run: Run, worker: Pick<Attempt, 'seat' | 'role' | 'agent'> & Pick<Action, 'step'>): NewRunWorker {
  const { role, seat } = worker;
  return { name: runWorkerName(run.id, seat), run: run.id, role, ...chooseAgent(run, worker), prompt: run.plan.roles[role]?.prompt ?? '' };
}

function chooseAgent(
  run: Run,
  { role, agent, step }: Pick<Attempt, 'role' | 'agent'> & Pick<Action, 'step'>,
): { readonly agent: string | undefined; readonly model: string | undefined } {
  const { agent: own, model, fallback } = agentsFor(run, role, step);
  return agent === 'own' ? { agent: own, model } : { agent: fallback, model: undefined };
}

function expected({ output }: Attempt): Pick<GivenTask, 'expects' | 'files'> {
  if (output.kind !== 'files') return { expects: output.kind, files: [] };
  return { expects: 'artifact', files: output.files.map(({ path }) => path) };
}

async function incoming({ artifacts, git }: PerformContext, run: Run, task: Attempt): Promise<readonly Incoming[]> {
  const results = task.reads.flatMap((step) =>
    Object.entries(run.steps[step]?.result?.artifacts ?? {}).map(([name, artifact]) => ({
      path: `${step}/${name}`,
      text: artifacts.read(run.id, step, name, artifact),
    })),
  );
  const diff = task.diff === null ? [] : [{ path: DIFF_FILE, text: await git.diff(task.diff.from, task.diff.to) }];
  return [...results, ...diff];
}
