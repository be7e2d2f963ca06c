export interface MainBranchFacts {
  readonly configured: string | undefined;
  readonly branches: readonly string[];
  /** The branch that the source's `origin/HEAD` points at, without the remote's name. */
  readonly remoteDefault: string | undefined;
  /** `init.defaultBranch` of the user. */
  readonly initDefault: string | undefined;
  readonly current: string | undefined;
  readonly bare: boolean;
}

/** Returns the first candidate that exists. A configured branch is the only candidate. */
export function chooseMainBranch(facts: MainBranchFacts): string | undefined {
  const exists = (branch: string | undefined): branch is string => branch !== undefined && facts.branches.includes(branch);
  if (facts.configured !== undefined) return exists(facts.configured) ? facts.configured : undefined;
  // HEAD of a bare repository is its declared default. HEAD of a checkout is only what the user works on.
  const declared = facts.bare ? [facts.current] : [];
  return [...declared, facts.remoteDefault, facts.initDefault, 'main', 'master', facts.current].find(exists);
}
