import { describeError } from '../../../base/error.ts';
import { runProgram } from './program.ts';
import { createTerminal } from './screen/terminal.ts';

try {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Error('it draws a full screen and needs a terminal; llmc starts it in tmux');
  await runProgram(process.argv.slice(2), process.env, process.cwd(), createTerminal(process.stdin, process.stdout));
} catch (error) {
  process.stderr.write(`demo agent: ${describeError(error)}\n`);
  process.exit(1);
}
