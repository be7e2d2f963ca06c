import type { Config } from '../config/schema.ts';
import { inspectSource } from '../git/source.ts';
import type { WorkContext } from './context.ts';

/** The branch accepted work lands on: as configured, else the one the source itself points at. */
export async function mainBranch(context: Pick<WorkContext, 'git'>, config: Config): Promise<string> {
  return config.repo.branch ?? (await inspectSource(context.git, config.repo.source)).branch;
}
