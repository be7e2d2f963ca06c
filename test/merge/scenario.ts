import type { ClashKind } from '../../src/git/rebase/conflict-facts.ts';
import type { ProofVerdict } from '../../src/proof/verdict.ts';
import type { Step, Tree } from '../support/conflicting.ts';
import type { Situation } from './situation.ts';

/** One commit, or a shell script that runs in the checkout and commits for itself. */
export type Act = Step | string;

/** What the agent does in one turn, before the turn ends. */
export type Turn =
  /** Writes files, stages everything, and continues the rebase, leaves that to llmc, or commits. */
  | { readonly files?: Tree; readonly next: 'continue' | 'stage' | 'leave' | 'abort' | 'commit' }
  /** A shell script in the worktree. */
  | string;

export const resolve = (files: Tree): Turn => ({ files, next: 'continue' });
export const stage = (files: Tree): Turn => ({ files, next: 'stage' });

/** What the proof found, in short. Fields that are left out must be empty. */
export interface Proven {
  readonly verdict?: ProofVerdict;
  /** As `side path: text`. */
  readonly dropped?: readonly string[];
  readonly resurrected?: readonly string[];
  /** As `how side path: text`. */
  readonly replaced?: readonly string[];
  /** As `path: text`. */
  readonly added?: readonly string[];
  readonly stops?: readonly string[];
  /** As `kind path`. */
  readonly notes?: readonly string[];
}

interface Met {
  /** What git and llmc say about the first stop, by path; a name that git makes up ends with `~…`. Without it, nothing may conflict. */
  readonly clashes?: Readonly<Record<string, ClashKind>>;
  /** How many prompts the agent got. Without it, one per turn. */
  readonly asked?: number;
  readonly proof?: Proven;
}

export type Expected = Met &
  (
    | {
        readonly ends: 'landed';
        /** Files of main afterwards; null for one that must not be there. */
        readonly main: Tree;
        /** Submodules of main afterwards: the tags of their commits. */
        readonly links?: Readonly<Record<string, string>>;
      }
    /** Main had everything already. */
    | { readonly ends: 'nothing-to-land' }
    /** The last command failed. */
    | { readonly ends: 'refused'; readonly code: string; readonly attention?: string }
    /** The worker waits for review with its old commit. */
    | { readonly ends: 'given-back' }
    /** The worker is still in its rebase, and a person was called. */
    | { readonly ends: 'person'; readonly called: 'loop' | 'stuck' | 'tampered' | 'validation' }
  );

export interface Scenario {
  /** A sentence. */
  readonly name: string;
  readonly situation?: Situation;
  /** Lines of the table [repo] in config.toml. */
  readonly config?: string;
  /** Files that both sides begin with. */
  readonly base?: Tree;
  /** More of the beginning: a shell script in the source. */
  readonly begin?: string;
  readonly worker: readonly Act[];
  readonly main: readonly Act[];
  /** What the worker does after main has moved, before the command. */
  readonly later?: readonly Act[];
  /** The command that meets the conflict. */
  readonly by?: 'accept' | 'review' | 'rebase' | 'patrol';
  readonly turns?: readonly Turn[];
  /** False: nobody reviews what comes out, and the accept is one with `--yes`. */
  readonly reviewed?: boolean;
  /** The person accepts the losses. */
  readonly allowDropped?: boolean;
  /** Edits of the user that lie in the way of the landing. */
  readonly inTheWay?: Tree;
  /** What else the user left in the source: a shell script. */
  readonly userDoes?: string;
  readonly expected: Expected;
}
