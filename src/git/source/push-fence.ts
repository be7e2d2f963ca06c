import type { Git } from '../run.ts';

const HOOK = 'hooks/pre-push';

export const PRE_PUSH = `#!/bin/sh
# Written by llmc. It is for agents: llmc itself runs no hook of this repository.
echo 'llmc lands work, and workers do not push: commit on your branch and end your turn. A person reviews the work, and "llmc accept" lands it.' >&2
exit 1
`;

/**
 * Refuses a push from a worktree where the settings of its repository (`AGENT_SETTINGS`) do not: to an address for which the user has a
 * `pushInsteadOf` of his own, or to a remote with a push address. It stops a careless agent: `--no-verify`, or hooks of the repository
 * itself in another folder (husky), pass it. Does nothing where an agent has put a link in the place of the folder.
 */
export async function fencePushes({ files }: Pick<Git, 'files'>, repository: string): Promise<void> {
  await files.writeProgramBeneath(await files.realPath(repository), HOOK, PRE_PUSH);
}
