import type { Config } from '../../config/schema.ts';
import type { ConflictFacts } from '../../git/rebase/conflict-facts.ts';
import type { WorkContext } from '../context.ts';
import type { FailedLine } from '../worktree/shell-lines.ts';

/** What llmc did with a file that a rule of config.toml names. */
export type RuleResult =
  | { readonly kind: 'applied'; readonly path: string; readonly rule: 'main' | 'worker' | 'regenerate' }
  /** The agent has to resolve it. */
  | { readonly kind: 'failed'; readonly path: string; readonly line: FailedLine };

/**
 * Resolves the files of a stopped rebase that `[[repo.conflicts]]` has a rule for, and stages them. Returns what it did, for the
 * prompt. Read the conflict again afterwards.
 */
export async function applyConflictRules(
  _context: WorkContext,
  _config: Config,
  _worktree: string,
  _facts: ConflictFacts,
): Promise<readonly RuleResult[]> {
  return [];
}
