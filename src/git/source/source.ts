import { basename, dirname, resolve } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { complaint, type Git, type GitAnswer, type GitCall, gitFailed, read } from '../run.ts';
import { chooseMainBranch } from './main-branch.ts';

export interface Source {
  /** The main checkout, or the repository itself if it is bare. The root is cloned from here, and commits land here. */
  readonly path: string;
  /** The repository that all its checkouts share. */
  readonly gitDir: string;
  /** The checkout at the given path, such as a linked worktree; undefined if there is none. */
  readonly checkout: string | undefined;
  readonly bare: boolean;
  readonly branch: string;
  readonly branches: readonly string[];
}

const discovering = (call: GitCall): GitCall => ({ ...call, discover: true });

const placeCall = (path: string): GitCall =>
  discovering(
    read(path, 'rev-parse', '--path-format=absolute', '--is-bare-repository', '--is-inside-work-tree', '--git-dir', '--git-common-dir'),
  );
const toplevelCall = (path: string): GitCall => discovering(read(path, 'rev-parse', '--path-format=absolute', '--show-toplevel'));
const branchesCall = (gitDir: string): GitCall =>
  read(gitDir, 'for-each-ref', '--format=%(refname)%00%(symref)', 'refs/heads', 'refs/remotes/origin/HEAD');
const currentBranchCall = (at: string): GitCall => read(at, 'symbolic-ref', '--quiet', '--short', 'HEAD');
const initDefaultCall = (at: string): GitCall => read(at, 'config', '--get', 'init.defaultBranch');

export async function inspectSource(git: Git, path: string, configured?: string): Promise<Source> {
  const place = await findPlace(git, resolve(path));
  const [refs, current, initDefault] = await Promise.all([
    git.ok(branchesCall(place.path)),
    git.run(currentBranchCall(place.checkout ?? place.path)),
    git.run(initDefaultCall(place.path)),
  ]);
  const { branches, remoteDefault } = parseBranches(refs);
  const facts = { configured, branches, remoteDefault, initDefault: line(initDefault), current: line(current), bare: place.bare };
  const branch = chooseMainBranch(facts);
  if (branch !== undefined) return { ...place, branch, branches };
  if (branches.length === 0) {
    throw new LlmcError('BRANCH_NOT_FOUND', `${place.path} has no commit yet`, {
      hint: place.bare
        ? `Push a first commit into it: ${commandLine('git', 'push', place.path, 'HEAD:refs/heads/main')}`
        : `Make a first commit: ${commandLine('git', '-C', place.path, 'commit', '--allow-empty', '-m', 'Start')}`,
    });
  }
  const missing = configured === undefined ? 'has no branch that could be the main one' : `has no branch "${configured}"`;
  throw new LlmcError('BRANCH_NOT_FOUND', `${place.path} ${missing}`, {
    hint: `Choose one with --branch: ${branches.join(', ')}`,
    details: branches.join('\n'),
  });
}

type Place = Pick<Source, 'path' | 'gitDir' | 'checkout' | 'bare'>;

async function findPlace(git: Git, path: string): Promise<Place> {
  const call = placeCall(path);
  const answer = await git.run(call);
  if (answer.status !== 0) throw notARepository(path, call, answer);
  const [bareWord, inside, gitDir = '', commonDir = ''] = answer.stdout.trimEnd().split('\n');
  if (bareWord === 'true') return { path: commonDir, gitDir: commonDir, checkout: undefined, bare: true };
  const checkout = inside === 'true' ? (await git.ok(toplevelCall(path))).replace(/\n$/, '') : undefined;
  if (checkout !== undefined && gitDir === commonDir) return { path: checkout, gitDir: commonDir, checkout, bare: false };
  // A linked worktree may be deleted later, so use its main repository.
  if (basename(commonDir) === '.git') return { path: dirname(commonDir), gitDir: commonDir, checkout, bare: false };
  return { path: commonDir, gitDir: commonDir, checkout, bare: checkout !== undefined };
}

function notARepository(path: string, call: GitCall, answer: GitAnswer): LlmcError {
  if (/dubious ownership/.test(answer.stderr)) {
    return gitFailed(
      call,
      answer,
      `The repository belongs to another user. If you trust it: ${commandLine('git', 'config', '--global', '--add', 'safe.directory', path)}`,
    );
  }
  return new LlmcError('NOT_A_REPOSITORY', `${path} is not a git repository`, {
    hint: 'Name a repository with --source, or make one there with: git init',
    details: complaint(answer.stderr),
  });
}

export function parseBranches(text: string): { branches: string[]; remoteDefault: string | undefined } {
  const branches: string[] = [];
  let remoteDefault: string | undefined;
  for (const row of text.split('\n').filter((each) => each !== '')) {
    const [ref = '', target = ''] = row.split('\0');
    if (ref.startsWith('refs/heads/')) branches.push(ref.slice('refs/heads/'.length));
    else if (target.startsWith('refs/remotes/origin/')) remoteDefault = target.slice('refs/remotes/origin/'.length);
  }
  return { branches, remoteDefault };
}

const line = (answer: GitAnswer): string | undefined => (answer.status === 0 ? answer.stdout.trim() || undefined : undefined);
