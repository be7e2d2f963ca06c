/** The longest part of a workflow's name in the name of a run: `<run>-<role>` must be usable as the name of a worker, with 32 characters. */
const LONGEST_STEM = 10;

/** The first free name of a run: `swarm-1`, `literature-2`. */
export function freeRunId(workflow: string, taken: Iterable<string>): string {
  const stem = nameStem(workflow);
  const names = new Set(taken);
  const numbers = [...names].flatMap((name) => (name.startsWith(`${stem}-`) ? [numberIn(name.slice(stem.length + 1))] : []));
  return `${stem}-${Math.max(0, ...numbers) + 1}`;
}

/** Cut after a word where there is one. */
function nameStem(workflow: string): string {
  if (workflow.length <= LONGEST_STEM) return workflow.replace(/-+$/, '');
  const cut = workflow.slice(0, LONGEST_STEM + 1);
  const word = cut.lastIndexOf('-');
  return cut.slice(0, word > 0 ? word : LONGEST_STEM).replace(/-+$/, '');
}

function numberIn(rest: string): number {
  return /^\d{1,9}$/.test(rest) ? Number(rest) : 0;
}

/** The worker that a run makes for a role; `n` counts from 1 where several work in the same role. */
export function runWorkerName(run: string, role: string, n = 1): string {
  return `${run}-${role}${n === 1 ? '' : `-${n}`}`;
}

/** Where the shell lines of a run have their worktree, in place of a role: the name of a role cannot begin with a hyphen. */
export const CHECK_SEAT = '-check';

/** The worker whose worktree the shell lines of a run have. */
export function checkWorkerName(run: string): string {
  return runWorkerName(run, CHECK_SEAT);
}

/** A worktree without an agent: people see the stage that uses it, not the worker. */
export function isCheckWorker({ name, run }: { readonly name: string; readonly run: { readonly id: string } | null }): boolean {
  return run !== null && name === checkWorkerName(run.id);
}

/** Whether a worker is one of those that a run made for a role. */
export function isRunWorker(worker: string, run: string, role: string): boolean {
  const first = runWorkerName(run, role);
  return worker === first || (worker.startsWith(`${first}-`) && numberIn(worker.slice(first.length + 1)) > 1);
}
