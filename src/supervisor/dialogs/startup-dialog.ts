import { isLogin, openDialog } from '../../agents/activity.ts';
import type { Agent } from '../../agents/agent.ts';
import type { WorkContext } from '../../workers/context.ts';
import { type Capture, captureAfterKey, captureWhenStill } from '../observe/capture.ts';
import { noteCapture } from '../observe/screen-watch.ts';
import type { Watch } from '../observe/watch.ts';

/**
 * Claude Code 2.1.325 draws its trust dialog twice, some 250 ms apart, and the second begins at "No, exit" again:
 * an Enter meant for the first would end it.
 */
const STILL_MS = 500;

/** Answers a dialog at start-up by one step, or asks a person when the adapter has no answer. Returns true when a key was sent. */
export async function answerStartup(context: WorkContext, watch: Watch, agent: Agent): Promise<boolean> {
  const question = openQuestion(watch);
  if (question === undefined && watch.startupDialog.reported !== undefined) thankPerson(context, watch, watch.startupDialog.reported);
  if (question === undefined || watch.screen.capture === undefined) return false;
  if (agent.startupStep(watch.screen.capture.screen) === undefined) {
    // The assessment may outlast the dialog by a pass or two, until the agent has drawn its next screen.
    if (watch.screen.capture.reading.activity.kind === 'awaiting_question') callPerson(context, watch, question);
    return false;
  }
  const session = context.store.worker(watch.name).session_id;
  const note = (captured: Capture) => noteCapture(watch, captured, context.clock.now());
  const still = await captureWhenStill(context, agent, session, STILL_MS);
  note(still);
  const step = agent.startupStep(still.screen);
  if (step === undefined) return true;
  const summary = `dialog "${question}": ${step.why} (${step.keys.join(' ')})`;
  context.store.commit({ worker: watch.name, kind: 'dialog', summary });
  await context.terminal.keys(session, step.keys);
  note(await captureAfterKey(context, agent, session, still.screen));
  return true;
}

/** A dialog at start-up, or the dialog in which the CLI asks what to do at a usage limit. */
function openQuestion({ assessment, screen: { capture } }: Watch): string | undefined {
  const { activity } = assessment;
  if (activity.kind === 'awaiting_question' && activity.questionType === 'startup') return activity.question;
  return activity.kind === 'waiting_limit' && capture?.reading.box.kind === 'absent' ? 'usage limit' : undefined;
}

/** Reports each dialog once. */
function callPerson(context: WorkContext, watch: Watch, question: string): void {
  if (watch.startupDialog.reported === question) return;
  watch.startupDialog = { reported: question };
  const dialog = openDialog(watch.assessment.activity);
  const needsLogin = dialog !== undefined && isLogin(dialog);
  context.store.changeWorker(watch.name, {
    kind: 'dialog',
    summary: needsLogin ? `the agent is not logged in: ${question}` : `a start-up dialog needs a person: ${question}`,
    change: (worker) => {
      worker.attention = needsLogin ? { kind: 'login', question } : { kind: 'startup_dialog', question };
    },
  });
}

/** Clears the attention after a person answered the dialog. */
function thankPerson(context: WorkContext, watch: Watch, question: string): void {
  watch.startupDialog = { reported: undefined };
  context.store.changeWorker(watch.name, {
    kind: 'dialog',
    summary: `the start-up dialog is answered: ${question}`,
    change: (worker) => {
      if (worker.attention?.kind === 'startup_dialog' || worker.attention?.kind === 'login') worker.attention = null;
    },
  });
}
