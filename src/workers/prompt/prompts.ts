import type { Config } from '../../config/schema.ts';
import type { Worker } from '../../store/state.ts';

/** Separates llmc's own instructions from the text of the user. */
export const TASK_HEADING = '## Task';

/** The instructions for the end of a task, by the result it is expected to leave. */
const ENDINGS: Readonly<Record<Worker['expects'], { readonly rules: readonly string[]; readonly finish: string }>> = {
  commit: {
    rules: [
      'When you are done, make a single commit with a detailed message that says what changed and why.',
      'Do not push, and do not switch branches: a person reviews the commit and llmc lands it.',
    ],
    finish: 'finish it with a commit',
  },
  answer: {
    rules: ['Change no files and commit nothing: give the whole answer in your last message.'],
    finish: 'finish it with the whole answer in your last message; nothing is to be committed',
  },
  artifact: {
    rules: ['When you are done, write what the task asks for to the place it names; commit and push nothing.'],
    finish: 'finish what it asks for; nothing is to be committed',
  },
};

const WORKING_IN = 'You are working in: ';

/** Where an agent finds what a run gives it, and leaves its results. In every worktree, and in none of its commits. */
export const TASK_FOLDER = '.llmc-task';
const RESULTS_FOLDER = `${TASK_FOLDER}/out`;

/** @param files what the task leaves in the folder for results, if it is expected to leave files. */
export function taskPrompt(worker: Worker, root: string, config: Config, task: string, files: readonly string[] = []): string {
  const checks = [...config.repo.format, ...config.repo.validate];
  const rules = [
    'Follow the conventions of this repository (AGENTS.md or CLAUDE.md, if there is one).',
    ...(checks.length === 0 || worker.expects !== 'commit'
      ? []
      : [`Before you commit, run these and make them pass: ${checks.map((line) => `\`${line}\``).join(', ')}`]),
    ...(files.length === 0 ? ENDINGS[worker.expects].rules : [filesRule(files)]),
  ];
  return [
    `${WORKING_IN}${worker.worktree_path}`,
    `Repository root: ${root}`,
    '',
    ...rules.map((rule) => `- ${rule}`),
    '',
    TASK_HEADING,
    '',
    task,
  ].join('\n');
}

const filesRule = (files: readonly string[]): string =>
  `When you are done, these files must be there: ${files.map((file) => `${RESULTS_FOLDER}/${file}`).join(', ')}. Write them; commit and push nothing.`;

/** The text of the user in a prompt that `taskPrompt` made; any other prompt as it is. */
export function taskIn(prompt: string): string {
  const heading = `\n${TASK_HEADING}\n\n`;
  const at = prompt.indexOf(heading);
  return at === -1 || !prompt.slice(0, at).includes(WORKING_IN) ? prompt : prompt.slice(at + heading.length);
}

const FEEDBACK_HEADING = '\n\n## Feedback\n\n';
const REVIEWED_HEADING = '\n\n## What was reviewed\n\n';

/** @param reviewed what the feedback is about. */
export function feedbackPrompt(
  feedback: string,
  reviewed: string,
  notes: readonly { readonly at: string; readonly text: string }[],
): string {
  return [
    'Your commit was reviewed and sent back. Make the changes asked for below, then commit again (amend your commit or add one; llmc makes a single commit of them). The message says what the whole change does and why; it does not mention the review or its remarks.',
    FEEDBACK_HEADING,
    [feedback, ...notes.map(({ at, text }) => `At ${at}: ${text}`)].join('\n\n'),
    REVIEWED_HEADING,
    reviewed,
  ].join('');
}

/** The text of the user in a prompt that `feedbackPrompt` made; any other prompt as it is. */
export function feedbackIn(prompt: string): string {
  const from = prompt.indexOf(FEEDBACK_HEADING);
  // No line of a diff begins like this, so the last heading is that of llmc, also if the feedback has the same one.
  const to = prompt.lastIndexOf(REVIEWED_HEADING);
  return from === -1 || to < from ? prompt : prompt.slice(from + FEEDBACK_HEADING.length, to);
}

const CHECK_AND_CONTINUE = 'Check the working tree (git status, git log), then continue the task where you left off and';

export function continuePrompt(expects: Worker['expects']): string {
  const { finish } = ENDINGS[expects];
  return `Your session was interrupted and is now resumed. ${CHECK_AND_CONTINUE} ${finish}. If you had asked something and got no answer, ask again.`;
}

/** The first words of a conversation that replaces one which could not be resumed. */
export function lostConversationPrompt(expects: Worker['expects']): string {
  const { finish } = ENDINGS[expects];
  return `Your earlier conversation could not be resumed, so this is a new one, with only what is still open. What you had answered before is not repeated; its results are in the working tree and in the commits of your branch. ${CHECK_AND_CONTINUE} ${finish}. If you had asked something and got no answer, ask again.`;
}

/** The answer to a question whose dialog ended with the agent. */
export function answerPrompt(question: string, choices: readonly string[], answer: string, expects: Worker['expects']): string {
  return [
    `You asked: ${question}`,
    ...(choices.length === 0 ? [] : [`The choices were: ${choices.join(' / ')}`]),
    `The answer: ${answer}`,
    `Your session was interrupted after you had asked and is now resumed. ${CHECK_AND_CONTINUE} ${ENDINGS[expects].finish}.`,
  ].join('\n\n');
}

/** For an agent that was interrupted while it resolved a conflict. */
export function continueConflictPrompt(): string {
  return 'Your session was interrupted while you resolved a conflict and is now resumed. Check where the rebase stands (git status), then continue to resolve it.';
}

/** For an agent whose conversation was shortened because it was full. */
export function afterCompactionPrompt(expects: Worker['expects']): string {
  return `Your conversation was full and is now a summary. ${CHECK_AND_CONTINUE} ${ENDINGS[expects].finish}.`;
}

/** For an agent whose last turn the service or the network ended. */
export function afterFailurePrompt(expects: Worker['expects']): string {
  return `Your last turn ended with an error of the service or the network. ${CHECK_AND_CONTINUE} ${ENDINGS[expects].finish}.`;
}

const BLOCKED = 'If a command hangs, end it and run it with a time limit. If you are blocked, say what you need.';

/** For an agent that was interrupted because it showed no progress. */
export function nudgePrompt(quietMinutes: number, expects: Worker['expects']): string {
  return `Status check: this turn showed no progress for ${quietMinutes} minutes, so it was interrupted. ${BLOCKED} Otherwise continue the task and ${ENDINGS[expects].finish}.`;
}

/** For an agent that did not answer the first one. */
export function secondNudgePrompt(minutesLeft: number, expects: Worker['expects']): string {
  return `Second status check: a person is called if there is no progress in the next ${minutesLeft} minutes. ${BLOCKED} Otherwise keep what you have, continue the task and ${ENDINGS[expects].finish}.`;
}

export function afterLimitPrompt(expects: Worker['expects']): string {
  return `The usage limit that stopped you is over. ${CHECK_AND_CONTINUE} ${ENDINGS[expects].finish}.`;
}
