import type { Git } from '../run.ts';

const HOOK = '.git/hooks/pre-push';

export const PRE_PUSH = `#!/bin/sh
# Written by llmc, again at each start. It is for agents: llmc itself runs no hook of this repository.
echo 'llmc lands work, and workers do not push: commit on your branch and end your turn. A person reviews the work, and "llmc accept" lands it.' >&2
exit 1
`;

/**
 * Refuses a push from a worktree to an address that it names, such as the source's path. It stops a careless agent: `--no-verify`, or
 * hooks of the repository itself in another folder (husky), pass it. Does nothing where an agent has put a link in the place of the folder.
 */
export async function fencePushes({ files }: Pick<Git, 'files'>, root: string): Promise<void> {
  await files.writeProgramBeneath(await files.realPath(root), HOOK, PRE_PUSH);
}
