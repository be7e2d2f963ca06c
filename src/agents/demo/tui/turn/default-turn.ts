import type { Step } from '../scenario/step.ts';
import { gistOf, taskOf } from './task.ts';

const ATTRIBUTION = '🤖 Generated with the llmc demo agent\n\nCo-Authored-By: Demo Agent <demo-agent@llmc.invalid>';

/**
 * The steps for a prompt without a scenario: a small real change and a
 * commit. Each worker has its own file, so that parallel workers do not conflict.
 */
export function defaultSteps(prompt: string, worker: string, at: number): Step[] {
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
