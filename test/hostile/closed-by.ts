/**
 * The commits that closed the attacks, oldest first. Against the parent of its commit an attack does its harm, and from that
 * commit on it does none.
 */
export const CLOSING_COMMITS = {
  '0103efa': 'a request has a length, a time and a place among the callers',
  '8939f0b': 'control characters are shown, not executed',
  '3de5e80': 'the record of a rescue is parsed by a schema, and paths stay below the worktree',
  '85e96e6': 'the diff of a review trusts no setting, attribute or replacement of the clone',
  da103d3: 'llmc finds out that a caller is inside a worker',
  '5a3f8a0': 'a hook refuses a push from a worktree to the source',
  b9eb6f1: 'no git of llmc reads the settings of a nested repository, and links stay links',
  '07bea1d': 'the git calls of llmc read nothing that an agent configured',
  a3b1f4e: 'the change is compared again with the objects of the source',
  a123a10: 'the branch of another worker stays where it is',
  '29c97fd': 'a fetch does not follow a symbolic tracking ref',
  '19093f9': 'llmc lands a commit of its own making',
  '50d06fb': 'the source takes only objects that git fsck finds sound',
  '0fc5d67': 'nothing that an agent wrote runs outside its wall, and a review names what acts by itself or misleads',
  '0b0126d': 'every worker has a repository of its own',
} as const;

export type ClosingCommit = keyof typeof CLOSING_COMMITS;
