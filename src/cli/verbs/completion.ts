import { basename } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import type { OfferedValue } from '../completion/list-values.ts';
import { defineVerb } from '../verb.ts';

export const completion = defineVerb<string | readonly OfferedValue[]>({
  name: 'completion',
  summary: 'print a completion script for your shell',
  description:
    'For bash: source <(llmc completion bash). For zsh: source <(llmc completion zsh). For fish: llmc completion fish | source. Tab then offers commands, options, workers, runs, rescues, tasks of the queue, workflows, templates, agents, statuses and paths.',
  arguments: [{ syntax: '[shell]', about: 'bash, zsh or fish (default: the one of $SHELL)', words: ['bash', 'zsh', 'fish'] }],
  options: [
    {
      flags: '--list <kind>',
      about: 'for the scripts: the names of a kind that only llmc can read, task or workflow',
      words: ['task', 'workflow'],
    },
  ],
  verbatim: true,
  examples: ['llmc completion bash >> ~/.bashrc', 'llmc completion fish > ~/.config/fish/completions/llmc.fish'],
  async run(input, shell) {
    const list = input.text('list');
    if (list !== undefined) {
      const { LISTED, listValues } = await import('../completion/list-values.ts');
      const kind = LISTED.find((known) => known === list);
      if (kind === undefined)
        throw new LlmcError('INVALID_ARGUMENT', `there is no list of "${list}"`, { hint: `Use one of: ${LISTED.join(', ')}.` });
      return await listValues(kind, shell);
    }
    const { completionScript, SHELLS } = await import('../completion/completion-script.ts');
    const name = input.args[0] ?? basename(process.env.SHELL ?? '');
    const known = SHELLS.find((each) => each === name);
    if (known === undefined)
      throw new LlmcError('INVALID_ARGUMENT', `there is no completion for "${name}"`, { hint: `Use one of: ${SHELLS.join(', ')}.` });
    return completionScript(known, shell.options.declarations);
  },
  text: (result) => (typeof result === 'string' ? result : result.map(({ name, about }) => `${name}\t${about}`).join('\n')),
});
