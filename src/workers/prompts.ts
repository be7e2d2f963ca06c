import type { Config } from '../config/schema.ts';
import type { Worker } from '../store/state.ts';

/** Marks where llmc's own words end and the user's begin. */
export const TASK_HEADING = '## Task';

export function taskPrompt(worker: Worker, root: string, config: Config, task: string): string {
  const checks = [...config.repo.format, ...config.repo.validate];
  const rules = [
    'Follow the conventions of this repository (AGENTS.md or CLAUDE.md, if there is one).',
    ...(checks.length === 0 ? [] : [`Before you commit, run these and make them pass: ${checks.map((line) => `\`${line}\``).join(', ')}`]),
    'When you are done, make a single commit with a detailed message that says what changed and why.',
    'Do not push, and do not switch branches: a person reviews the commit and llmc lands it.',
  ];
  return [
    `You are working in: ${worker.worktree_path}`,
    `Repository root: ${root}`,
    '',
    ...rules.map((rule) => `- ${rule}`),
    '',
    TASK_HEADING,
    '',
    task,
  ].join('\n');
}

/** @param reviewed what the feedback is about. */
export function feedbackPrompt(
  feedback: string,
  reviewed: string,
  notes: readonly { readonly at: string; readonly text: string }[],
): string {
  return [
    'Your commit was reviewed and sent back. Make the changes asked for below, then commit again (amend your commit or add one; llmc makes a single commit of them).',
    '',
    '## Feedback',
    '',
    feedback,
    ...notes.flatMap(({ at, text }) => ['', `At ${at}: ${text}`]),
    '',
    '## What was reviewed',
    '',
    reviewed,
  ].join('\n');
}

export const CONTINUE_PROMPT =
  'Your session was interrupted and has been taken up again. Look at the state of the working tree (git status, git log), then go on with the task where you left off and finish it with a commit. If you had asked something and got no answer, ask again.';

export const AFTER_LIMIT_PROMPT =
  'The usage limit that stopped you is over. Look at the state of the working tree (git status, git log), then go on with the task where you left off and finish it with a commit.';
