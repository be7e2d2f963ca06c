import type { ShownRun } from '../runs/run-agents.ts';
import { defineVerb } from '../verb.ts';

export const show = defineVerb<ShownRun | undefined>({
  name: 'show',
  summary: 'show a run with its stages',
  description:
    'Shows the stages of a run as a tree: a review and a landing stand below the stage whose work they take. Each line has the role with its try (-r2) or its stand-in (-codex), the time, the round of a review, marks such as unverified, and what the stage waits for. Below them: the agents, with the tokens and the cost of their conversations, and what a person should do. Times in JSON are milliseconds since 1970. It also works without a supervisor.',
  arguments: [{ syntax: '<run>', about: 'the run' }],
  options: [{ flags: '--watch', about: 'update the output until the run ends, or Ctrl+C' }],
  examples: ['llmc show swarm-1', 'llmc show swarm-1 --watch', 'llmc show swarm-1 --json'],
  verbatim: true,
  async run(input, shell) {
    const id = input.args[0] ?? '';
    if (input.flag('watch')) {
      await (await import('../runs/watch-run.ts')).watchRun(shell, id);
      return undefined;
    }
    const { readRunView } = await import('../runs/read-runs.ts');
    const { withAgents } = await import('../runs/run-agents.ts');
    return await withAgents(shell, await readRunView(shell, id));
  },
  text: async (view, shell) =>
    view === undefined ? '' : (await import('../runs/text/show-text.ts')).showText(view, Date.now(), shell.display),
});
