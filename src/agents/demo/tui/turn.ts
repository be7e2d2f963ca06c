import { commitAll } from './commit.ts';
import type { OpenTurn } from './conversation.ts';
import { type Answer, type Dialog, permissionDialog, questionDialog } from './dialog.ts';
import { editFile } from './edit.ts';
import { followUp } from './plan.ts';
import type { RunCommand } from './shell.ts';
import type { FailureType, MisbehaviourSpec, Step } from './step.ts';
import { fillIn } from './task.ts';

/** What a turn does to the world around it. */
export interface Stage {
  readonly cwd: string;
  readonly words: Readonly<Record<string, string>>;
  readonly run: RunCommand;
  say(text: string): void;
  /** Shows a tool at work; the returned function shows what came of it. */
  tool(name: string, title: string): (output: string) => void;
  /** Opens a dialog. Rejects when the turn is interrupted meanwhile. */
  ask(dialog: Dialog, tool: string | null): Promise<Answer>;
  allows(tool: string): boolean;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  misbehave(what: MisbehaviourSpec | 'as ordered', signal: AbortSignal): Promise<void>;
  answered(step: number, answer: string): void;
  done(steps: number): void;
}

export type TurnResult =
  | { readonly kind: 'ended'; readonly message: string }
  | { readonly kind: 'failed'; readonly type: FailureType; readonly message: string; readonly resetsInMs: number | null }
  | { readonly kind: 'left'; readonly status: number };

/** Takes the steps from the first one not done yet. `again` marks that one as possibly half done. */
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
    // These end the process: noted before, or the next life would repeat them for ever.
    if (step.kind === 'misbehave' || step.kind === 'exit') stage.done(index + 1);
    if (step.kind === 'exit') return { kind: 'left', status: step.status };
    if (step.kind === 'fail') return { kind: 'failed', type: step.type, message: step.message, resetsInMs: step.resetsInMs };
    if (step.kind === 'ask') {
      const answer = textOf(await stage.ask(questionDialog(step.question, step.choices, step.freeText), null));
      stage.answered(index, answer);
      steps.splice(index + 1, 0, ...followUp(step, answer));
    } else {
      message = (await perform(step, again && index === open.done, stage, signal)) ?? message;
    }
    signal.throwIfAborted();
    stage.done(index + 1);
    if (index === open.done) await stage.misbehave('as ordered', signal);
    signal.throwIfAborted();
  }
  return { kind: 'ended', message };
}

type PlainStep = Exclude<Step, { kind: 'ask' | 'exit' | 'fail' }>;

/** Returns what was said, which becomes the turn's last message. */
async function perform(step: PlainStep, again: boolean, stage: Stage, signal: AbortSignal): Promise<string | undefined> {
  const fill = (text: string) => fillIn(text, stage.words);
  switch (step.kind) {
    case 'say':
      stage.say(fill(step.text));
      return fill(step.text);
    case 'take':
      await stage.sleep(step.ms, signal);
      return undefined;
    case 'edit': {
      const path = fill(step.path);
      const finish = stage.tool('Edit', `Edit(${path})`);
      const change = step.change.how === 'replace' ? step.change : { ...step.change, text: fill(step.change.text) };
      const edited = editFile(stage.cwd, path, change, again);
      finish(edited.ok ? `${edited.content.split('\n').length - 1} lines` : edited.reason);
      return undefined;
    }
    case 'run':
      await runShown(fill(step.command), stage, signal);
      return undefined;
    case 'commit': {
      const finish = stage.tool('Bash', `Bash(git commit -m ${JSON.stringify(fill(step.message).split('\n')[0])})`);
      const committed = await commitAll(stage.run, fill(step.message), signal);
      finish(committed.text.trim());
      return committed.ok ? undefined : 'The commit failed.';
    }
    case 'request_permission':
      return requestPermission(step.tool, fill(step.command), stage, signal);
    case 'misbehave':
      await stage.misbehave(step.what, signal);
      return undefined;
  }
}

async function requestPermission(tool: string, command: string, stage: Stage, signal: AbortSignal): Promise<string | undefined> {
  const answer: Answer = stage.allows(tool)
    ? { kind: 'choice', index: 0, label: 'Yes' }
    : await stage.ask(permissionDialog(tool, command), tool);
  if (answer.kind === 'choice' && answer.index === 0) {
    await runShown(command, stage, signal);
    return undefined;
  }
  const refusal = `Permission refused, so this was not run: ${command}`;
  stage.say(refusal);
  return refusal;
}

async function runShown(command: string, stage: Stage, signal: AbortSignal): Promise<void> {
  const finish = stage.tool('Bash', `Bash(${command})`);
  const { status, output } = await stage.run(['sh', '-c', command], signal);
  finish(status === 0 ? output.trimEnd() || '(no output)' : `${output.trimEnd()}\n(exit status ${status ?? 'unknown'})`.trimStart());
}

function textOf(answer: Answer): string {
  return answer.kind === 'text' ? answer.text : answer.label;
}
