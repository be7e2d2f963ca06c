import { toKnownError } from '../../base/known-error.ts';
import { repositoryAround } from '../../git/source/repository-around.ts';
import { chooseGroup } from '../../supervisor/report/worker-words.ts';
import { callOwner } from '../owner/owner.ts';
import { readStatusReport } from '../owner/read-status.ts';
import { Shell, type ShellOptions } from '../shell.ts';
import { nameOfRepository } from './named-roots.ts';
import { allRoots, findRepository, isThere, rootHere } from './root-here.ts';

/** A root of this user, and how it stands. Keys as `llmc roots --json` prints them. */
export interface RootLine {
  /** The name of its repository. */
  readonly name: string;
  readonly root: string;
  /** The repository that its work lands in; the recorded one if the root is gone. */
  readonly source: string;
  /** Commands in the current folder use this root. */
  readonly here: boolean;
  /** `gone`: the folder of the root is not there. `broken`: its status cannot be read. */
  readonly state: 'up' | 'down' | 'gone' | 'broken';
  readonly workers: number;
  /** How many workers and runs wait for a person. */
  readonly needs_you: number;
  /** What is wrong, with the next command; null if nothing is. */
  readonly problem: string | null;
}

/** All roots, each with its status; the one of the current folder first. Starts no supervisor. */
export async function listRoots(options: ShellOptions): Promise<readonly RootLine[]> {
  const here = rootHere();
  const known = allRoots();
  const isListed = known.some(({ root }) => root === here.root);
  const all = isListed || !isThere(here.root) ? known : [{ root: here.root, repository: findRepository(here.root) ?? '' }, ...known];
  // An agent sees its own root.
  const shown = process.env.LLMC_WORKER ? all.filter(({ root }) => root === here.root) : all;
  const lines = await Promise.all(shown.map(async ({ root, repository }) => await readRootLine(root, repository, options)));
  return lines
    .map((line) => ({ ...line, here: line.root === here.root }))
    .toSorted((one, other) => Number(other.here) - Number(one.here) || (one.name < other.name ? -1 : 1));
}

async function readRootLine(root: string, repository: string, options: ShellOptions): Promise<RootLine> {
  const known = {
    name: nameOfRepository(repository),
    root,
    source: repository,
    here: false,
    workers: 0,
    needs_you: 0,
  };
  if (!isThere(root)) return { ...known, state: 'gone', problem: 'the folder is gone' };
  try {
    const { source, supervisor, workers, runs } = await readStatusReport(new Shell({ ...options, root }, callOwner));
    const waiting =
      workers.filter((worker) => NEEDS.includes(chooseGroup(worker))).length + runs.filter(({ status }) => status === 'waiting').length;
    const found = repositoryAround(source);
    return {
      ...known,
      name: nameOfRepository(source),
      source,
      state: supervisor.running ? 'up' : 'down',
      workers: workers.length,
      needs_you: waiting,
      problem: found === undefined ? `its repository ${source} is gone` : null,
    };
  } catch (error) {
    const { message } = toKnownError(error);
    return { ...known, state: 'broken', problem: message };
  }
}

const NEEDS: readonly string[] = ['asks', 'needs you', 'failed', 'to review'];
