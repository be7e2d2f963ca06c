import { visibleLine } from '../../base/visible-text.ts';
import type { ReviewStage, WorkStage } from '../definition/plan.ts';
import { render } from '../definition/template.ts';
import type { Run } from '../model/run.ts';
import { ifInconsistent, listItems } from '../model/stage-at.ts';
import { before, listInside } from './items/before.ts';
import { keysToName } from './items/named-items.ts';
import { requireRole } from './seat.ts';
import {
  DIFF_FILE,
  HANDOFF_FILE,
  IN_FOLDER,
  MESSAGES_FOLDER,
  OUT_FOLDER,
  type PlaceOfFile,
  PROGRESS_FILE,
  promptValues,
  quoteLines,
} from './values.ts';

/** Everything that is said to an agent of a run, so that it can be read in one place. */
export function composePrompt(run: Run, stage: WorkStage | ReviewStage, conversation: 'fresh' | 'resume' = 'fresh'): string {
  const { feedback, round, tried } = requireStep(run, stage.id);
  const again = conversation === 'fresh' ? HANDOFF : AGAIN;
  const begun = tried.length > 0 ? [again] : takesUp(run, stage) ? [TAKEN_UP] : [];
  const parts = [
    ...begun,
    render(stage.prompt, promptValues(run, stage.id)),
    ...filesToRead(run, stage),
    ...filesToLeave(run, stage),
    exchanging(run, stage),
  ];
  if (stage.kind === 'review' && round > 1)
    parts.push(`This is round ${round} of the review. Check whether your earlier remarks are resolved.`);
  if (feedback !== null) parts.push(feedback);
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What the stage asks of its agent, in the words of the workflow file; without what llmc adds. */
export function renderTask(run: Run, stage: WorkStage | ReviewStage): string {
  return render(stage.prompt, promptValues(run, stage.id)).trim();
}

/** What the workflow file asks the person to look at who reviews in this stage; files are those of the run, which has no worktree for them. */
export function promptForPerson(run: Run, stage: ReviewStage, placeOf: PlaceOfFile): string {
  return render(stage.prompt, promptValues(run, stage.id, placeOf)).trim();
}

function filesToRead(run: Run, stage: WorkStage | ReviewStage): readonly string[] {
  const files = listStagesToRead(run, stage).flatMap((id) =>
    Object.keys(run.steps[id]?.result?.artifacts ?? {}).map((name) => `- ${IN_FOLDER}/${id}/${name}${describeMarks(run, id)}`),
  );
  const lost = lostItems(run, stage).map((address) => `- ${address}: ${run.steps[address]?.state.kind ?? ''}`);
  const commit = stage.kind === 'review' ? run.steps[stage.of]?.result?.commit : undefined;
  return [
    ...(commit == null
      ? []
      : [`The work to review is commit ${commit}, on which your worktree stands. What it changed: ${IN_FOLDER}/${DIFF_FILE}`]),
    ...(files.length === 0 ? [] : [`Results of earlier stages, to read:\n${files.join('\n')}`]),
    ...(lost.length === 0 ? [] : [`What earlier stages should have left and did not:\n${lost.join('\n')}`]),
  ];
}

/** What is not to be relied on, such as a section that nobody has challenged: a later stage can say so. */
function describeMarks(run: Run, address: string): string {
  const marks = run.steps[address]?.marks ?? [];
  return marks.length === 0 ? '' : ` (marked: ${visibleLine(marks.join(', '))})`;
}

function lostItems(run: Run, stage: WorkStage | ReviewStage): readonly string[] {
  const earlier = earlierThan(run, stage);
  return run.plan.stages
    .filter(({ id, kind }) => kind === 'for_each' && earlier.has(id))
    .flatMap(({ id }) => listItems(run, id))
    .filter((address) => ['failed', 'skipped'].includes(run.steps[address]?.state.kind ?? ''));
}

function filesToLeave(run: Run, stage: WorkStage | ReviewStage): readonly string[] {
  if (stage.kind === 'review')
    return [
      [
        VERDICT_PROMPT,
        ...(ifInconsistent(run, stage) === undefined ? [] : [INCONSISTENT]),
        ...itemsPrompt(keysToName(run, stage)),
        ...(stage.onFailure.cannot_judge === undefined ? [] : [CANNOT_JUDGE]),
      ].join('\n'),
    ];
  if (stage.output.kind !== 'files') return [];
  // The worker's own instructions name the files.
  return stage.output.files.flatMap(({ path, schema }) =>
    schema === undefined ? [] : [`${OUT_FOLDER}/${path} must satisfy this JSON Schema: ${JSON.stringify(schema)}`],
  );
}

/** For an agent that gets messages with its task. */
export const LETTERS = `Messages for you are in ${IN_FOLDER}/${MESSAGES_FOLDER}/: read them first.`;

/** How an agent reports and writes to others, also from a sandbox. */
function exchanging({ plan }: Run, stage: WorkStage | ReviewStage): string {
  const others = Object.keys(plan.roles).filter((role) => role !== requireRole(stage));
  const progress = `If it takes long, keep ${OUT_FOLDER}/${PROGRESS_FILE} up to date, with the keys done, total and note.`;
  if (others.length === 0) return progress;
  return `${progress} To tell another role something (${others.join(', ')}), write ${OUT_FOLDER}/${MESSAGES_FOLDER}/<name>.yaml with the keys to and text: it is delivered when your turn ends.`;
}

const AGAIN = 'Your session ended before this task was finished. Continue where you were; here is the task again.';
const HANDOFF = `Another agent began this task and could not finish it. What it left is in your worktree, and ${IN_FOLDER}/${HANDOFF_FILE} says what is known: look at both first, then continue.`;

const TAKEN_UP = `Another agent has done this task, and a review has remarks about its result. Go on from this result: its commits are in your worktree, its files in ${IN_FOLDER}. The remarks are at the end.`;

const VERDICT_PROMPT = `Change nothing in the worktree. Write your verdict to ${OUT_FOLDER}/verdict.yaml, in this form:
verdict: approved    # or: changes
issues:              # with changes: one remark per entry, each with its file and what to do
  - "…"`;

const INCONSISTENT = 'If the work contradicts another result, so that a correction of it alone does not help: verdict: inconsistent';

/** What goes back then are these items alone. */
function itemsPrompt(keys: readonly string[]): readonly string[] {
  return keys.length === 0 ? [] : [`If only some of the items must be made again, add items: [${keys[0]}]. They are: ${keys.join(', ')}`];
}

const CANNOT_JUDGE = 'If you cannot judge the work at all: verdict: cannot_judge, with the reason under issues';
export const JUDGE_AGAIN =
  'You left the verdict cannot_judge. Look at the work once more and leave your verdict as asked; if you still cannot judge it, leave cannot_judge again.';

export function remarksPrompt(issues: readonly string[], round: number, maxRounds: number): string {
  return `The review of your work (round ${round} of ${maxRounds}) found:\n${listedRemarks(issues)}\nResolve each remark, then finish as before.`;
}

/** For the agents of a stage that begins again. */
export function rolledBackPrompt(reason: string, issues: readonly string[]): string {
  const found = issues.length === 0 ? '' : `\nWhat was found:\n${listedRemarks(issues)}\n`;
  return `An earlier result was not used: ${reason}.${found === '' ? ' ' : found}It is in the archive of the run. Make it again, with this in mind.`;
}

/** Each line of a remark is indented: what the reviewer wrote must not look like a word of llmc. */
export function listedRemarks(issues: readonly string[]): string {
  return issues.map((issue) => `- ${issue.replaceAll('\n', '\n  ')}`).join('\n');
}

/** A message between roles. Each of its lines is quoted, so that no line of it can pose as a message of another sender. */
export function messagePrompt(from: string, text: string): string {
  return `Message from ${from === 'person' ? 'a person' : from}:\n${quoteLines(text)}`;
}

export function problemsPrompt(problems: readonly string[]): string {
  return `The result of your task is not usable yet:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nCorrect it, then finish.`;
}

export const MORE_TIME = 'You have more time for your task. Go on with it, and leave its result as asked.';

/** For an agent whose run a person pauses. */
export const SAVE = `Stop: a person pauses this run. Save to ${OUT_FOLDER}/ now what you have, and write ${OUT_FOLDER}/${PROGRESS_FILE} with the keys done, total and note (done equals total only if the whole task is finished), then end your turn. You have less than 30 seconds. The rest can be done later.`;

export const NUDGE = 'How far is your task? If it is finished, leave its result as asked. If not, go on with it.';

/** The earlier stages whose files an agent finds in its worktree: those that its needs made, and what it reviews. */
export function listStagesToRead(run: Run, stage: WorkStage | ReviewStage): readonly string[] {
  const own = takesUp(run, stage) ? [stage.id] : [];
  return [...earlierThan(run, stage), ...own].filter((id) => Object.keys(run.steps[id]?.result?.artifacts ?? {}).length > 0);
}

/** Whether work goes on from a result that is there, also by a new worker: a review has remarks about it. */
export function takesUp(run: Run, { id, kind }: WorkStage | ReviewStage): boolean {
  const { feedback, result } = requireStep(run, id);
  return kind === 'work' && feedback !== null && result !== null;
}

function earlierThan(run: Run, stage: WorkStage | ReviewStage): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const earlier of before(run, id)) add(earlier);
    for (const inside of listInside(run, id)) add(inside);
  };
  for (const earlier of before(run, stage.id)) add(earlier);
  return found;
}

function requireStep(run: Run, address: string) {
  const step = run.steps[address];
  if (step === undefined) throw new Error(`the run has no step ${address}`);
  return step;
}
