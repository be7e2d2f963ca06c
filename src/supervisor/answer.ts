import type { Activity } from '../agents/activity.ts';
import type { ScreenReading } from '../agents/agent.ts';
import { LlmcError } from '../base/error.ts';
import { agentOf, type WorkContext } from '../workers/context.ts';
import { move } from '../workers/move.ts';
import { look, lookAfterKey } from './look.ts';

export interface Answered {
  readonly worker: string;
  readonly question: string;
  readonly answer: string;
  /** The next question, when one dialog led to another. */
  readonly next: string | null;
}

type Dialog = Extract<Activity, { kind: 'awaiting_question' | 'awaiting_permission' }>;

/** More steps than any list of choices is long. */
const MOST_STEPS = 40;

/** Answers an open dialog, one key at a time with a look in between, so that nothing is confirmed unseen. */
export async function answerDialog(context: WorkContext, request: { worker: string; choice: string }): Promise<Answered> {
  const { store } = context;
  return await context.hands.hold(request.worker, async () => {
    const worker = store.worker(request.worker);
    const agent = agentOf(await context.config(), worker.agent);
    let seen = await look(context, agent, worker.session_id);
    const first = dialogOf(seen.reading);
    if (first === undefined) {
      throw new LlmcError('INVALID_ARGUMENT', `${worker.name} has no dialog open`, {
        hint: `llmc message ${worker.name} "…", or see: llmc why ${worker.name}`,
      });
    }
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      const dialog = dialogOf(seen.reading);
      if (dialog === undefined || dialog.question !== first.question) return goOn(context, worker.name, first, request.choice, dialog);
      const step = agent.answerStep(seen.screen, request.choice);
      if (step === undefined) throw noSuchChoice(worker.name, request.choice, dialog);
      store.commit({ worker: worker.name, kind: 'answer', summary: `"${first.question}": ${step.why} (${step.keys.join(' ')})` });
      if (step.text !== undefined) await context.terminal.paste(worker.session_id, step.text);
      await context.terminal.keys(worker.session_id, step.keys);
      seen = await lookAfterKey(context, agent, worker.session_id, seen.screen);
    }
    throw new LlmcError('AGENT_BLOCKED', `the dialog of ${worker.name} did not close`, { hint: `llmc attach ${worker.name}` });
  });
}

function goOn(context: WorkContext, name: string, dialog: Dialog, answer: string, next: Dialog | undefined): Answered {
  const { store, clock } = context;
  store.commit({
    worker: name,
    kind: 'answer',
    summary: `answered "${dialog.question}" with "${answer}"`,
    state: (draft) => {
      const worker = draft.workers[name];
      if (worker?.status === 'needs_input' && next === undefined) move(worker, 'continued', clock.now(), { attention: null });
    },
  });
  return { worker: name, question: dialog.question, answer, next: next?.question ?? null };
}

function dialogOf({ activity }: ScreenReading): Dialog | undefined {
  return activity.kind === 'awaiting_question' || activity.kind === 'awaiting_permission' ? activity : undefined;
}

function noSuchChoice(name: string, choice: string, dialog: Dialog): LlmcError {
  return new LlmcError('INVALID_ARGUMENT', `"${choice}" is none of the choices of ${name}`, {
    hint: `Use a number or the words of one: ${dialog.choices.map((label, index) => `${index + 1}. ${label}`).join(', ')}`,
  });
}
