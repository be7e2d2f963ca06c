import { dirname, join } from 'node:path';
import type { ScratchRepo } from '../../../test/support/scratch-repo.ts';
import { exchange, UNCHECKED } from '../exchange/exchange.ts';

/** Replaces HEAD by a commit with the same files and message that git itself would not make. Returns its name. */
export async function forgeHead(repo: ScratchRepo, path: string, header: string, behind = ''): Promise<string> {
  const [head = '', ...message] = (await repo.run(['cat-file', 'commit', 'HEAD'], path)).split('\n\n');
  const forged = `${head.replace(/^committer .*$/m, 'committer Forger <f@x> 1 +0000')}\n${header}\n\n${message.join('\n\n')}\n${behind}`;
  await repo.write('forged', forged, repo.dir);
  const sha = await repo.run(['hash-object', '-t', 'commit', '-w', '--literally', join(repo.dir, 'forged')], path);
  await repo.run(['update-ref', 'HEAD', sha], path);
  // git itself would not have made it, so llmc would not take it in: it must not believe what it has, either.
  await exchange(repo.git, dirname(dirname(path)), path, UNCHECKED);
  return sha;
}
