import { visibleIn } from '../../../base/visible-text.ts';
import { loadConfigInForce } from '../../../config/in-force.ts';
import { workflowSettings } from '../../../config/workflow-settings.ts';
import { openGit } from '../../../git/run.ts';
import { openWithoutTrace } from '../../../store/database.ts';
import { systemClock } from '../../../system/clock.ts';
import { askLineIfOpen } from '../../../system/lines.ts';
import { systemProcesses } from '../../../system/processes/processes.ts';
import type { WorkflowText } from '../../../workflow/control/changed-workflow.ts';
import { previewResume, type Resumed, type ResumeRequest, requirePaused } from '../../../workflow/control/resume-run.ts';
import { findWorkflow, rootAgents } from '../../../workflow/library/library.ts';
import type { RunView } from '../../../workflow/view/run-view.ts';
import type { Shell } from '../../shell.ts';
import { openRuns } from '../open-runs.ts';
import { readRunView } from '../read-runs.ts';
import { pauseSummary } from '../text/pause-text.ts';
import { changeLines } from '../text/resume-text.ts';
import { withProgress } from '../with-progress.ts';
import { followPause } from './follow-pause.ts';
import { chosen, menuLines, type ResumeChoice, resumeChoices } from './resume-menu.ts';
import { type RunFiles, readRunFiles, runFilesText } from './run-files.ts';

export type ResumeOutput =
  | { readonly kind: 'resumed' | 'planned'; readonly resumed: Resumed }
  /** What the run was when it ended, or when it needed the person. */
  | { readonly kind: 'followed'; readonly view: RunView }
  | { readonly kind: 'files'; readonly files: RunFiles }
  | { readonly kind: 'left'; readonly run: string };

/** How the command was typed. */
export interface ResumeOptions {
  readonly run: string;
  readonly from: string | undefined;
  readonly restart: string | undefined;
  readonly skipTo: string | undefined;
  /** The name or the file of a changed workflow. */
  readonly workflow: string | undefined;
  readonly artifacts: boolean;
  readonly dryRun: boolean;
}

/** Shows what the pause found, asks on a terminal if nothing was chosen, and lets the run go on. */
export async function resumeOrShow(shell: Shell, { artifacts, dryRun, workflow: word, ...options }: ResumeOptions): Promise<ResumeOutput> {
  const { run } = options;
  await requirePausedRun(shell, run);
  if (artifacts) return { kind: 'files', files: readRunFiles(shell.layout, await readRunView(shell, run)) };
  const workflow = word === undefined ? undefined : await readText(shell, word);
  const request = { ...options, workflow };
  // What agents still save counts as complete.
  if (options.skipTo !== undefined && !dryRun) await followPause(shell, run);
  const preview = await readPreview(shell, request);
  if (dryRun) return { kind: 'planned', resumed: preview };
  const view = await pausedView(shell, run);
  sayAll(shell, [`${run}:`, ...pauseSummary(visibleIn(view), systemClock.now())]);
  if (preview.change !== null) await confirmChange(shell, preview);
  const isChosen = Object.values(request).filter((each) => each !== undefined).length > 1;
  if (isChosen || !shell.isInteractive || shell.options.yes) return { kind: 'resumed', resumed: await shell.call('resume', request) };
  return await ask(shell, run, view);
}

async function requirePausedRun({ layout }: Shell, id: string): Promise<void> {
  using opened = openRuns(layout);
  await requirePaused(opened.runs, id);
}

/** On a terminal, what is still being saved is shown too. */
async function pausedView(shell: Shell, run: string): Promise<RunView> {
  const view = shell.isInteractive ? await followPause(shell, run) : await readRunView(shell, run);
  return { ...view, stages: await withProgress(shell.layout, view.stages) };
}

async function readText(shell: Shell, word: string): Promise<WorkflowText> {
  const { file, text, origin, name } = (await findWorkflow(shell.root, openGit(systemProcesses), word)).workflow;
  return { file, text, ...(origin !== undefined && { name }) };
}

/** Reads from disk only, with or without a supervisor. */
async function readPreview({ layout, root }: Shell, request: ResumeRequest): Promise<Resumed> {
  using opened = openRuns(layout, openWithoutTrace);
  const run = await requirePaused(opened.runs, request.run);
  return await previewResume(run, request, {
    agents: async () => await rootAgents(root),
    continueWithout: async () => workflowSettings((await loadConfigInForce(root)).config, process.env).continueWithout,
  });
}

async function confirmChange(shell: Shell, { run, change }: Resumed): Promise<void> {
  if (change === null) return;
  sayAll(shell, changeLines(change));
  await shell.confirm(`Go on with the changed workflow?`, { message: `${run} stays paused`, hint: `llmc show ${run}` });
}

async function ask(shell: Shell, run: string, view: RunView): Promise<ResumeOutput> {
  const choices = resumeChoices(view);
  for (;;) {
    sayAll(shell, menuLines(choices));
    const answer = await askLineIfOpen(`${run} [1]: `);
    // After Ctrl+C the cursor is still on the line of the question.
    if (answer === undefined) shell.say('');
    const choice = answer === undefined ? ({ kind: 'leave' } as const) : chosen(choices, answer);
    if (choice?.kind === 'leave') return { kind: 'left', run };
    if (choice?.kind === 'artifacts') sayAll(shell, runFilesText(readRunFiles(shell.layout, view), shell.root).split('\n'));
    else if (choice === undefined) shell.say(`Type a number from 1 to ${choices.length}.`);
    else return await take(shell, run, choice);
  }
}

async function take(shell: Shell, run: string, choice: Exclude<ResumeChoice, { kind: 'artifacts' | 'leave' }>): Promise<ResumeOutput> {
  if (choice.kind === 'skip_to')
    await shell.confirm(
      `What is not complete before ${choice.stage} is left out, and what nobody has checked is marked unverified. Skip to it?`,
      {
        message: `${run} stays paused`,
        hint: `llmc resume ${run}`,
      },
    );
  const resumed = await shell.call('resume', {
    run,
    ...(choice.kind === 'restart' && { restart: choice.address }),
    ...(choice.kind === 'skip_to' && { skipTo: choice.stage }),
  });
  return { kind: 'resumed', resumed };
}

function sayAll(shell: Shell, lines: readonly string[]): void {
  for (const line of lines) shell.say(line);
}
