import type { Config } from '../../config/schema.ts';
import { pointOriginAt } from '../../git/source/origin.ts';
import { inspectSource } from '../../git/source/source.ts';
import type { WorkContext } from '../context.ts';

/** Returns the branch on which accepted work lands: the configured one, else the source's default. */
export async function mainBranch(context: Pick<WorkContext, 'git'>, config: Config): Promise<string> {
  return config.repo.branch ?? (await inspectSource(context.git, config.repo.source)).branch;
}

/** Points `origin` at a source that moved while no supervisor ran, so that an agent's own fetch finds it. */
export async function followSource({ git, config }: Pick<WorkContext, 'git' | 'config'>): Promise<void> {
  const { source } = (await config()).repo;
  if (await git.files.exists(source)) await pointOriginAt(git, source);
}
