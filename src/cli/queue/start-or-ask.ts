import { LlmcError } from '../../base/error.ts';
import { visibleText } from '../../base/visible-text.ts';
import type { ArgsOf } from '../../supervisor/api/operations.ts';
import { askLineIfOpen } from '../../system/lines.ts';
import type { OfferedWorker } from '../../workers/pool/offer-worker.ts';
import type { Started } from '../../workers/start-task.ts';
import { printAside } from '../output.ts';
import { sendPrompt } from '../owner/recorded-prompt.ts';
import type { Shell } from '../shell.ts';

type Request = ArgsOf<'start'>;

/** The worker that is offered, in the words of a question. */
export function offerText({ name, agent, model }: OfferedWorker): string {
  return visibleText(`No worker is idle. Add one (${[name, agent, ...(model === null ? [] : [model])].join(', ')})?`);
}

/**
 * Starts a task. If no worker is idle, a person is asked whether to add one; `queue` is the answer that the task waits for one. `add`:
 * nobody is asked.
 */
export async function startOrAsk(shell: Shell, request: Request, add: boolean): Promise<Started | 'queue'> {
  const send = async (more: Pick<Request, 'add'>) =>
    await sendPrompt(shell.layout.database, request.prompt, async () => await shell.call('start', { ...request, ...more }));
  try {
    return await send(add || shell.options.yes ? { add: true } : {});
  } catch (error) {
    const mayAsk = error instanceof LlmcError && error.code === 'NO_IDLE_WORKER' && request.worker === undefined && shell.isInteractive;
    if (!mayAsk) throw error;
    const { agent, model } = request;
    const offered = await shell.call('offerWorker', { agent, model });
    // A worker is idle by now.
    if (offered === null) return await send({});
    printAside(`${visibleText(error.message)}\n`);
    const answer = await ask(offered);
    if (answer === 'queue') return 'queue';
    if (answer === 'add') return await send({ add: offered.name });
    throw new LlmcError('CANCELLED', 'the task was not started', { hint: 'llmc start --add "…", or let it wait: llmc start --queue "…"' });
  }
}

/** An empty answer means yes; the end of the input means no. */
async function ask(offered: OfferedWorker): Promise<'add' | 'queue' | 'nothing'> {
  for (;;) {
    const answer = await askLineIfOpen(`${offerText(offered)} [Y/n/q: let it wait in the queue] `);
    if (answer === undefined) {
      // The cursor is still on the line of the question.
      printAside('\n');
      return 'nothing';
    }
    const word = answer.trim().toLowerCase();
    if (['', 'y', 'yes'].includes(word)) return 'add';
    if (['q', 'queue'].includes(word)) return 'queue';
    if (['n', 'no'].includes(word)) return 'nothing';
  }
}
