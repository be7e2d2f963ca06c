/** The rest is counted. */
const MOST_SHOWN = 5;

interface LeftOut {
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
  readonly count: number;
}

/** One line for a person who decides about the work. */
export function leftOutText(branch: string, { commits, count }: LeftOut): string {
  const named = commits.slice(0, MOST_SHOWN).map(({ commit, subject }) => `${commit.slice(0, 12)} ${subject}`);
  const more = count - named.length;
  const what = count === 1 ? 'a commit that it no longer has, which does' : `${count} commits that it no longer has, which do`;
  return `${branch} was rewritten: this work was built on ${what} not land with it: ${named.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}
