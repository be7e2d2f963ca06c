import { gitEnvironment } from '../../git/environment.ts';
import { openObjectView } from '../../git/object-view.ts';
import { gitCommand } from '../../git/run.ts';
import { pipeInto } from '../../system/processes/interactive.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import { ignoreInterrupts } from '../interruption.ts';
import { terminalText } from '../output.ts';
import type { Shell } from '../shell.ts';
import { terminalSize } from '../terminal-size.ts';
import type { Interface } from './interfaces.ts';

/** What difftastic prints; undefined if it is not requested, or not the right viewer for this work. */
export async function inDifftastic(
  result: ReviewResult & { readonly interface: Interface },
  shell: Shell,
  say: Shell['say'],
): Promise<string | undefined> {
  if (result.interface === 'vscode' || !(await found('difft'))) {
    say(`${result.interface} is not installed; this is the plain diff`);
    return undefined;
  }
  if (mayMislead(result)) {
    say('The work contains control characters, which difftastic would pass on; this is the plain diff');
    return undefined;
  }
  const { color, columns } = shell.display;
  await using view = await openObjectView(shell.root, result.base);
  const call = view.call(
    '-c',
    'diff.external=difft',
    'diff',
    '--ext-diff',
    '--no-textconv',
    '--end-of-options',
    result.base,
    result.head,
    '--',
  );
  const env = { ...call.env, DFT_COLOR: color ? 'always' : 'never', ...(Number.isFinite(columns) && { DFT_WIDTH: String(columns) }) };
  const { outcome, stdout } = await systemProcesses.run(gitCommand({ ...call, env }));
  if (outcome.kind === 'exited' && outcome.status === 0) return stdout;
  say('difftastic failed; this is the plain diff');
  return undefined;
}

/** difftastic prints the content of the files unchanged, so their control characters would look like its own colours. */
export function mayMislead({ warnings }: ReviewResult): boolean {
  return warnings.some(({ kind }) => kind === 'control');
}

/** Shows a text in the pager of git; false if there is none. */
export async function page(text: string, keys: string | undefined): Promise<boolean> {
  // Without a repository: the current folder may be a worktree, whose settings an agent can write.
  const env = gitEnvironment({ at: '/', access: 'read', env: { GIT_DIR: '/dev/null' } });
  const { outcome, stdout } = await systemProcesses.run({ file: 'git', args: ['var', 'GIT_PAGER'], cwd: '/', env });
  const pager = outcome.kind === 'exited' && outcome.status === 0 ? stdout.trim() : '';
  if (pager === '' || pager === 'cat') return false;
  // Ctrl+C belongs to the pager: without llmc, it would read from a terminal that the shell reads too.
  using _ = ignoreInterrupts();
  // Any pager shows the first line. The prompt of less stays on the screen; a person with settings of their own keeps theirs.
  const isLong = text.split('\n').length > terminalSize(process.stdout).rows;
  const announced = keys !== undefined && isLong ? `(Leave the pager with q to decide.)\n${text}` : text;
  const less = keys === undefined ? 'FRX' : `FRXPsq, then ${keys}?e (END).$`;
  // The pager setting of git is a shell command that reads the text from standard input.
  return await pipeInto({ file: 'sh', args: ['-c', pager], env: { LESS: process.env.LESS ?? less } }, terminalText(announced));
}

/** Whether a program is installed. */
export async function found(program: string): Promise<boolean> {
  return (await systemProcesses.run({ file: program, args: ['--version'] }, { timeoutMs: 5_000 })).outcome.kind === 'exited';
}
