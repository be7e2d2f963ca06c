import { gitEnvironment } from '../../git/environment.ts';
import { openObjectView } from '../../git/object-view.ts';
import { gitCommand } from '../../git/run.ts';
import { pipeInto, runInteractive } from '../../system/processes/interactive.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import { terminalText } from '../output.ts';
import type { Shell } from '../shell.ts';
import { reviewBody, reviewHead } from './review-text.ts';

/** Shows the work in the pager or the requested viewer on a terminal; returns it as plain text elsewhere. */
export async function showReview(result: ReviewResult & { interface: string; only_stat: boolean }, shell: Shell): Promise<string> {
  const head = reviewHead(result, shell.display);
  const next = shell.atRoot(`\nllmc accept ${result.worker}   or   llmc reject --worker ${result.worker} "…"`);
  if (result.only_stat) return `${head}\n\n${result.stat}${next}`;
  if (result.interface === 'vscode' && (await found('code'))) {
    await runInteractive({ file: 'code', args: ['--new-window', shell.layout.worktree(result.worker)] });
    return `${head}${next}`;
  }
  const text = `${head}\n\n${(await inDifftastic(result, shell)) ?? reviewBody(result, shell.options.color)}`;
  if (!shell.isInteractive) return text;
  const paged = await page(text);
  return paged ? `${head}${next}` : `${text}${next}`;
}

/** What difftastic prints; undefined if it is not requested, or not the right viewer for this work. */
async function inDifftastic(result: ReviewResult & { interface: string }, shell: Shell): Promise<string | undefined> {
  if (result.interface === 'diff') return undefined;
  if (result.interface !== 'difftastic' || !(await found('difft'))) {
    shell.say(`${result.interface} is not installed; this is the plain diff`);
    return undefined;
  }
  // difftastic prints the content of the files unchanged, so their control characters would look like its own colours.
  if (result.warnings.some(({ kind }) => kind === 'control')) {
    shell.say('The work contains control characters, which difftastic would pass on; this is the plain diff');
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
  shell.say('difftastic failed; this is the plain diff');
  return undefined;
}

async function page(text: string): Promise<boolean> {
  // Without a repository: the current folder may be a worktree, whose settings an agent can write.
  const env = gitEnvironment({ at: '/', access: 'read', env: { GIT_DIR: '/dev/null' } });
  const { outcome, stdout } = await systemProcesses.run({ file: 'git', args: ['var', 'GIT_PAGER'], cwd: '/', env });
  const pager = outcome.kind === 'exited' && outcome.status === 0 ? stdout.trim() : '';
  if (pager === '' || pager === 'cat') return false;
  // The pager setting of git is a shell command that reads the text from standard input.
  return await pipeInto({ file: 'sh', args: ['-c', pager], env: { LESS: process.env.LESS ?? 'FRX' } }, terminalText(text));
}

async function found(program: string): Promise<boolean> {
  return (await systemProcesses.run({ file: program, args: ['--version'] }, { timeoutMs: 5_000 })).outcome.kind === 'exited';
}
