import { describeError } from '../../base/error.ts';
import type { LenientConfig } from '../../config/read-config-leniently.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from './main-branch.ts';

interface LandingPlace {
  readonly source: string;
  readonly branch: string;
  readonly problem: string | undefined;
}

/** Returns source and branch for a report, also if config.toml is broken or the source is missing, with the problem. */
export async function landingPlace(context: Pick<WorkContext, 'git' | 'config'>, config: LenientConfig): Promise<LandingPlace> {
  const { source, branch } = config;
  try {
    return { source, branch: await mainBranch(context, await context.config()), problem: undefined };
  } catch (error) {
    return { source, branch, problem: describeError(error) };
  }
}
