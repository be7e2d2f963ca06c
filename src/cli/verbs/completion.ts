import { LlmcError } from '../../base/error.ts';
import { defineVerb } from '../verb.ts';

export const completion = defineVerb<string>({
  name: 'completion',
  summary: 'print a completion script for your shell',
  description: 'For bash: source <(llmc completion bash). For zsh: source <(llmc completion zsh). For fish: llmc completion fish | source.',
  arguments: [{ syntax: '<shell>', about: 'bash, zsh or fish' }],
  options: [],
  verbatim: true,
  examples: ['llmc completion bash >> ~/.bashrc', 'llmc completion fish > ~/.config/fish/completions/llmc.fish'],
  async run(input, { options }) {
    const { completionScript, SHELLS } = await import('../completion-script.ts');
    const [shell = ''] = input.args;
    const known = SHELLS.find((name) => name === shell);
    if (known === undefined)
      throw new LlmcError('INVALID_ARGUMENT', `there is no completion for "${shell}"`, { hint: `Use one of: ${SHELLS.join(', ')}.` });
    return completionScript(known, options.declarations);
  },
  text: (script) => script,
});
