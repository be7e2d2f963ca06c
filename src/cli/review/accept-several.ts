import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { LeftWork } from '../../workers/accept-all.ts';
import type { AcceptResult } from '../../workers/landing/finish-landing.ts';
import { interruptedStatus } from '../interruption.ts';
import type { Shell } from '../shell.ts';
import type { Input } from '../verb.ts';

export interface AcceptSeveralResult {
  readonly accepted: readonly AcceptResult[];
  readonly left: readonly LeftWork[];
}

/** Lands the work of the named workers in this order, each as its own commit. A refusal of one does not stop the others. */
export async function acceptSeveral(
  input: Input,
  shell: Pick<Shell, 'say'>,
  acceptOne: (worker: string) => Promise<AcceptResult>,
): Promise<AcceptSeveralResult> {
  const ofOne = ['message', 'edit'].find((name) => input.flag(name) || input.text(name) !== undefined);
  const workers = [...new Set(input.args)];
  if (ofOne !== undefined)
    throw new LlmcError('INVALID_ARGUMENT', `--${ofOne} is for one worker: each of several keeps its own commit message`, {
      hint: commandLine('llmc', 'accept', ...workers),
    });
  const accepted: AcceptResult[] = [];
  const left: LeftWork[] = [];
  for (const [index, worker] of workers.entries()) {
    shell.say(`${worker}: landing (${index + 1} of ${workers.length})`);
    try {
      accepted.push(await acceptOne(worker));
    } catch (error) {
      // A bug is not a refusal, and a person who leaves means all of them.
      if (!(error instanceof LlmcError) || interruptedStatus() !== undefined) throw error;
      const { code, message, hint = null } = error;
      left.push({ worker, code, message, hint });
    }
  }
  // A script must not take the rest for landed.
  if (left.length > 0) process.exitCode = 2;
  return { accepted, left };
}
