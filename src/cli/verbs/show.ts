import type { ShownQuestion } from '../runs/approved-work.ts';
import type { ShownRun } from '../runs/run-agents.ts';
import { defineVerb } from '../verb.ts';

type ShownResult = Omit<ShownRun, 'questions'> & { readonly questions: readonly ShownQuestion[] };

export const show = defineVerb<ShownResult | undefined>({
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
    const { readRunView, sayIfGone } = await import('../runs/read-runs.ts');
    sayIfGone(shell);
    const { withAgents } = await import('../runs/run-agents.ts');
    const { withApprovedWork: withWork } = await import('../runs/approved-work.ts');
    const view = await withAgents(shell, await readRunView(shell, id));
    return { ...view, questions: await withWork(shell, view.questions) };
  },
  async text(view, shell) {
    if (view === undefined) return '';
    const [{ showText }, { workLines }] = await Promise.all([import('../runs/text/show-text.ts'), import('../runs/approved-work.ts')]);
    const work = view.questions.flatMap((question) => workLines(question, shell.options.color));
    return [showText(view, Date.now(), shell.display), ...(work.length === 0 ? [] : ['', ...work])].join('\n');
  },
});
