import { LlmcError } from '../../base/error.ts';
import { shellWord } from '../../base/shell-quote.ts';
import type { AgentsOutput } from '../agents-file/agents.ts';
import { defineVerb } from '../verb.ts';

export const agents = defineVerb<AgentsOutput>({
  name: 'agents',
  summary: 'list and resolve the entries of an agents file',
  description:
    'An agents file says which agent does what in the items of a workflow, with an agent that takes over: for a story, for a task, for a complexity, and otherwise. "list <file>" prints its entries, "resolve <file>" which agents do a task of a story. Every problem of the file is reported with its line and column; if there is a root, also an agent that its config.toml does not know. A run reads the file when it starts: later changes count for the next run.',
  arguments: [
    { syntax: '<action>', about: 'list or resolve', words: ['list', 'resolve'] },
    { syntax: '<file>', about: 'the agents file, YAML or JSON' },
  ],
  options: [
    { flags: '--story <key>', about: 'with resolve: the story, or the key of another item' },
    { flags: '--task <stage>', about: 'with resolve: the stage of the item' },
    { flags: '--complexity <word>', about: 'with resolve: the complexity of the story' },
  ],
  examples: ['llmc agents list agents.yaml', 'llmc agents resolve agents.yaml --story s3 --task develop'],
  async run(input, shell) {
    const [action = '', file = ''] = input.args;
    if (action !== 'list' && action !== 'resolve')
      throw new LlmcError('INVALID_ARGUMENT', `"${action}" is not list or resolve`, { hint: 'llmc agents --help' });
    if (action === 'list' && ['story', 'task', 'complexity'].some((name) => input.text(name) !== undefined))
      throw new LlmcError('INVALID_ARGUMENT', '--story, --task and --complexity are for resolve', {
        hint: `llmc agents resolve ${shellWord(file)} --story …`,
      });
    const asked = { story: input.text('story'), task: input.text('task'), complexity: input.text('complexity') };
    return await (await import('../agents-file/agents.ts')).readAgents(action, file, asked, shell.root);
  },
  json: (output) => (output.action === 'list' ? { entries: output.entries } : output.resolved),
  text: async (output) => (await import('../agents-file/agents.ts')).agentsText(output),
});
