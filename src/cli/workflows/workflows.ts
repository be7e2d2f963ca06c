import { openGit } from '../../git/run.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { workflowJsonSchema } from '../../workflow/definition/json-schema.ts';
import { findWorkflow, openLibrary, type WorkflowFile, type WorkflowOrigin } from '../../workflow/library/library.ts';
import type { Shell } from '../shell.ts';

interface Checked {
  readonly name: string;
  readonly origin: WorkflowOrigin | 'path';
  readonly file: string;
  readonly valid: boolean;
  readonly problems: readonly { readonly line: number; readonly column: number; readonly message: string }[];
}

export interface ListedWorkflow extends Checked {
  readonly description: string;
  /** The workflow of the same name that is used in its place. */
  readonly shadowed_by: WorkflowOrigin | null;
}

export type WorkflowsOutput =
  | { readonly action: 'list'; readonly workflows: readonly ListedWorkflow[]; readonly repository_problem: string | null }
  | ({ readonly action: 'show'; readonly text: string; readonly shadows: readonly string[]; readonly plan: object | null } & Checked)
  | ({ readonly action: 'validate'; readonly stages: number; readonly roles: number } & Checked)
  | { readonly action: 'schema'; readonly schema: object };

export async function runWorkflows(shell: Shell, action: WorkflowsOutput['action'], word: string): Promise<WorkflowsOutput> {
  if (action === 'schema') return { action, schema: workflowJsonSchema() };
  const git = openGit(systemProcesses);
  if (action === 'list') {
    const library = await openLibrary(shell.root, git);
    const seen = new Map<string, WorkflowOrigin>();
    const listed = library.workflows.map((file): ListedWorkflow => {
      const winner = seen.get(file.name);
      if (winner === undefined && file.origin !== undefined) seen.set(file.name, file.origin);
      const description = file.reading.kind === 'valid' ? file.reading.plan.description : '';
      return { ...checked(file), description, shadowed_by: winner ?? null };
    });
    return { action, workflows: listed, repository_problem: library.problem ?? null };
  }
  const { workflow: file, shadows } = await findWorkflow(shell.root, git, word);
  const plan = file.reading.kind === 'valid' ? file.reading.plan : null;
  if (action === 'validate')
    return { action, ...checked(file), stages: plan?.stages.length ?? 0, roles: Object.keys(plan?.roles ?? {}).length };
  return { action, ...checked(file), text: file.text, plan, shadows: shadows.map((each) => each.file) };
}

function checked({ name, origin, file, reading }: WorkflowFile): Checked {
  return {
    name,
    origin: origin ?? 'path',
    file,
    valid: reading.kind === 'valid',
    problems: reading.kind === 'valid' ? [] : reading.problems,
  };
}
