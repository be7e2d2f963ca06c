import { gitEnvironment } from '../../git/environment.ts';
import { openObjectView } from '../../git/object-view.ts';
import { gitCommand } from '../../git/run.ts';
import { pipeInto } from '../../system/processes/interactive.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import { ignoreInterrupts } from '../interruption.ts';
import { terminalText } from '../output.ts';
import type { Shell } from '../shell.ts';
import { reviewBody, reviewHead } from '../text/review-text.ts';

export interface Viewing {
  readonly interface: string;
  readonly only_stat: boolean;
}

export interface Shown {
  /** What is left to print. */
  readonly text: string;
  /** A pager has shown the whole review; the text is its head. */
  readonly isPaged: boolean;
}

export interface ShowingOptions {
  readonly say?: Shell['say'];
  /** The keys that decide after the pager, for a person who waits for them in the pager. */
  readonly keys?: string;
}

/** Shows the work in the pager or the requested viewer on a terminal. */
export async function showReview(
  result: ReviewResult & Viewing,
  shell: Shell,
  { say = shell.say, keys }: ShowingOptions = {},
): Promise<Shown> {
  const head = reviewHead(result, shell.display);
  if (result.only_stat) return { text: `${head}\n\n${result.stat}`, isPaged: false };
  if (result.interface === 'vscode' && (await found('code'))) {
    using _ = ignoreInterrupts();
    await (await import('./vscode.ts')).openInVsCode(result, shell);
    return { text: head, isPaged: false };
  }
  const text = `${head}\n\n${(await inDifftastic(result, shell, say)) ?? reviewBody(result, shell.options.color)}`;
  const isPaged = shell.isInteractive && (await page(text, keys));
  return { text: isPaged ? head : text, isPaged };
}

/** What difftastic prints; undefined if it is not requested, or not the right viewer for this work. */
async function inDifftastic(result: ReviewResult & Viewing, shell: Shell, say: Shell['say']): Promise<string | undefined> {
  if (result.interface === 'diff') return undefined;
  if (result.interface !== 'difftastic' || !(await found('difft'))) {
    say(`${result.interface} is not installed; this is the plain diff`);
    return undefined;
  }
  // difftastic prints the content of the files unchanged, so their control characters would look like its own colours.
  if (result.warnings.some(({ kind }) => kind === 'control')) {
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

async function page(text: string, keys: string | undefined): Promise<boolean> {
  // Without a repository: the current folder may be a worktree, whose settings an agent can write.
  const env = gitEnvironment({ at: '/', access: 'read', env: { GIT_DIR: '/dev/null' } });
  const { outcome, stdout } = await systemProcesses.run({ file: 'git', args: ['var', 'GIT_PAGER'], cwd: '/', env });
  const pager = outcome.kind === 'exited' && outcome.status === 0 ? stdout.trim() : '';
  if (pager === '' || pager === 'cat') return false;
  // Ctrl+C belongs to the pager: without llmc, it would read from a terminal that the shell reads too.
  using _ = ignoreInterrupts();
  // Any pager shows the first line. The prompt of less stays on the screen; a person with settings of their own keeps theirs.
  const isLong = text.split('\n').length > process.stdout.rows;
  const announced = keys !== undefined && isLong ? `(Leave the pager with q to decide.)\n${text}` : text;
  const less = keys === undefined ? 'FRX' : `FRXPsq, then ${keys}?e (END).$`;
  // The pager setting of git is a shell command that reads the text from standard input.
  return await pipeInto({ file: 'sh', args: ['-c', pager], env: { LESS: process.env.LESS ?? less } }, terminalText(announced));
}

async function found(program: string): Promise<boolean> {
  return (await systemProcesses.run({ file: program, args: ['--version'] }, { timeoutMs: 5_000 })).outcome.kind === 'exited';
}
