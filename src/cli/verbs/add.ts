import { defineVerb } from '../verb.ts';

export const add = defineVerb({
  name: 'add',
  summary: 'add a worker',
  description: 'Makes a worktree and a branch for a new worker and registers it. While the supervisor runs, its agent starts at once.',
  arguments: [{ syntax: '<name>', about: 'a-z, 0-9 and "-", at most 32 characters, a letter first' }],
  options: [
    { flags: '--agent <name>', about: 'its agent (default: [defaults] agent)' },
    { flags: '--model <model>', about: 'its model' },
    { flags: '--role-prompt <text>', about: 'what it should know about its role' },
    { flags: '--excluded', about: 'only gets work that names it' },
  ],
  examples: ['llmc add adam', 'llmc add baker --model sonnet --role-prompt "You care about the user interface."'],
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
