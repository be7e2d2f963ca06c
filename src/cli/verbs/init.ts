import { shellWord } from '../../base/shell-quote.ts';
import { defineVerb } from '../verb.ts';

export const init = defineVerb({
  name: 'init',
  summary: 'make a root for a repository',
  description:
    'Clones the source repository into a new llmc root, with configuration, state and folders. A root that is there already, or comes into being meanwhile, is refused untouched; a failed init leaves nothing behind. Warns when tmux or the agent is not installed yet.',
  arguments: [],
  options: [
    { flags: '--source <repo>', about: 'the repository accepted work lands in (default: the one you are in)' },
    { flags: '--target <dir>', about: 'where the root goes (default: --root, $LLMC_ROOT, ~/llmc)' },
    { flags: '--agent <name>', about: 'the agent of new workers: claude, codex, demo, or one declared in config (default: claude)' },
    { flags: '--branch <main>', about: 'the branch work lands on (default: detected)' },
  ],
  examples: ['llmc init --source ~/my/repo', 'llmc init --source ~/my/repo --target ~/llmc-trial --agent demo'],
  async run(input, shell) {
    const { initRoot } = await import('../../workers/init-root.ts');
    const { systemPorts } = await import('../owner/own-context.ts');
    const { interruption } = await import('../interruption.ts');
    const request = {
      source: input.text('source') ?? '.',
      target: input.text('target') ?? shell.root,
      agent: input.text('agent') ?? 'claude',
      branch: input.text('branch'),
    };
    return await initRoot(request, { ...systemPorts, say: shell.say, signal: interruption() });
  },
  text: (result) =>
    [
      `Made ${result.root} for ${result.source} (branch ${result.branch}, agent ${result.agent}).`,
      ...result.warnings.map((warning) => `Warning: ${warning}`),
      `Next: llmc add <name>${rootFlag(result.root)}, then llmc up --detach${rootFlag(result.root)}`,
    ].join('\n'),
});

function rootFlag(root: string): string {
  return process.env.LLMC_ROOT === root || root === `${process.env.HOME}/llmc` ? '' : ` --root ${shellWord(root)}`;
}
