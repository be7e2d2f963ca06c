import { sentence } from '../../base/sentence.ts';
import { runInteractive } from '../../system/processes/interactive.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import type { ReviewResult } from '../../workers/review-work.ts';
import type { Shell } from '../shell.ts';

/** Shows the work in the pager or the requested viewer on a terminal; returns it as plain text elsewhere. */
export async function showReview(result: ReviewResult & { interface: string; only_stat: boolean }, shell: Shell): Promise<string> {
  const head = [
    `${result.worker}: ${result.message.split('\n')[0]} (${result.head.slice(0, 12)} on ${result.base.slice(0, 12)})`,
    ...(result.attention !== null && isObstacle(result) ? [shell.atRoot(`! ${sentence(result.attention)}`)] : []),
    ...(result.uncommitted.length === 0 ? [] : [`Not committed: ${result.uncommitted.join(', ')}`]),
  ].join('\n');
  const next = shell.atRoot(`\nllmc accept ${result.worker}   or   llmc reject --worker ${result.worker} "…"`);
  if (result.only_stat) return `${head}\n\n${result.stat}${next}`;
  if (result.interface === 'vscode' && (await found('code'))) {
    await runInteractive({ file: 'code', args: ['--new-window', result.worktree] });
    return `${head}${next}`;
  }
  if (result.interface === 'difftastic' && (await found('difft'))) {
    await runInteractive({
      file: 'git',
      args: ['-C', result.worktree, '-c', 'diff.external=difft', 'diff', '--ext-diff', result.base, result.head],
    });
    return `${head}${next}`;
  }
  if (result.interface !== 'diff') shell.say(`${result.interface} is not installed; this is the plain diff`);
  const text = `${head}\n\n${result.message}\n\n${result.stat}\n${result.diff}`;
  if (!shell.isInteractive) return text;
  const paged = await page(text);
  return paged ? `${head}${next}` : `${text}${next}`;
}

async function page(text: string): Promise<boolean> {
  const { outcome, stdout } = await systemProcesses.run({ file: 'git', args: ['var', 'GIT_PAGER'] });
  const pager = outcome.kind === 'exited' && outcome.status === 0 ? stdout.trim() : '';
  if (pager === '' || pager === 'cat') return false;
  // The pager setting of git is a shell command that reads the text from standard input.
  const { pipeInto } = await import('../../system/processes/interactive.ts');
  return await pipeInto({ file: 'sh', args: ['-c', pager], env: { LESS: process.env.LESS ?? 'FRX' } }, text);
}

async function found(program: string): Promise<boolean> {
  return (await systemProcesses.run({ file: program, args: ['--version'] }, { timeoutMs: 5_000 })).outcome.kind === 'exited';
}

/** Omits the request to review, because the reader is already reviewing. */
function isObstacle({ attention_kind: kind }: ReviewResult): boolean {
  return kind !== 'review' && kind !== 'review_without_agent';
}
