import { LlmcError } from '../../../base/error.ts';
import { commandLine } from '../../../base/shell-quote.ts';
import { askLine } from '../../../system/lines.ts';
import { runInteractive } from '../../../system/processes/interactive.ts';
import { systemProcesses } from '../../../system/processes/processes.ts';
import type { EffectOutcome, Surroundings } from '../outcome.ts';
import { commandNeedsTerminal } from './needs-terminal.ts';
import { splitWords } from './split-words.ts';

const PATIENCE_MS = 600_000;

/** Runs any command of llmc as a process of its own, and shows what it prints. One that needs a terminal gets this one. */
export async function runCommand(line: string, { shell, terminal }: Surroundings): Promise<EffectOutcome> {
  const typed = splitWords(line);
  const words = typed[0] === 'llmc' ? typed.slice(1) : typed;
  if (words.length === 0) return {};
  if (words[0] === 'ui') throw new LlmcError('INVALID_ARGUMENT', 'this is the view already', { hint: 'llmc help' });
  const command = { file: process.execPath, args: [process.argv[1] ?? '', '--root', shell.root, ...words] };
  if (commandNeedsTerminal(words)) {
    await terminal.lend(async () => {
      const status = await runInteractive(command);
      await askLine(`\n[${commandLine('llmc', ...words)} ended with status ${status}; press enter] `);
    });
    return {};
  }
  const { stdout, stderr, outcome } = await systemProcesses.run(command, { timeoutMs: PATIENCE_MS });
  const text = [stdout.trimEnd(), stderr.trimEnd()].filter((part) => part !== '').join('\n');
  const failed = outcome.kind === 'exited' && outcome.status === 0 ? '' : ' (failed)';
  return { opens: { kind: 'output', title: `${commandLine('llmc', ...words)}${failed}`, text: text === '' ? 'Done.' : text, top: 0 } };
}
