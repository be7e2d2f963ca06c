import { readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changed, type DamagedRoot, damagedRoot } from '../../test/support/damaged-root.ts';
import { rowsOfThisRun } from '../../test/support/full-run.ts';
import { snapshot } from '../../test/support/snapshot.ts';
import { repairRounds } from './repair-rounds.ts';

let root: DamagedRoot;
beforeAll(async () => {
  root = await damagedRoot();
});
afterAll(async () => await root[Symbol.asyncDispose]());
beforeEach(() => root.renew());

/** `llmc doctor --repair --yes`. */
async function repairAll() {
  const examine = async () => Object.values(await root.doctor());
  // Without the offers to edit a file.
  const offered = async () =>
    (await examine()).map((check) => ({ ...check, repairs: check.repairs?.filter(({ step }) => step.kind !== 'edit') ?? [] }));
  return await repairRounds(await offered(), { repair: (repairs) => root.repair(repairs.map(({ step }) => step)), examine: offered });
}

const cut = ({ layout }: DamagedRoot) => truncateSync(layout.state, 100);
const deleted = ({ layout }: DamagedRoot, name: string) => rmSync(layout.worktree(name), { recursive: true });
function oldLock({ layout }: DamagedRoot): void {
  const path = join(layout.root, 'sandbox/eve/git/worktrees/eve/index.lock');
  writeFileSync(path, '');
  utimesSync(path, 1_000, 1_000);
}

const DAMAGES: readonly [string, (root: DamagedRoot) => unknown][] = [
  ['the state is cut, and a worktree is gone', (at) => [cut(at), deleted(at, 'eve')]],
  ['the state is missing, and both worktrees are gone', (at) => [rmSync(at.layout.state), deleted(at, 'adam'), deleted(at, 'eve')]],
  [
    'the state and the database are lost, and a worktree is cut off',
    (at) => [cut(at), rmSync(at.layout.database), rmSync(join(at.layout.worktree('eve'), '.git'))],
  ],
  [
    'the state is cut, an idle worktree has changes',
    async (at) => [cut(at), await at.repo.write('a.txt', 'a\n', at.layout.worktree('adam'))],
  ],
  [
    'the state is cut, and a branch has no worker',
    async (at) => [cut(at), await at.repo.run(['branch', 'llmc/lost', at.work], at.layout.root)],
  ],
  ['the state is cut, and a killed git left a lock', (at) => [cut(at), oldLock(at)]],
  [
    'a worktree is cut off, and holds changes and an unfinished merge',
    async (at) => {
      const adam = at.layout.worktree('adam');
      await at.repo.run(['merge', '--quiet', '--no-ff', '--no-commit', at.work], adam);
      await at.repo.write('a.txt', 'a\n', adam);
      rmSync(join(adam, '.git'));
    },
  ],
  [
    'the state is cut, the backup contradicts itself, and a worktree is gone',
    (at) => {
      at.editState((state) => changed(state, 'adam', { status_before_offline: 'working' }));
      writeFileSync(at.layout.stateBackup, readFileSync(at.layout.state));
      rmSync(at.layout.database);
      cut(at);
      deleted(at, 'eve');
    },
  ],
];

// Each of the other damages is repaired alone in damaged-roots.test.ts, and with a lost state in rows of each run.
const rows = rowsOfThisRun(DAMAGES, ([what]) =>
  /^the state is missing|^the state and the database|cut off, and holds|contradicts/.test(what),
);
test.each(rows)('one repair is enough where %s, and a second one finds nothing', async (_, damage) => {
  const sound = await root.doctor();
  await damage(root);
  const { checks, reports } = await repairAll();
  expect(reports.filter(({ outcome }) => outcome !== 'repaired')).toEqual([]);
  expect(checks.filter(({ name, level }) => level !== 'ok' && sound[name]?.level === 'ok')).toEqual([]);
  const after = snapshot(root.layout.root);
  expect((await repairAll()).reports).toEqual([]);
  expect(snapshot(root.layout.root)).toEqual(after);
});
