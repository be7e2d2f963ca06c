import type { Instant } from '../../base/ports.ts';

/** Something that a run has undone on purpose. */
export interface Compensation {
  /** Counts from 1 in the run: `archive/1-3`. */
  readonly number: number;
  readonly at: Instant;
  /** The stage that the run went back to. */
  readonly stage: string;
  readonly reason: string;
  readonly action: 'rollback' | 'reassign' | 'retry';
  /** The addresses of the items, or of the stages of an item, that began again, if the run went back to a part of a `for_each`. */
  readonly items?: readonly string[];
  /** What was undone, the newest first. */
  readonly steps: readonly string[];
  /** Where its files are, in the folder of the run. */
  readonly archived: string;
  /** A person was asked, because they had approved a part of it. */
  readonly notified: boolean;
  /** What had landed, or was offered for review, the newest first. The run goes on only after each of them is settled. */
  readonly landings: readonly UndoneLanding[];
}

export interface UndoneLanding {
  readonly step: string;
  readonly seat: string;
  /** What main got; null for work that was only offered. */
  readonly commit: string | null;
  /** The action that offered it; null for work that had landed. */
  readonly offer: string | null;
  /** The action that takes it back; null before its turn. */
  readonly action: string | null;
  /** `kept`: it could not be undone, and a person left it on main. */
  readonly state: 'pending' | 'undone' | 'kept';
  /** The commit that does the opposite; null if none was needed. */
  readonly revert: string | null;
}

/** Where its commits are, as a part of the name of their refs. No stage has this name. */
export function archiveRef(number: number): string {
  return `_archive/${number}`;
}

/** The refs of its commits, for people. */
export function archivedCommits(run: string, number: number): string {
  return `refs/llmc/runs/${run}/${archiveRef(number)}`;
}

export function archiveFolder({ number, stage }: Pick<Compensation, 'number' | 'stage'>): string {
  return `archive/${number}-${stage.replace('/', '~')}`;
}
