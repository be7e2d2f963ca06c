import { join } from 'node:path';
import { visibleLine, visibleText } from '../../base/visible-text.ts';
import type { Config } from '../../config/schema.ts';
import { commitsBetween } from '../../git/commits.ts';
import type { LandedLanding } from '../../store/tables/landings.ts';
import { temporaryFolder } from '../../system/files/temporary-folder.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from './main-branch.ts';

interface LandedEnvironment extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What the commands of `after_accept` find out about the last commit that landed. An agent wrote its message, so that its hidden characters
 * are made visible; no value becomes a part of a command line. The message lies in a folder that goes with the commands.
 */
export async function landedEnvironment(context: WorkContext, config: Config, landing: LandedLanding): Promise<LandedEnvironment> {
  const { worker, branch, landed } = landing;
  const main = await mainBranch(context, config);
  const [commit] = await commitsBetween(context.git, config.repo.source, `${landed}~1`, landed).catch(() => []);
  const [title = '', ...body] = visibleText(commit?.message ?? '').split('\n');
  const folder = await temporaryFolder({ body: `${body.join('\n').trim()}\n` });
  return {
    env: {
      LLMC_LANDED_ON: branch === null ? 'main' : 'branch',
      LLMC_LANDED_BRANCH: branch ?? main,
      LLMC_LANDED_MAIN: main,
      LLMC_LANDED_COMMIT: landed,
      LLMC_LANDED_WORKER: worker,
      LLMC_LANDED_TITLE: visibleLine(title),
      LLMC_LANDED_BODY_FILE: join(folder.path, 'body'),
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
