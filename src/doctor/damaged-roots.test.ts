import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, type DamagedRoot, damagedRoot } from '../../test/support/damaged-root.ts';
import { snapshot } from '../../test/support/snapshot.ts';
import { listRescues } from '../git/rescue/rescue.ts';
import type { RepairStep } from '../recovery/records/repair-step.ts';
import type { State } from '../store/state.ts';
import { attentionText } from '../workers/status/attention-text.ts';
import { judgeOwner } from '../workers/tasks/owner.ts';
import type { CheckResult } from './check.ts';

interface Row {
  readonly damage: string;
  readonly make: (root: DamagedRoot) => unknown;
  /** The check that names it, and its words. */
  readonly check: string;
  readonly says: RegExp;
  /** What must be true after the repair. */
  readonly after?: (root: DamagedRoot) => unknown;
}

const edit = (change: (state: State) => void) => (root: DamagedRoot) => root.editState(change);
const FAR = 4_000_000_000;
const stateOf = (root: DamagedRoot) => root.own(async ({ store }) => structuredClone(store.state));
const rescuesOf = (root: DamagedRoot) =>
  root.repo.run(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/llmc/rescue'], root.layout.root);
/** Writes into what git keeps about a worktree. */
async function inGit({ repo }: DamagedRoot, at: string, name: string, text: string): Promise<void> {
  const path = await repo.run(['rev-parse', '--path-format=absolute', '--git-path', name], at);
  rmSync(path, { force: true });
  writeFileSync(path, text);
}
/** What the repair kept under another name. */
function keptOf(path: string, ...inside: readonly string[]): string {
  const name = readdirSync(dirname(path)).find((each) => each.startsWith(`${basename(path)}.broken-`)) ?? '';
  return readFileSync(join(dirname(path), name, ...inside), 'utf8');
}
const worker = async (root: DamagedRoot, name: string) => (await stateOf(root)).workers[name];

/** Each is repaired by `llmc doctor --repair --yes`. */
const REPAIRED: readonly Row[] = [
  {
    damage: 'state.json is missing',
    make: ({ layout }) => rmSync(layout.state),
    check: 'state',
    says: /is missing/,
    after: async (root) => expect(Object.keys((await stateOf(root)).workers)).toEqual(['adam', 'eve']),
  },
  { damage: 'state.json is cut', make: ({ layout }) => truncateSync(layout.state, 100), check: 'state', says: /damaged/ },
  { damage: 'state.json is empty', make: ({ layout }) => truncateSync(layout.state), check: 'state', says: /damaged/ },
  {
    damage: 'state.json is a list',
    make: ({ layout }) => writeFileSync(layout.state, '[]'),
    check: 'state',
    says: /damaged/,
  },
  {
    damage: 'a worker has an empty name',
    make: edit((state) => changed(state, 'adam', { name: '' })),
    check: 'state',
    says: /workers\.adam\.name/,
  },
  {
    damage: 'a worker has an unknown status',
    make: ({ layout, repo }) =>
      repo.read('state.json', layout.root).then((text) => repo.write('state.json', text.replace('offline', 'asleep'), layout.root)),
    check: 'state',
    says: /workers\.adam\.status/,
  },
  {
    damage: 'state.json is cut, and llmc.db is missing',
    make: ({ layout }) => [truncateSync(layout.state, 100), rmSync(layout.database)],
    check: 'state',
    says: /damaged/,
  },
  { damage: 'llmc.db is missing', make: ({ layout }) => rmSync(layout.database), check: 'database', says: /is missing/ },
  {
    damage: 'llmc.db is not a database',
    make: ({ layout }) => writeFileSync(layout.database, 'x'.repeat(5_000)),
    check: 'database',
    says: /is damaged/,
  },
  { damage: 'llmc.db is cut', make: ({ layout }) => truncateSync(layout.database, 6_000), check: 'database', says: /is damaged/ },
  ...(
    ['run', 'events', 'logs', '.worktrees', 'runs', 'copies', 'sandbox', 'run/workers', 'run/git', 'run/deaths', 'events/adam'] as const
  ).map((folder) => ({
    damage: `${folder} is a file`,
    make: ({ layout }: DamagedRoot) => {
      rmSync(join(layout.root, folder), { recursive: true, force: true });
      mkdirSync(dirname(join(layout.root, folder)), { recursive: true });
      writeFileSync(join(layout.root, folder), 'precious\n', { mode: 0o600 });
    },
    check: 'places',
    says: /is a file, and llmc needs a folder there/,
    after: ({ layout }: DamagedRoot) => expect(keptOf(join(layout.root, folder))).toBe('precious\n'),
  })),
  ...(['state.json', 'state.json.bak', 'llmc.db', 'run/lock', 'run/owner.json', 'run/api.sock', 'run/tmux.sock'] as const).map((file) => ({
    damage: `${file} is a folder`,
    make: ({ layout }: DamagedRoot) => {
      rmSync(join(layout.root, file), { recursive: true, force: true });
      mkdirSync(join(layout.root, file), { mode: 0o700 });
      writeFileSync(join(layout.root, file, 'inside'), 'precious\n');
    },
    check: 'places',
    says: /is a folder, and llmc needs a (file|socket) there/,
    after: ({ layout }: DamagedRoot) => expect(keptOf(join(layout.root, file), 'inside')).toBe('precious\n'),
  })),
  {
    damage: 'folders and files are closed to their own user',
    make: ({ layout }) => [chmodSync(layout.logs, 0o500), chmodSync(layout.state, 0o400), chmodSync(layout.run, 0o600)],
    check: 'places',
    says: /the mode of .*run keeps its own user out/,
  },
  {
    damage: 'a worker has an empty path',
    make: edit((state) => changed(state, 'adam', { worktree_path: '' })),
    check: 'consistency',
    says: /^adam has a worktree elsewhere, or none$/,
  },
  {
    damage: 'two workers have one worktree',
    make: edit((state) => changed(state, 'adam', { worktree_path: state.workers.eve?.worktree_path ?? '' })),
    check: 'consistency',
    says: /^adam has a worktree elsewhere, or none$/,
  },
  {
    damage: 'a worker was made in the future',
    make: edit((state) => changed(state, 'adam', { created_at_unix: FAR, last_activity_unix: FAR })),
    check: 'consistency',
    says: /^adam has times in the future$/,
    after: async (root) => expect((await worker(root, 'adam'))?.created_at_unix).toBeLessThan(FAR),
  },
  {
    damage: 'a review without its commit, which the branch has',
    make: edit((state) => changed(state, 'eve', { commit_sha: null })),
    check: 'consistency',
    says: /^eve waits for a review, yet has neither a commit nor an answer$/,
    after: async (root) =>
      expect(await worker(root, 'eve')).toMatchObject({ commit_sha: root.work, status_before_offline: 'needs_review' }),
  },
  {
    damage: 'a review without any commit',
    make: edit((state) => changed(state, 'adam', { status_before_offline: 'needs_review' })),
    check: 'consistency',
    says: /^adam waits for a review, yet has neither a commit nor an answer$/,
    after: async (root) =>
      expect(await worker(root, 'adam')).toMatchObject({
        status_before_offline: 'needs_input',
        attention: { kind: 'repaired', problem: 'no_commit' },
      }),
  },
  {
    damage: 'a worker at work without a task',
    make: edit((state) => changed(state, 'adam', { status_before_offline: 'working' })),
    check: 'consistency',
    says: /^adam is at work, yet has no task$/,
    after: async (root) => expect(await worker(root, 'adam')).toMatchObject({ status_before_offline: 'needs_input' }),
  },
  {
    damage: 'a worker resolves a conflict that llmc.db does not know',
    make: edit((state) => changed(state, 'eve', { status_before_offline: 'rebasing' })),
    check: 'consistency',
    says: /^eve resolves a conflict that llmc\.db does not know$/,
    after: async (root) =>
      expect(await worker(root, 'eve')).toMatchObject({
        status_before_offline: 'needs_input',
        attention: { kind: 'repaired', problem: 'no_conflict' },
      }),
  },
  {
    damage: 'a worker has a task of a run whose row and folder are lost',
    make: edit((state) => {
      const run = { id: 'swarm-1', role: 'dev', agent: 'demo', model: null, role_prompt: null, session: '', resting: true };
      changed(state, 'eve', {
        status_before_offline: 'working',
        current_prompt: 'Build it',
        run: { ...run, task: { id: 't1', kind: 'work' } },
      });
    }),
    check: 'consistency',
    says: /^eve has a task of a run that llmc does not know$/,
    after: async (root) => {
      const eve = await worker(root, 'eve');
      const attention = { kind: 'repaired', problem: 'no_run' } as const;
      expect(eve).toMatchObject({ status_before_offline: 'needs_input', attention, run: { id: 'swarm-1', task: null } });
      expect(eve && judgeOwner(eve)).toBe('person');
      expect(attentionText('eve', attention)).toMatch(/llmc reset eve; .*: llmc nuke eve$/);
    },
  },
  {
    damage: 'a worker that was offline before it went offline',
    make: edit((state) => changed(state, 'adam', { status_before_offline: 'offline' })),
    check: 'consistency',
    says: /^adam was offline before/,
    after: async (root) => expect(await worker(root, 'adam')).toMatchObject({ status_before_offline: 'idle' }),
  },
  {
    damage: 'two workers in one conversation',
    make: edit((state) => {
      const conversation_id = '11111111-1111-4111-8111-111111111111';
      for (const name of ['adam', 'eve']) changed(state, name, { conversation_id, conversation_used: true });
    }),
    check: 'consistency',
    says: /^eve has the conversation of another worker$/,
    after: async (root) => expect((await worker(root, 'eve'))?.conversation_id).toBeNull(),
  },
  {
    damage: 'the last reviewed worker does not exist',
    make: edit((state) => {
      state.last_reviewed_worker = 'nobody';
    }),
    check: 'consistency',
    says: /nobody, does not exist/,
  },
  {
    damage: 'others can read the state and the database',
    make: ({ layout }) => [chmodSync(layout.state, 0o644), chmodSync(layout.database, 0o666)],
    check: 'access',
    says: /other users may have access/,
  },
  { damage: 'others can enter the root', make: ({ layout }) => chmodSync(layout.root, 0o755), check: 'access', says: /other users/ },
  {
    damage: 'a worktree was deleted',
    make: ({ layout }) => rmSync(layout.worktree('eve'), { recursive: true }),
    check: 'worktrees',
    says: /^eve has no worktree$/,
    after: async ({ repo, layout }) => expect(await repo.read('work.txt', layout.worktree('eve'))).toBe('done\n'),
  },
  {
    damage: 'a worktree lost its .git file',
    make: ({ layout }) => rmSync(join(layout.worktree('eve'), '.git')),
    check: 'worktrees',
    says: /^eve is not connected/,
  },
  {
    damage: 'a worktree points to another repository',
    make: ({ layout, repo }) => repo.write('.git', `gitdir: ${repo.path}/.git\n`, layout.worktree('eve')),
    check: 'worktrees',
    says: /^eve is not connected/,
  },
  {
    damage: 'what git keeps about a worktree is gone',
    make: ({ layout }) => rmSync(join(layout.root, 'sandbox/eve/git/worktrees/eve'), { recursive: true }),
    check: 'worktrees',
    says: /^eve has no worktree$/,
    after: async ({ repo, layout }) => expect(await repo.read('work.txt', layout.worktree('eve'))).toBe('done\n'),
  },
  ...(
    [
      ['its branch is deleted', (root, at) => root.repo.run(['update-ref', '-d', 'refs/heads/llmc/eve'], at)],
      ['its HEAD names a missing commit', (root, at) => inGit(root, at, 'HEAD', `${'1'.repeat(40)}\n`)],
      ['its HEAD is empty', (root, at) => inGit(root, at, 'HEAD', '')],
      ['its HEAD is garbage', (root, at) => inGit(root, at, 'HEAD', 'garbage\n')],
      ['its HEAD is unborn', (root, at) => root.repo.run(['checkout', '--quiet', '--orphan', 'x'], at)],
      ['its index is garbage', (root, at) => inGit(root, at, 'index', 'garbage')],
      ['its branch names a missing commit', (root, at) => inGit(root, at, 'refs/heads/llmc/eve', `${'1'.repeat(40)}\n`)],
      ['its branch is garbage', (root, at) => inGit(root, at, 'refs/heads/llmc/eve', 'garbage\n')],
    ] as readonly (readonly [string, (root: DamagedRoot, at: string) => unknown])[]
  ).map(([what, damage]) => ({
    damage: `git cannot read a worker: ${what}`,
    make: async (root: DamagedRoot) => {
      await root.repo.write('draft.txt', 'half\n', root.layout.worktree('eve'));
      await damage(root, root.layout.worktree('eve'));
    },
    check: 'worktrees',
    says: /^eve (cannot be read|has lost its branch|has no commit)/,
    after: async ({ repo, layout, work }: DamagedRoot) => {
      const at = layout.worktree('eve');
      expect(await repo.run(['rev-parse', 'HEAD', 'llmc/eve'], at)).toBe(`${work}\n${work}`);
      expect(await repo.run(['status', '--porcelain'], at)).toBe('?? draft.txt');
    },
  })),
  {
    damage: 'packed-refs of the root is garbage',
    make: ({ layout }) => appendFileSync(join(layout.root, '.git/packed-refs'), 'garbage\n'),
    check: 'repository',
    says: /damaged/,
    after: async ({ repo, layout, work }) => expect(await repo.run(['rev-parse', 'llmc/eve'], layout.root)).toBe(work),
  },
  ...(['broken', 'missing'] as const).map((how) => ({
    damage: `objects of main are ${how} in the root`,
    make: async ({ repo, layout }: DamagedRoot) => {
      const main = await repo.run(['rev-parse', 'refs/remotes/origin/main'], layout.root);
      const path = join(layout.root, '.git/objects', main.slice(0, 2), main.slice(2));
      rmSync(path);
      if (how === 'broken') writeFileSync(path, '');
    },
    check: 'repository',
    says: /damaged/,
    after: async ({ repo, layout, work }: DamagedRoot) => {
      expect(await repo.run(['rev-parse', 'llmc/eve'], layout.root)).toBe(work);
      expect(await repo.run(['rev-list', '--count', 'llmc/eve'], layout.root)).toBe('2');
    },
  })),
  {
    damage: 'an idle worktree has changes',
    make: ({ repo, layout }) => repo.write('draft.txt', 'half\n', layout.worktree('adam')),
    check: 'worktrees',
    says: /^adam is idle, yet has changes \(draft\.txt\)$/,
    after: async (root) => expect(await rescuesOf(root)).toMatch(/^rescue\/adam\//),
  },
  {
    damage: 'an idle worktree has another branch checked out',
    make: async (root) => {
      await root.repo.run(['checkout', '--quiet', '--detach'], root.layout.worktree('adam'));
      await root.repo.commit('Astray', { 'astray.txt': 'x\n' }, root.layout.worktree('adam'));
    },
    check: 'worktrees',
    says: /^adam is idle, yet a detached commit/,
    after: async (root) => expect(await rescuesOf(root)).toMatch(/^rescue\/adam\//),
  },
  {
    damage: 'a branch without a worker, with commits',
    make: (root) => root.repo.run(['branch', 'llmc/lost', root.work], root.layout.root),
    check: 'orphaned branches',
    says: /llmc\/lost/,
    after: async (root) => {
      expect(await rescuesOf(root)).toMatch(/^rescue\/lost\//);
      const saved = await root.repo.run(['for-each-ref', '--contains', root.work, 'refs/llmc/rescue/lost'], root.layout.root);
      expect(saved).not.toBe('');
    },
  },
  ...['Fix_Login', 'v1.2', 'feature/Login', 'adam2/b', 'llmc', 'x'.repeat(40)].map((name) => ({
    damage: `a branch without a worker, with commits and a name that no worker can have (${name})`,
    make: (root: DamagedRoot) => root.repo.run(['branch', `llmc/${name}`, root.work], root.layout.root),
    check: 'orphaned branches',
    says: /branches without a worker/,
    after: async ({ repo, layout, work }: DamagedRoot) =>
      expect(await listRescues(repo.git, layout.root)).toMatchObject([
        { worker: 'orphan', parents: [work], reason: `the branch llmc/${name} had no worker` },
      ]),
  })),
  {
    damage: 'a branch without a worker, as old as main',
    make: (root) => root.repo.run(['branch', 'llmc/lost/try', 'refs/remotes/origin/main'], root.layout.root),
    check: 'orphaned branches',
    says: /llmc\/lost\/try/,
    after: async (root) => expect(await rescuesOf(root)).toBe(''),
  },
  {
    damage: 'the clone has a setting of an agent',
    make: ({ repo, layout }) => repo.run(['config', 'core.fsmonitor', '/tmp/evil'], layout.root),
    check: 'root settings',
    says: /core\.fsmonitor/,
  },
  {
    damage: 'the clone can push',
    make: ({ repo, layout }) => repo.run(['config', 'remote.origin.pushurl', repo.path], layout.root),
    check: 'root settings',
    says: /could push/,
  },
  {
    damage: 'the clone has attributes of an agent',
    make: ({ repo, layout }) => repo.write('.git/info/attributes', '* -diff\n', layout.root),
    check: 'root settings',
    says: /info\/attributes/,
  },
  {
    damage: 'a merge was left in an idle worktree',
    make: async ({ repo, layout, work }) => {
      const at = layout.worktree('adam');
      await repo.run(['merge', '--quiet', '--no-ff', '--no-commit', work], at);
    },
    check: 'git operations',
    says: /^adam is idle, yet in the middle of a merge$/,
    after: async (root) => expect(await rescuesOf(root)).toMatch(/^rescue\/adam\//),
  },
  {
    damage: 'a rebase was left in an idle worktree',
    make: async ({ repo, layout }) => {
      const at = layout.worktree('adam');
      await repo.commit('Mine', { 'mine.txt': 'x\n' }, at);
      await expect(repo.run(['rebase', '--quiet', '--force-rebase', '--exec', 'false', 'HEAD~1'], at)).rejects.toThrow();
    },
    check: 'git operations',
    says: /^adam is idle, yet in the middle of a rebase$/,
    after: async (root) => expect(await rescuesOf(root)).toMatch(/^rescue\/adam\//),
  },
  {
    damage: 'a killed git left locks',
    make: ({ layout }) => {
      for (const name of ['.git/packed-refs.lock', 'sandbox/eve/git/worktrees/eve/index.lock']) {
        const path = join(layout.root, name);
        writeFileSync(path, '');
        utimesSync(path, 1_000, 1_000);
      }
    },
    check: 'git locks',
    says: /packed-refs\.lock .* old\), .*index\.lock/,
  },
  ...(['apiSocket', 'tmuxSocket'] as const).map((socket) => ({
    damage: `a supervisor or a tmux server that was killed left its socket (${socket})`,
    make: ({ layout }: DamagedRoot) => writeFileSync(layout[socket], ''),
    check: 'sockets',
    says: /nobody answers at/,
  })),
];

let root: DamagedRoot;
beforeAll(async () => {
  root = await damagedRoot();
});
afterAll(async () => await root[Symbol.asyncDispose]());
beforeEach(() => root.renew());

const troubles = (results: Readonly<Record<string, CheckResult>>, before: Readonly<Record<string, CheckResult>>) =>
  Object.values(results).filter(({ name, level }) => level !== 'ok' && before[name]?.level === 'ok');
const stepsOf = (results: Readonly<Record<string, CheckResult>>): readonly RepairStep[] =>
  // A file is edited by a person.
  Object.values(results).flatMap(({ repairs = [] }) => repairs.map(({ step }) => step).filter(({ kind }) => kind !== 'edit'));

describe('a damaged root is named and repaired, and a second repair changes nothing', () => {
  let sound: Readonly<Record<string, CheckResult>>;
  beforeAll(async () => {
    root.renew();
    sound = await root.doctor();
    expect(Object.values(sound).filter(({ level, repairs }) => level === 'failed' || repairs !== undefined)).toEqual([]);
  });

  test.each(REPAIRED)('$damage', async ({ make, check, says, after }) => {
    await make(root);
    const found = await root.doctor();
    expect(found[check]).toMatchObject({
      level: expect.not.stringMatching('ok'),
      message: expect.stringMatching(says),
      hint: expect.any(String),
    });
    const steps = stepsOf(found);
    const repaired = await root.repair(steps);
    expect(repaired.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    const results = await root.doctor();
    expect(troubles(results, sound)).toEqual([]);
    expect(stepsOf(results)).toEqual([]);
    await after?.(root);
    const before = snapshot(root.layout.root);
    const again = await root.repair(steps);
    expect(again.filter(({ outcome }) => outcome !== 'unneeded')).toEqual([]);
    expect(snapshot(root.layout.root)).toEqual(before);
  });
});
