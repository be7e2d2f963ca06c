import type { ClosingCommit } from './closed-by.ts';

/** What an attack is after. After every attack all of these are checked, not only the one that it aims at. */
export type Harm =
  /** A command of the agent runs in the hands of the user. */
  | 'runs'
  /** Bytes change outside the worker's own worktree and branch. */
  | 'outside'
  /** Control characters reach the terminal. */
  | 'terminal'
  /** Main gets something that the review did not show. */
  | 'lands'
  /** A file that acts by itself or misleads lands, and no warning of the review named it. */
  | 'unseen'
  /** The supervisor ends. */
  | 'dead'
  /** A command that must always work fails: the user cannot get rid of the work. */
  | 'stuck';

/** A point of the list of reproduced holes that the kit began with: docs/security.md explains each. */
type Point = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

export type Step =
  /** A shell script that the agent runs in its worktree; `Stage.agent` lists its variables. */
  | { readonly agent: string }
  /** What the user types: a command of llmc, or git in the source. */
  | { readonly user: string };

interface Attempt {
  /** A sentence: what the agent tries. */
  readonly name: string;
  readonly point: Point;
  readonly harm: Harm;
  /** The set-up: a shell script that the agent runs in its worktree. */
  readonly agent: string;
  /** The file that a warning of the review must name. */
  readonly unseen?: string;
}

/** Why the attack does no harm: a commit closed it, or it never worked and is here to stay harmless. */
export type Fate =
  | { readonly closedBy: ClosingCommit; readonly alreadyHarmless?: never }
  | { readonly alreadyHarmless: string; readonly closedBy?: never };

export type Attack = Attempt & Fate;

/** Attacks that do not disturb each other and share one root. First all of them are set up, then the steps run once. */
export interface Group {
  readonly about: string;
  readonly steps: readonly Step[];
  readonly attacks: readonly Attack[];
}

/** An attack with a root of its own. */
export const alone = (attack: Attack, ...steps: readonly Step[]): Group => ({ about: attack.name, steps, attacks: [attack] });

export const user = (...commands: readonly string[]): Step[] => commands.map((command) => ({ user: command }));

/** The file name of an attack: its canary is called so. */
export const slugOf = ({ name }: Attack): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** A script: main gets the work of the agent too, so that a reset leads to a commit with it. */
export const ONTO_MAIN = `git send-pack --quiet "$SOURCE" HEAD:refs/heads/next; git -C "$SOURCE" merge --quiet --ff-only next
  git -C "$SOURCE" branch --quiet -D next; git fetch --quiet origin`;

export const LAND = user('llmc review adam --json', 'llmc accept adam');
/** Moves main, so that a rebase is due. */
export const MOVE_MAIN = user('git commit --quiet --allow-empty -m Elsewhere');
/** The landing, and the commands that save, restore and destroy work. */
export const ROUND: readonly Step[] = [
  ...user('llmc status'),
  ...MOVE_MAIN,
  ...LAND,
  { agent: 'echo more >> notes.txt; git add --all || true; git commit --quiet -m More || true; echo dirty > dirty.txt' },
  ...user('llmc reset adam --yes', 'llmc rescue restore adam --into adam', 'llmc nuke adam --yes'),
];
