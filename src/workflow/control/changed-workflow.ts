import { LlmcError } from '../../base/error.ts';
import type { Plan } from '../definition/plan.ts';
import { readWorkflow } from '../definition/read-workflow.ts';
import type { Run } from '../model/run.ts';
import { planChange } from '../next/change/plan-change.ts';
import { type ChangeView, changeRefusalText, changeView, hintFor } from './change-view.ts';
import { invalidWorkflow } from './invalid-workflow.ts';
import { requireAgents } from './require-items.ts';

/** The text of a workflow file that a paused run should go on with. */
export interface WorkflowText {
  /** What the file is called in messages. */
  readonly file: string;
  readonly text: string;
  /** For a workflow of the library, whose file must carry its name. */
  readonly name?: string | undefined;
}

/** Checks a changed workflow as a new run would, then whether the run can go on with it. Throws what is wrong. */
export function changedWorkflow(
  run: Run,
  { file, text, name }: WorkflowText,
  agents: readonly string[] | undefined,
): { readonly plan: Plan; readonly change: ChangeView } {
  const reading = readWorkflow(text, { agents, name });
  if (reading.kind === 'invalid') throw invalidWorkflow(file, reading.problems, 'changed');
  const { plan } = reading;
  const change = planChange(run, plan);
  if (change.refusals.length > 0) {
    const [first = '', ...others] = change.refusals.map((refusal) => changeRefusalText(run, refusal));
    throw new LlmcError('INVALID_ARGUMENT', `${run.id} cannot go on with ${file}: ${first}`, {
      ...(others.length > 0 && { details: others.join('\n') }),
      hint: hintFor(run, change.refusals, file),
    });
  }
  requireAgents(plan, run.inputs, agents ?? []);
  return { plan, change: changeView(run, change) };
}
