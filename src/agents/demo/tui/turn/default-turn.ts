import type { Step } from '../scenario/step.ts';
import { gistOf, taskOf } from './task.ts';

const ATTRIBUTION = '🤖 Generated with the llmc demo agent\n\nCo-Authored-By: Demo Agent <noreply@llmc.invalid>';

/** Every prompt about a conflict names the command that ends it; a task that is quoted below its heading does not count. */
function isConflict(prompt: string): boolean {
  return prompt.split(/^##[ \t]+Task[ \t]*$/m)[0]?.includes('git rebase --continue') === true;
}

/**
 * The steps for a prompt without a scenario: a small real change and a
 * commit. Each worker has its own file, so that parallel workers do not conflict.
 */
export function defaultSteps(prompt: string, worker: string, at: number): Step[] {
  if (isConflict(prompt)) {
    return [
      { kind: 'take', ms: 300 },
      { kind: 'resolve', how: 'both' },
      { kind: 'say', text: 'I kept the lines of both sides and continued the rebase.' },
    ];
  }
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
