import { join } from 'node:path';
import type { ScratchRepo } from '../../../test/support/scratch-repo.ts';

/** Replaces HEAD by a commit with the same files and message that git itself would not make. Returns its name. */
export async function forgeHead(repo: ScratchRepo, path: string, header: string, behind = ''): Promise<string> {
  const [head = '', ...message] = (await repo.run(['cat-file', 'commit', 'HEAD'], path)).split('\n\n');
  const forged = `${head.replace(/^committer .*$/m, 'committer Forger <f@x> 1 +0000')}\n${header}\n\n${message.join('\n\n')}\n${behind}`;
  await repo.write('forged', forged, repo.dir);
  const sha = await repo.run(['hash-object', '-t', 'commit', '-w', '--literally', join(repo.dir, 'forged')], path);
  await repo.run(['update-ref', 'HEAD', sha], path);
  return sha;
}
