import { LlmcError } from '../../../base/error.ts';
import { visibleLine } from '../../../base/visible-text.ts';
import type { Effect } from '../../../tui/model/effect.ts';
import { askSupervisor, notRunning } from '../../owner/owner.ts';
import { sentText } from '../../text/sent-text.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';

type Said = Extract<Effect, { kind: 'message' | 'answer' | 'decide' }>;

const PATIENCE_MS = 120_000;

/** A message, or the answer to a question of a worker or a run. */
export async function say(said: Said, { own }: Surroundings): Promise<EffectOutcome> {
  const good = (text: string): EffectOutcome => ({ notice: { tone: 'good', text } });
  switch (said.kind) {
    case 'message': {
      const { sendPrompt } = await import('../../owner/recorded-prompt.ts');
      const request = { worker: said.worker, text: said.text, timeoutMs: PATIENCE_MS };
      const sent = await sendPrompt(own.layout.database, said.text, async () => await own.call('message', request));
      return good(sentText(sent, `${said.worker} has the message.`));
    }
    case 'answer': {
      const { worker, choice, dialog } = said;
      if (dialog === null)
        throw new LlmcError('INVALID_ARGUMENT', `${worker} asks nothing that was on the screen`, { hint: `llmc why ${worker}` });
      const answered = await askSupervisor(own, 'answer', { worker, choice, asked: dialog });
      if (answered === undefined) throw notRunning();
      const { answer, sent, next } = answered.result;
      return good(
        `${said.worker}: ${sent ? 'answered with' : 'kept until its last question is answered:'} "${visibleLine(answer)}".${next === null ? '' : ` It now asks: ${visibleLine(next)}`}`,
      );
    }
    case 'decide': {
      const { run, number, option, text } = said;
      const decided = await own.call('decide', { run, number, option, ...(text !== undefined && { text }) });
      return good(`${run}#${number}: ${decided.option}.`);
    }
  }
}
