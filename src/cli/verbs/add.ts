import { defineVerb } from '../verb.ts';

export const add = defineVerb({
  name: 'add',
  summary: 'add a worker',
  description:
    'Creates a worktree and a branch for a new worker and registers it. If the supervisor is running, the agent starts at once. A worker that the pool has made is kept and not removed any more.',
  arguments: [{ syntax: '<name>', about: 'a-z, 0-9 and "-", at most 32 characters, a letter first' }],
  options: [
    { flags: '--agent <name>', about: 'the agent (default: [defaults] agent)' },
    { flags: '--model <model>', about: 'the model' },
    { flags: '--role-prompt <text>', about: 'the role prompt of this worker' },
    { flags: '--excluded', about: 'leave it out of the pool: it gets only tasks that name it' },
  ],
  examples: ['llmc add adam', 'llmc add baker --model sonnet --role-prompt "You care about the user interface."'],
  interrupted: () => 'Cancelled. To check whether the worker was added: llmc status',
  async run(input, shell) {
    const { parseWorkerName } = await import('../../config/worker-name.ts');
    const name = parseWorkerName(input.args[0] ?? '');
    const [agent, model, rolePrompt] = [input.text('agent'), input.text('model'), input.text('rolePrompt')];
    const overrides = {
      ...(agent !== undefined && { agent }),
      ...(model !== undefined && { model }),
      ...(rolePrompt !== undefined && { role_prompt: rolePrompt }),
      ...(input.flag('excluded') && { excluded_from_pool: true }),
    };
    return await shell.call('add', { name, overrides });
  },
  text: (worker) => `Added ${worker.name} (${worker.agent}) in ${worker.worktree_path}.`,
});
