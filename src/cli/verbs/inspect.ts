import { detailOf } from '../../agents/activity-detail.ts';
import { LlmcError } from '../../base/error.ts';
import { defineVerb } from '../verb.ts';

export const inspect = defineVerb({
  name: 'inspect',
  summary: 'say what the detector reads on a recorded screen',
  description:
    'Classifies a screen saved with "tmux capture-pane -p". For those who look into a wrong status, or record screens of a new agent version.',
  arguments: [],
  options: [
    { flags: '--agent <name>', about: 'whose rules: claude, demo, …' },
    { flags: '--screen <file>', about: 'the recorded screen' },
  ],
  examples: ['llmc inspect --agent claude --screen frozen.txt --json'],
  async run(input) {
    const [agent, file] = [input.text('agent'), input.text('screen')];
    if (agent === undefined || file === undefined)
      throw new LlmcError('INVALID_ARGUMENT', '--agent and --screen are both needed', { hint: 'llmc inspect --help' });
    const { findAgent } = await import('../../agents/registry.ts');
    const { screenFromText } = await import('../../terminal/screen.ts');
    const { textOfFile } = await import('../prompt-text.ts');
    const { activity, confidence, rule, box } = findAgent(agent).classify(screenFromText(await textOfFile(file)));
    return { kind: activity.kind, detail: detailOf(activity), confidence, rule, box: box.kind };
  },
  text: ({ kind, detail, confidence, rule, box }) =>
    `${kind}${detail === null ? '' : ` (${detail})`}, confidence ${confidence}: ${rule}; input box ${box}`,
});
