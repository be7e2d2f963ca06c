import { LlmcError } from '../../base/error.ts';
import { defineVerb } from '../verb.ts';
import type { WorkflowsOutput } from '../workflows/workflows.ts';

const ACTIONS = ['list', 'show', 'validate', 'schema'] as const;

export const workflows = defineVerb<WorkflowsOutput>({
  name: 'workflows',
  summary: 'list, show and check workflows',
  description:
    'A workflow is a YAML file that says which roles work on a task, in which stages. "list" lists those of the root (its folder workflows), of the repository (the folder workflows of its main branch) and of llmc itself; of two with the same name, the root wins over the repository, and the repository over llmc. "show <name>" prints the file, "validate <name or file>" prints all of its problems with line and column and exits with 2 if there are any, "schema" prints the JSON Schema for editors. A workflow can be named by its name, or by the path of a file.',
  verbatim: true,
  arguments: [
    { syntax: '[action]', about: 'list (default), show, validate or schema', words: ACTIONS },
    { syntax: '[workflow]', about: 'with show and validate: a name, or the path of a file' },
  ],
  options: [],
  examples: [
    'llmc workflows',
    'llmc workflows show swarm',
    'llmc workflows show swarm > ~/llmc/workflows/swarm.yaml',
    'llmc workflows validate ./mine.yaml',
    'llmc workflows schema > workflow.schema.json',
  ],
  async run(input, shell) {
    const [word = 'list', name] = input.args;
    const action = ACTIONS.find((each) => each === word);
    if (action === undefined)
      throw new LlmcError('INVALID_ARGUMENT', `"${word}" is not list, show, validate or schema`, { hint: 'llmc workflows --help' });
    if ((action === 'show' || action === 'validate') && name === undefined)
      throw new LlmcError('INVALID_ARGUMENT', `name the workflow to ${action}`, { hint: 'llmc workflows list' });
    const { runWorkflows } = await import('../workflows/workflows.ts');
    const output = await runWorkflows(shell, action, name ?? '');
    if (output.action === 'validate' && !output.valid) process.exitCode = 2;
    return output;
  },
  json: async (output) => (await import('../workflows/workflows-text.ts')).workflowsJson(output),
  text: async (output, shell) => (await import('../workflows/workflows-text.ts')).workflowsText(output, shell),
});
