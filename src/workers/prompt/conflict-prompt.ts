import type { ConflictFacts, Side } from '../../git/rebase/conflict-facts.ts';
import type { RuleResult } from '../rebase/apply-conflict-rules.ts';
import type { FailedLine } from '../worktree/shell-lines.ts';

/** What all prompts about one resolution say. */
export interface Resolving {
  /** The name of the main branch. */
  readonly main: string;
  /** The task that the worker's commits are for; null when there is none. */
  readonly task: string | null;
  /** Commands that must pass at the end (`[repo] format` and `validate`). */
  readonly checks: readonly string[];
}

export interface LostLine {
  readonly path: string;
  /** Who had added the line. */
  readonly side: Side;
  readonly text: string;
}

/** The first prompt of a stop: what happened, what to do, and the regions, as far as they fit. */
export function conflictPrompt(resolving: Resolving, _facts: ConflictFacts, _rules: readonly RuleResult[]): string {
  return resolving.main;
}

/** For a turn that ended with unmerged files. */
export function stillUnmergedPrompt(resolving: Resolving, _facts: ConflictFacts): string {
  return resolving.main;
}

/** Step-by-step help for an agent that makes no progress. */
export function conflictHelpPrompt(resolving: Resolving, _facts: ConflictFacts): string {
  return resolving.main;
}

/** For files with conflict markers in them that are staged or said to be resolved. */
export function markersLeftPrompt(resolving: Resolving, _facts: ConflictFacts): string {
  return resolving.main;
}

/** For `git rebase --continue` that git refused. */
export function continueRefusedPrompt(resolving: Resolving, _output: string): string {
  return resolving.main;
}

export function validationFailedPrompt(resolving: Resolving, _failed: FailedLine): string {
  return resolving.main;
}

/** Sends the list of lines that the resolution dropped back to the agent. */
export function linesDroppedPrompt(resolving: Resolving, _lines: readonly LostLine[]): string {
  return resolving.main;
}
