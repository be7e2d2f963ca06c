import { shellWord } from '../../base/shell-quote.ts';
import type { InitResult } from '../../workers/init-request.ts';
import { interruption } from '../interruption.ts';
import { rootHere } from '../roots/root-here.ts';
import { defineVerb } from '../verb.ts';

export const init = defineVerb({
  name: 'init',
  summary: 'create a root for a repository',
  description:
    'Clones the source repository into a new llmc root, with configuration, state and folders. Without --target, the first root of a user is ~/llmc and that of another repository ~/llmc-<its name>; a repository that has a root keeps it, and init says where it is. With --target, an existing root is refused and left unchanged, also if another process creates it at the same time. A failed init leaves nothing behind. Warns if tmux or the agent is not installed.',
  arguments: [],
  options: [
    { flags: '--source <repo>', about: 'the repository that accepted work lands in (default: the current one)' },
    {
      flags: '--target <dir>',
      about: 'the directory of the new root (default: --root, $LLMC_ROOT, else a free one: ~/llmc, ~/llmc-<repository>)',
    },
    { flags: '--agent <name>', about: 'the agent of new workers: claude, codex, demo, or one declared in config (default: claude)' },
    { flags: '--branch <main>', about: 'the branch that work lands on (default: detected)' },
    {
      flags: '--hardened',
      about:
        'a wall around every agent: a sandbox that llmc demands, no network but that of the agent itself, variables of the environment by list; refused if this machine can make no sandbox',
    },
  ],
  examples: [
    'llmc init --source ~/my/repo',
    'llmc init --source ~/my/repo --target ~/llmc-trial --agent demo',
    'llmc init --source ~/my/repo --hardened',
  ],
  interrupted: () => 'Cancelled. The new root is removed.',
  async run(input, shell) {
    const { setUpRoot: setUp } = await import('../roots/set-up.ts');
    const { systemPorts } = await import('../../system/ports.ts');
    const request = {
      source: input.text('source'),
      target: input.text('target') ?? shell.options.root ?? (process.env.LLMC_ROOT || undefined),
      agent: input.text('agent'),
      branch: input.text('branch'),
      hardened: input.flag('hardened'),
    };
    return await setUp(request, { ...systemPorts, say: shell.say, signal: interruption() });
  },
  text: (result) =>
    [
      describeRoot(result),
      ...(result.sandbox === 'none' ? [] : [`Every agent runs in a sandbox (${result.sandbox}), or not at all: docs/sandbox.md`]),
      ...result.warnings.map((warning) => `Warning: ${warning}`),
      result.existing
        ? `Next: llmc status${rootFlag(result.root)}`
        : result.rebuilt
          ? `Next: llmc doctor${rootFlag(result.root)}`
          : `Next: llmc add adam${rootFlag(result.root)}, then llmc up --detach${rootFlag(result.root)}; or a whole workflow: llmc run swarm${rootFlag(result.root)} --input task="…"`,
    ].join('\n'),
});

function describeRoot({ root, source, branch, agent, rebuilt, existing }: InitResult): string {
  const about = `${root} for ${source} (branch ${branch}, agent ${agent})`;
  if (existing) return `Already set up: ${about}. Nothing was changed.`;
  return `${rebuilt ? 'Wrote config.toml again in' : 'Created'} ${about}.`;
}

/** What a command in the current folder needs to find the root. */
function rootFlag(root: string): string {
  return root === rootHere().root ? '' : ` --root ${shellWord(root)}`;
}
