export interface BranchFacts {
  readonly configured: string | undefined;
  readonly branches: readonly string[];
  /** What the source's own `origin/HEAD` points at, without the remote's name. */
  readonly remoteDefault: string | undefined;
  /** `init.defaultBranch` of the user. */
  readonly initDefault: string | undefined;
  readonly current: string | undefined;
  readonly bare: boolean;
}

/** The first candidate that exists, or undefined. Whoever configured a branch gets that one or nothing. */
export function chooseMainBranch(facts: BranchFacts): string | undefined {
  const exists = (branch: string | undefined): branch is string => branch !== undefined && facts.branches.includes(branch);
  if (facts.configured !== undefined) return exists(facts.configured) ? facts.configured : undefined;
  // A bare repository has no one working in it: its HEAD is its declared default. In a checkout HEAD is only where someone is.
  const declared = facts.bare ? [facts.current] : [];
  return [...declared, facts.remoteDefault, facts.initDefault, 'main', 'master', facts.current].find(exists);
}
