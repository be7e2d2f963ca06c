import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullRun } from '../../../test/support/full-run.ts';
import { type ScratchRepo, scratchRepo } from '../../../test/support/scratch-repo.ts';
import { DISABLING } from '../../proof/disabling.fixture.ts';
import { judgeProof } from '../../proof/verdict.ts';
import { outside } from '../run.ts';
import { collectProof } from './collect-proof.ts';
import { parseBlobs } from './read-blobs.ts';

/** Few enough for each run, always the same ones: the rules themselves are tried with thousands of random histories in src/proof. */
const HISTORIES = isFullRun ? 400 : 25;

/** Few different lines, so that equal ones, moved ones and equal changes of both sides are frequent. */
const line = fc.constantFrom('alpha one', 'beta two', 'gamma three', 'delta four', 'epsilon five', '}', '', 'zeta six');
const edit = fc.record({ at: fc.nat(30), remove: fc.nat(2), insert: fc.array(line, { maxLength: 3 }) });
const history = fc.record({
  base: fc.array(line, { minLength: 3, maxLength: 25 }),
  main: fc.array(edit, { minLength: 1, maxLength: 4 }),
  worker: fc.array(edit, { minLength: 1, maxLength: 4 }),
  order: fc.constantFrom('main', 'worker'),
});

type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

const edited = (base: readonly string[], edits: readonly Edit[]): readonly string[] =>
  edits.reduce<readonly string[]>((lines, { at, remove, insert }) => lines.toSpliced(at % (lines.length + 1), remove, ...insert), base);

interface Commit {
  readonly from?: string;
  readonly lines: readonly string[];
}

/** Makes all commits with one process and returns their hashes. */
async function commitAll(repo: ScratchRepo, commits: readonly Commit[]): Promise<readonly string[]> {
  const marks = join(repo.dir, 'marks');
  const stdin = commits
    .map(({ from, lines }, index) => {
      const text = lines.map((each) => `${each}\n`).join('');
      const begin = `commit refs/heads/h${index}\nmark :${index + 1}\ncommitter x <x@example.test> 0 +0000\ndata 1\nx\n`;
      return `reset refs/heads/h${index}\n\n${begin}${from === undefined ? '' : `from ${from}\n`}M 100644 inline f.txt\ndata ${Buffer.byteLength(text)}\n${text}\n`;
    })
    .join('');
  const args = ['-C', repo.path, 'fast-import', '--quiet', '--force', `--export-marks=${marks}`];
  const { outcome, stderr } = await repo.processes.run({ file: 'git', args, stdin });
  expect(outcome, stderr).toEqual({ kind: 'exited', status: 0 });
  const written = new Map(
    (await repo.read('marks', repo.dir))
      .split('\n')
      .map((mark) => mark.split(' '))
      .map(([mark = '', hash = '']) => [mark, hash]),
  );
  return commits.map((_, index) => written.get(`:${index + 1}`) ?? '');
}

/** What git makes of both sides: its own merge, with both parts of each conflict in the given order. */
async function merged(repo: ScratchRepo, main: string, worker: string, order: 'main' | 'worker') {
  const { stdout, outcome } = await repo.processes.run({
    file: 'git',
    args: ['-C', repo.path, 'merge-tree', '--write-tree', '--no-messages', main, worker],
  });
  const tree = stdout.split('\n')[0] ?? '';
  const { stdout: content } = await repo.processes.run({
    file: 'git',
    args: ['-C', repo.path, 'cat-file', '--batch'],
    stdin: `${tree}:f.txt\n`,
  });
  const [, text = ''] = [...parseBlobs(content)][0] ?? [];
  const isClean = outcome.kind === 'exited' && outcome.status === 0;
  return { isClean, lines: withBoth(text.split('\n').slice(0, -1), order) };
}

function withBoth(lines: readonly string[], order: 'main' | 'worker'): readonly string[] {
  const result: string[] = [];
  let parts: { main: string[]; worker: string[] } | undefined;
  let part: 'main' | 'worker' = 'main';
  for (const each of lines) {
    if (each.startsWith('<<<<<<< ')) {
      parts = { main: [], worker: [] };
      part = 'main';
    } else if (parts !== undefined && each === '=======') part = 'worker';
    else if (parts !== undefined && each.startsWith('>>>>>>> ')) {
      result.push(...(order === 'main' ? [...parts.main, ...parts.worker] : [...parts.worker, ...parts.main]));
      parts = undefined;
    } else (parts?.[part] ?? result).push(each);
  }
  return result;
}

test('with real git: a merge drops and resurrects nothing, a new line taken out of it is named, and one that is disabled is not clean', async () => {
  await using repo = await scratchRepo();
  const histories = fc.sample(history, { numRuns: HISTORIES, ...(!isFullRun && { seed: 9 }) }).map((each, index) => ({
    ...each,
    // One line of each side that no one else has.
    main: [...edited(each.base, each.main), `only main ${index}`],
    worker: [`only worker ${index}`, ...edited(each.base, each.worker)],
  }));
  const bases = await commitAll(
    repo,
    histories.map(({ base }) => ({ lines: base })),
  );
  const mains = await commitAll(
    repo,
    histories.map(({ main }, index) => ({ from: bases[index] ?? '', lines: main })),
  );
  const workers = await commitAll(
    repo,
    histories.map(({ worker }, index) => ({ from: bases[index] ?? '', lines: worker })),
  );
  const right: { readonly isClean: boolean; readonly lines: readonly string[] }[] = [];
  for (const [index, { order }] of histories.entries()) right.push(await merged(repo, mains[index] ?? '', workers[index] ?? '', order));
  const omitted = histories.map(({ order }, index) => `only ${order} ${index}`);
  const rights = await commitAll(
    repo,
    right.map(({ lines }, index) => ({ from: mains[index] ?? '', lines })),
  );
  const wrongs = await commitAll(
    repo,
    right.map(({ lines }, index) => ({ from: mains[index] ?? '', lines: lines.filter((each) => each !== omitted[index]) })),
  );
  const edits = Object.values(DISABLING);
  const disabled = await commitAll(
    repo,
    right.map(({ lines }, index) => ({
      from: mains[index] ?? '',
      lines: lines.flatMap((each) => (each === `only main ${index}` ? (edits[index % edits.length]?.(each) ?? []) : [each])),
    })),
  );
  for (const [index, { isClean }] of right.entries()) {
    const commits = { base: bases[index] ?? '', onto: mains[index] ?? '', head: workers[index] ?? '' };
    const proof = await collectProof(outside(repo.git), repo.path, { ...commits, result: rights[index] ?? '' });
    const story = JSON.stringify({ ...histories[index], right: right[index]?.lines });
    expect(proof.dropped, story).toEqual([]);
    expect(proof.stops, story).toEqual([]);
    // Both parts of a conflict one after the other also repeat what one side deleted.
    if (isClean) expect(proof.resurrected, story).toEqual([]);
    const lost = await collectProof(outside(repo.git), repo.path, { ...commits, result: wrongs[index] ?? '' });
    expect(
      lost.dropped.map(({ text }) => text),
      story,
    ).toEqual([omitted[index]]);
    const changed = await collectProof(outside(repo.git), repo.path, { ...commits, result: disabled[index] ?? '' });
    expect(judgeProof(changed), story).not.toBe('clean');
  }
});
