import type { OpenTurn } from '../conversation.ts';
import { type Answer, permissionDialog, questionDialog } from '../dialog.ts';
import { exchange } from '../results/exchange.ts';
import type { FailureType, Step } from '../scenario/step.ts';
import { commitAll } from './commit.ts';
import { editFile } from './edit.ts';
import { followUp } from './plan.ts';
import { resolveConflicts } from './resolve.ts';
import type { Stage } from './stage.ts';
import { fillIn } from './task.ts';

export type TurnResult =
  | { readonly kind: 'ended'; readonly message: string }
  | {
      readonly kind: 'failed';
      readonly type: FailureType;
      readonly message: string;
      readonly resetsInMs: number | null;
      readonly continues: boolean;
    }
  | { readonly kind: 'left'; readonly status: number };

/** Runs the steps from the first unfinished one. `again` means that this step may be half done. */
export async function performTurn(
  plan: readonly Step[],
  open: OpenTurn,
  again: boolean,
  stage: Stage,
  signal: AbortSignal,
): Promise<TurnResult> {
  const steps = [...plan];
  let message = '';
  for (let index = open.done; index < steps.length; index += 1) {
    const step = steps[index];
    if (step === undefined) break;
    // These steps end the turn or the process, so store them first: otherwise each resume would repeat them.
    if (step.kind === 'misbehave' || step.kind === 'exit' || step.kind === 'fail') stage.done(index + 1);
    if (step.kind === 'exit') return { kind: 'left', status: step.status };
    if (step.kind === 'fail') return { ...step, kind: 'failed' };
    const outcome = await perform(step, again && index === open.done, stage, signal);
    if (outcome.answer !== undefined) {
      stage.answered(index, outcome.answer);
      steps.splice(index + 1, 0, ...followUp(step, outcome.answer));
    }
    message = outcome.said ?? message;
    signal.throwIfAborted();
    stage.done(index + 1);
    if (index === open.done) await stage.misbehave('as ordered', signal);
    signal.throwIfAborted();
  }
  return { kind: 'ended', message };
}

interface StepOutcome {
  /** Becomes the turn's last message. */
  readonly said?: string;
  readonly answer?: string;
}

async function perform(step: Step, again: boolean, stage: Stage, signal: AbortSignal): Promise<StepOutcome> {
  const fill = (text: string) => fillIn(text, stage.words);
  switch (step.kind) {
    case 'say':
      return say(fill(step.text), stage);
    case 'take':
      await stage.sleep(step.ms, signal);
      return {};
    case 'edit': {
      const path = fill(step.path);
      const finish = stage.tool('Edit', `Edit(${path})`);
      const change = step.change.how === 'replace' ? step.change : { ...step.change, text: fill(step.change.text) };
      const edited = editFile(stage.cwd, path, change, again);
      finish(edited.ok ? `${edited.content.split('\n').length - 1} lines` : edited.reason);
      return {};
    }
    case 'run':
      return runShown(fill(step.command), stage, signal);
    case 'resolve': {
      const finish = stage.tool('Bash', `Bash(resolve the conflicts: ${step.how})`);
      const { status, output } = await resolveConflicts(stage.cwd, stage.run, step.how, signal);
      finish(output.trim() || `exit status ${status ?? 'unknown'}`);
      return {};
    }
    case 'leave':
    case 'message':
    case 'progress':
      await exchange(step, stage, signal);
      return {};
    case 'commit': {
      const message = fill(step.message);
      const finish = stage.tool('Bash', `Bash(git commit -m ${JSON.stringify(message.split('\n')[0])})`);
      const committed = await commitAll(stage.run, message, signal);
      finish(committed.text.trim());
      return committed.ok ? {} : say('The commit failed.', stage);
    }
    case 'ask':
      return { answer: textOf(await stage.ask(questionDialog(fill(step.question), step.choices, step.freeText), null)) };
    case 'request_permission':
      return requestPermission(step.tool, fill(step.command), stage, signal);
    case 'misbehave':
      await stage.misbehave(step.what, signal);
      return {};
    case 'exit':
    case 'fail':
      // These steps end the turn, see above.
      return {};
  }
}

async function requestPermission(tool: string, command: string, stage: Stage, signal: AbortSignal): Promise<StepOutcome> {
  const granted = stage.allows(tool) || textOf(await stage.ask(permissionDialog(tool, command), tool)) === 'Yes';
  return granted ? runShown(command, stage, signal) : say(`Permission refused, so this was not run: ${command}`, stage);
}

async function runShown(command: string, stage: Stage, signal: AbortSignal): Promise<StepOutcome> {
  const finish = stage.tool('Bash', `Bash(${command})`);
  const { status, output } = await stage.run(['sh', '-c', command], signal);
  finish(status === 0 ? output.trimEnd() || '(no output)' : `${output.trimEnd()}\n(exit status ${status ?? 'unknown'})`.trimStart());
  return {};
}

function say(text: string, stage: Stage): StepOutcome {
  stage.say(text);
  return { said: text };
}

function textOf(answer: Answer): string {
  return answer.kind === 'text' ? answer.text : answer.label;
}
