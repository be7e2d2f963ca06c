import type { Config } from '../../config/schema.ts';
import { pointOriginAt } from '../../git/source/origin.ts';
import { inspectSource } from '../../git/source/source.ts';
import type { WorkContext } from '../context.ts';

/** The branch accepted work lands on: as configured, else the one the source itself points at. */
export async function mainBranch(context: Pick<WorkContext, 'git'>, config: Config): Promise<string> {
  return config.repo.branch ?? (await inspectSource(context.git, config.repo.source)).branch;
}

/** A source that moved while nobody was up: agents that fetch by themselves find it too. */
export async function followSource({ git, layout, config }: Pick<WorkContext, 'git' | 'layout' | 'config'>): Promise<void> {
  const { source } = (await config()).repo;
  if (await git.files.exists(source)) await pointOriginAt(git, layout.root, source);
}
