import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { visibleText } from '../../base/visible-text.ts';
import { openGit } from '../../git/run.ts';
import type { FoundRepository } from '../../git/source/repository-around.ts';
import { inspectSource } from '../../git/source/source.ts';
import { askLineIfOpen } from '../../system/lines.ts';
import { runInteractive } from '../../system/processes/interactive.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { missingProgram } from '../../workers/missing-program.ts';
import { ignoreInterrupts } from '../interruption.ts';
import { printAside } from '../output.ts';
import type { Shell } from '../shell.ts';
import { lookForRootAgain } from './root-here.ts';

/** The agents that a person may have installed, the first one found is offered. */
const INSTALLED = ['claude', 'codex'] as const;

/** Asks whether this repository shall have a root, and makes and starts it. False if a step failed, which has reported why. */
export async function offerRoot({ name }: FoundRepository, shell: Shell): Promise<boolean> {
  // Before the question: a repository without a commit cannot have a root.
  await inspectSource(openGit(systemProcesses), '.');
  const where = { path: process.env.PATH, cwd: process.cwd() };
  const agent = INSTALLED.find((program) => missingProgram(program, where) === undefined);
  if (agent === undefined) shell.say('Neither claude nor codex is installed. The demo agent shows llmc at no cost.');
  if (!shell.options.yes) await requireYes(`Set up llmc for ${name} with ${agent ?? 'the built-in demo agent'}? [Y/n] `, name);
  for (const words of [
    ['init', '--agent', agent ?? 'demo'],
    ['up', '--detach'],
  ]) {
    shell.say(`$ ${commandLine('llmc', ...words)}`);
    // A process of its own: Ctrl+C ends it as it would when typed.
    using _ = ignoreInterrupts();
    const status = await runInteractive({ file: process.execPath, args: [process.argv[1] ?? '', ...words] });
    lookForRootAgain();
    if (status === 0) continue;
    process.exitCode = status;
    return false;
  }
  return true;
}

async function requireYes(question: string, name: string): Promise<void> {
  for (;;) {
    const answer = (await askLineIfOpen(visibleText(question)))?.trim();
    if (answer !== undefined && /^(y(es)?)?$/i.test(answer)) return;
    // After Ctrl+C the cursor is still on the line of the question.
    if (answer === undefined) printAside('\n');
    if (answer === undefined || /^no?$/i.test(answer))
      throw new LlmcError('CANCELLED', `nothing was created for ${name}`, { hint: 'llmc init, when you want to begin' });
  }
}
