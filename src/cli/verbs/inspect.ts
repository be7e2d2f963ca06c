import { findDetail } from '../../agents/activity-detail.ts';
import { LlmcError } from '../../base/error.ts';
import { jsonText } from '../../base/visible-text.ts';
import { defineVerb } from '../verb.ts';

export const inspect = defineVerb({
  name: 'inspect',
  summary: 'show how llmc classifies a screen',
  description:
    'Classifies the screen of a worker\'s agent, or a screen saved with "tmux capture-pane -p". Use it to debug a wrong status, to write the patterns of a declared agent, or to record screens of a new agent version.',
  verbatim: true,
  arguments: [],
  options: [
    { flags: '--worker <name>', about: 'classify the current screen of this worker' },
    { flags: '--agent <name>', about: 'the agent whose rules apply: claude, codex, demo, or one declared in config.toml' },
    { flags: '--screen <file>', about: 'the recorded screen' },
  ],
  examples: ['llmc inspect --worker adam', 'llmc inspect --agent claude --screen frozen.txt --json'],
  async run(input, shell) {
    const { liveScreen, recordedScreen } = await import('../input/screen-to-inspect.ts');
    const [worker, agent, file] = [input.text('worker'), input.text('agent'), input.text('screen')];
    if (worker === undefined && (agent === undefined || file === undefined))
      throw new LlmcError('INVALID_ARGUMENT', 'either --worker is needed, or --agent and --screen', { hint: 'llmc inspect --help' });
    const seen =
      worker === undefined ? await recordedScreen(shell.root, agent ?? '', file ?? '') : await liveScreen(shell.layout, worker, agent);
    const { activity, confidence, rule, box } = seen.agent.classify(seen.screen);
    const { suggestReady } = await import('../../agents/declared/suggest-pattern.ts');
    // For a declared agent whose patterns do not fit, and for one without any.
    const suggested = seen.agent.patterns !== undefined && activity.kind === 'unknown' ? (suggestReady(seen.screen.lines) ?? null) : null;
    const boxText = box.kind === 'text' || box.kind === 'folded' ? box.text : null;
    return {
      kind: activity.kind,
      detail: findDetail(activity),
      confidence,
      rule,
      box: box.kind,
      box_text: boxText,
      plain: seen.agent.plain !== undefined,
      suggested,
    };
  },
  text: ({ kind, detail, confidence, rule, box, box_text, plain, suggested }) =>
    [
      `${kind}${detail === null ? '' : ` (${detail})`}, confidence ${confidence}: ${rule}; input box ${box}${box_text === null ? '' : `: ${jsonText(box_text)}`}`,
      ...(plain ? ['It has no pattern for its input box: where no other pattern matches, llmc decides by its silence (llmc why).'] : []),
      ...(suggested === null ? [] : [`If this screen waits for a prompt, try: ${suggested}`]),
    ].join('\n'),
});
