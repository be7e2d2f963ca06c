import { describeError } from '../../base/error.ts';
import { type Layout, ownPaths } from '../../store/layout.ts';
import { restrict } from '../../system/files/access.ts';

/**
 * Takes the access of other users away from what a person left open. llmc gives each file its mode and sets no
 * umask: agents, git and the user's own lines inherit one, and their files belong to the repository.
 */
export function restrictRoot(layout: Layout, say: (line: string) => void): void {
  const restricted = ownPaths(layout).filter((path) => {
    try {
      return restrict(path);
    } catch (error) {
      say(`${path} stays open to other users: ${describeError(error)}`);
      return false;
    }
  });
  if (restricted.length > 0) say(`Other users had access to files of llmc (${restricted.length}) below ${layout.root}; now only you have.`);
}
