import type { DecideOutput } from '../runs/decide.ts';
import { defineVerb } from '../verb.ts';

export const decide = defineVerb<DecideOutput>({
  name: 'decide',
  summary: 'answer a question of a run',
  description:
    'Without arguments, or with a run alone, it lists what waits for a person: the questions with their options, and the work to review; with a run, a question about a result shows its diff or its files. With an option, it answers: the word, its number, or its first letter if no other option begins with it. A run with several questions needs the number of the question: swarm-1#2. "answer" passes --text on to the agent; with "reject", --text says what is wrong; with "extend" after the last round of a review, it is one more remark. A question takes one answer, the first.',
  decides: true,
  verbatim: true,
  arguments: [
    { syntax: '[run]', about: 'the run, or one of its questions: swarm-1#2' },
    { syntax: '[option]', about: 'one of the options that the question offers' },
  ],
  options: [{ flags: '--text <text>', about: 'what to tell the agent' }],
  examples: ['llmc decide', 'llmc decide swarm-1 approve', 'llmc decide swarm-1#2 answer --text "Use port 8080"'],
  async run(input, shell) {
    const { decideOrList } = await import('../runs/decide.ts');
    return await decideOrList(shell, { word: input.args[0], option: input.args[1], text: input.text('text') });
  },
  json: (output) => (output.kind === 'listed' ? { questions: output.questions, reviews: output.reviews } : output.decided),
  text: async (output, shell) => (await import('../runs/decide.ts')).decideText(output, Date.now(), shell.display),
});
