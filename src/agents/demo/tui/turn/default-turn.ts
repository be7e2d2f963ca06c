import type { OpenTurn } from '../conversation.ts';
import { type AskedFile, OUT_FOLDER } from '../results/asked-files.ts';
import type { Step } from '../scenario/step.ts';
import { asksToSave, gistOf, taskOf } from './task.ts';

const ATTRIBUTION = '🤖 Generated with the llmc demo agent\n\nCo-Authored-By: Demo Agent <noreply@llmc.invalid>';

/** What the agent reports when it is told to save and has nothing left to do. */
export const SAVED = { kind: 'progress', done: 1, total: 1, note: 'finished' } as const satisfies Step;

/** Every prompt about a conflict names the command that ends it; a task that is quoted below its heading does not count. */
function isConflict(prompt: string): boolean {
  return prompt.split(/^##[ \t]+Task[ \t]*$/m)[0]?.includes('git rebase --continue') === true;
}

/** llmc says it above the task. */
function asksForAnswer(prompt: string): boolean {
  return prompt.split(/^##[ \t]+Task[ \t]*$/m)[0]?.includes('Change no files and commit nothing') === true;
}

const answerTo = (prompt: string): string =>
  [
    `# ${gistOf(prompt)}`,
    '',
    'The demo agent cannot read code, so this is what an answer looks like:',
    '',
    '- it is *Markdown*',
    '- it is kept',
  ].join('\n');

/**
 * The steps for a prompt without a scenario: the files that it asks for, else a small real change and
 * a commit. Each worker has its own file, so that parallel workers do not conflict.
 */
export function defaultSteps({ prompt, at, files }: OpenTurn, worker: string): Step[] {
  if (isConflict(prompt)) {
    return [
      { kind: 'take', ms: 300 },
      { kind: 'resolve', how: 'both' },
      { kind: 'say', text: 'I kept the lines of both sides and continued the rebase.' },
    ];
  }
  // Everything is done already.
  if (asksToSave(prompt)) return [SAVED];
  if (files.length > 0) return resultSteps(files);
  if (asksForAnswer(prompt))
    return [
      { kind: 'take', ms: 400 },
      { kind: 'say', text: answerTo(prompt) },
    ];
  const day = new Date(at).toISOString().slice(0, 10);
  const path = `llmc-demo/${worker}.md`;
  const gist = gistOf(prompt);
  const note = gistOf(prompt, 200);
  return [
    { kind: 'say', text: `I will note this in ${path} and commit it: ${gist}` },
    { kind: 'take', ms: 600 },
    { kind: 'edit', path, change: { how: 'append', text: `- ${day}: ${note}\n` } },
    { kind: 'take', ms: 400 },
    { kind: 'commit', message: `${gist}\n\n${taskOf(prompt).slice(0, 2_000)}\n\n${ATTRIBUTION}` },
    { kind: 'say', text: `Done: ${path} has a new line and the change is committed.` },
  ];
}

/** Commits nothing: a task that asks for files has no other result. */
function resultSteps(asked: readonly AskedFile[]): Step[] {
  const total = asked.length;
  const files = asked.map(({ path }) => path);
  const written = files.flatMap((file, index): Step[] => [
    { kind: 'take', ms: 400 },
    { kind: 'leave', file, content: { how: 'good' } },
    { kind: 'progress', done: index + 1, total, note: file },
  ]);
  return [
    { kind: 'say', text: `I will write ${files.join(', ')}.` },
    { kind: 'progress', done: 0, total, note: '' },
    ...written,
    { kind: 'say', text: `Done: ${files.join(', ')} in ${OUT_FOLDER}.` },
  ];
}
