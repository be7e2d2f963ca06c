import { messageOf } from '../../base/error.ts';
import type { LenientConfig } from '../../config/read-config-leniently.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from './main-branch.ts';

interface LandingPlace {
  readonly source: string;
  readonly branch: string;
  readonly problem: string | undefined;
}

/** For a report: it shows where the workers stand also while config.toml is broken or the source is away, and says so. */
export async function landingPlace(context: Pick<WorkContext, 'git' | 'config'>, glance: LenientConfig): Promise<LandingPlace> {
  const { source, branch } = glance;
  try {
    return { source, branch: await mainBranch(context, await context.config()), problem: undefined };
  } catch (error) {
    return { source, branch, problem: messageOf(error) };
  }
}
