import type { Agent } from '../agents/agent.ts';
import type { WorkContext } from '../workers/context.ts';
import { lookAfterKey } from './look.ts';
import { noteLook, type Watch } from './watch.ts';

/** One step through a dialog at start-up, or a word to the person when the adapter leaves it to them. True when a key was sent. */
export async function answerStartup(context: WorkContext, watch: Watch, agent: Agent): Promise<boolean> {
  const { activity } = watch.assessment;
  if (activity.kind !== 'awaiting_question' || activity.questionType !== 'startup' || watch.look === undefined) return false;
  const { screen } = watch.look;
  const step = agent.startupStep(screen);
  if (step === undefined) {
    callPerson(context, watch, activity.question);
    return false;
  }
  const session = context.store.worker(watch.name).session_id;
  const summary = `start-up dialog "${activity.question}": ${step.why} (${step.keys.join(' ')})`;
  context.store.commit({ worker: watch.name, kind: 'dialog', summary });
  await context.terminal.keys(session, step.keys);
  const seen = await lookAfterKey(context, agent, session, screen);
  noteLook(watch, seen.screen, seen.reading, context.clock.now());
  return true;
}

/** Said once per dialog. */
function callPerson(context: WorkContext, watch: Watch, question: string): void {
  if (watch.dialogSaid === question) return;
  watch.dialogSaid = question;
  context.store.commit({
    worker: watch.name,
    kind: 'dialog',
    summary: `a start-up dialog needs a person: ${question}`,
    state: (draft) => {
      const worker = draft.workers[watch.name];
      if (worker !== undefined) worker.attention = `A dialog at start-up needs you: ${question} – llmc attach ${watch.name}`;
    },
  });
}
