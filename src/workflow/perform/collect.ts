import { TASK_FOLDER } from '../../workers/prompt/prompts.ts';
import type { OutputFile } from '../definition/plan.ts';
import type { Action, Task } from '../model/action.ts';
import type { Artifact, Result, Run, Verdict } from '../model/run.ts';
import { runWorkerName } from '../model/run-names.ts';
import { stageAt } from '../model/stage-at.ts';
import { keysToName } from '../next/items/named-items.ts';
import { OUT_FOLDER, PROGRESS_FILE } from '../next/values.ts';
import { LARGEST_ARTIFACT } from './artifacts.ts';
import type { PerformContext, Performed, Performing } from './context.ts';
import type { Left } from './exchange.ts';
import { checkFile } from './left/check-file.ts';
import { postMessages } from './left/messages.ts';
import { readProgress } from './left/progress.ts';
import { readVerdict } from './left/verdict.ts';
import type { RunWorkerView } from './run-workers.ts';

type Collect = Extract<Task, { kind: 'collect' }>;
const LARGEST_PROGRESS = 4_096;

type Found = { readonly problems: readonly string[] } | { readonly result: Result };

const NONE: Result = { artifacts: {}, commit: null, answer: null, verdict: null };

/** Takes what the agent left, checks it and stores it. */
export async function performCollect(
  context: PerformContext,
  run: Run,
  action: Action,
  task: Collect,
  performing: Pick<Performing, 'post'>,
): Promise<Performed> {
  const { id } = action;
  const view = context.workers.view(runWorkerName(run.id, task.seat));
  // A person removed the worker: the step begins again.
  if (view === undefined) return { kind: 'lost', action: id };
  await postMessages(context, run, action, { worktree: view.worktree, tried: run.steps[action.step]?.tried ?? [] }, performing);
  if (task.saved === true && !(await isFinished(context, task, view.worktree)))
    return { kind: 'invalid', action: id, problems: ['the work is not finished'] };
  const found = await collected(context, run, action, task, view);
  return 'problems' in found
    ? { kind: 'invalid', action: id, problems: found.problems }
    : { kind: 'collected', action: id, result: found.result };
}

/** Whether an agent that was stopped says itself that nothing is left to do. Its last message is about the stop, so it is not an answer. */
async function isFinished({ exchange }: PerformContext, { output }: Collect, worktree: string): Promise<boolean> {
  if (output.kind === 'answer') return false;
  const left = await exchange.read(worktree, PROGRESS_FILE, LARGEST_PROGRESS);
  const progress = left.kind === 'text' ? readProgress(left.text) : null;
  return progress !== null && progress.total > 0 && progress.done >= progress.total;
}

async function collected(context: PerformContext, run: Run, action: Action, task: Collect, view: RunWorkerView): Promise<Found> {
  switch (task.output.kind) {
    case 'commit':
      return await commit(context, run, action, view);
    case 'answer':
      return view.answer === null || view.answer.trim() === ''
        ? { problems: ['your last message is empty: give the whole answer in it'] }
        : { result: { ...NONE, answer: view.answer } };
    case 'files':
      return await files(context, run, action, task, task.output.files, view);
  }
}

async function commit({ git, fault }: PerformContext, run: Run, { step }: Action, { worktree, base }: RunWorkerView): Promise<Found> {
  const { head, ahead, dirty } = await git.work(worktree, base);
  if (ahead === 0)
    return { problems: [dirty ? 'your changes are not committed: make one commit' : 'there is no commit: make one commit with your work'] };
  if (await git.hasTaskFolder(head))
    return { problems: [`your commit contains ${TASK_FOLDER}, which is not part of the work: take it out`] };
  await fault('collect:before-ref');
  await git.keep(run.id, step, head);
  return { result: { ...NONE, commit: head } };
}

async function files(
  { exchange, artifacts, fault }: PerformContext,
  run: Run,
  { step }: Action,
  { verdict: isVerdict }: Collect,
  wanted: readonly OutputFile[],
  { worktree }: RunWorkerView,
): Promise<Found> {
  const problems: string[] = [];
  const texts: { readonly path: string; readonly text: string; readonly value: unknown }[] = [];
  for (const file of wanted) {
    const left = await exchange.read(worktree, file.path, LARGEST_ARTIFACT);
    if (left.kind !== 'text') {
      problems.push(leftText(file.path, left));
      continue;
    }
    const checked = checkFile(file, left.text);
    if (checked.kind === 'invalid') problems.push(...checked.problems.map((problem) => `${OUT_FOLDER}/${problem}`));
    else texts.push({ path: file.path, text: left.text, value: checked.value });
  }
  if (problems.length > 0) return { problems };
  const verdict = isVerdict ? checkVerdict(texts, listKeys(run, step)) : null;
  if (verdict !== null && 'problems' in verdict) return verdict;
  await fault('collect:before-store');
  const attempt = run.steps[step]?.attempt ?? 0;
  const stored = texts.map(({ path, text, value }): [string, Artifact] => [
    path,
    artifacts.store(run.id, `${step}-${attempt}`, path, text, value),
  ]);
  await fault('collect:after-store');
  return { result: { ...NONE, artifacts: Object.fromEntries(stored), verdict } };
}

function listKeys(run: Run, step: string): readonly string[] {
  const stage = stageAt(run, step);
  return stage === undefined ? [] : keysToName(run, stage);
}

function checkVerdict(
  [file]: readonly { readonly path: string; readonly value: unknown }[],
  keys: readonly string[],
): Verdict | { readonly problems: readonly string[] } {
  const found = readVerdict(file?.path ?? '', file?.value, keys);
  return 'problems' in found ? { problems: found.problems.map((problem) => `${OUT_FOLDER}/${problem}`) } : found;
}

function leftText(path: string, { kind }: Exclude<Left, { kind: 'text' }>): string {
  const place = `${OUT_FOLDER}/${path}`;
  switch (kind) {
    case 'missing':
      return `${place} is missing: write it`;
    case 'too_large':
      return `${place} is larger than ${LARGEST_ARTIFACT / 1024} KB: shorten it`;
    case 'link':
      return `${place} is a link: write a plain file`;
    case 'folder':
    case 'other':
      return `${place} is not a plain file: write one`;
  }
}
