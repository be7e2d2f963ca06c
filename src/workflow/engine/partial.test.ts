import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import { review, swarmPlan, work } from '../next/samples.ts';
import { EngineWorld, type Turn } from './samples.ts';

/** Leaves something of everything, but not what was asked for. */
const hostile: Turn = ({ worktree, turn }) => {
  if (turn > 1) return;
  const at = (name: string) => join(worktree, '.llmc-task/out', name);
  mkdirSync(at('deep/messages'), { recursive: true });
  mkdirSync(at('messages'));
  writeFileSync(at('notes.md'), 'half of it');
  writeFileSync(at('deep/plan.yaml'), 'a: 1');
  writeFileSync(at('odd \u001b[31m$(name).md'), 'odd');
  writeFileSync(at('messages/1.yaml'), 'to: developer\ntext: hello\n');
  writeFileSync(at('huge.md'), 'x'.repeat(1024 * 1024 + 1));
  writeFileSync(at('binary'), 'a\0b');
  writeFileSync(at('empty.md'), '');
  symlinkSync('/etc/passwd', at('link.md'));
  symlinkSync('/etc', at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
};

async function stopped(world: EngineWorld): Promise<string> {
  await world.begin('swarm-1');
  for (let round = 0; round < 3; round += 1) await world.round();
  await world.post('swarm-1', 'abort', { kind: 'abort', why: 'enough' });
  await world.untilEnded('swarm-1');
  await world.untilSettled();
  return join(world.folder, 'runs/swarm-1/partial');
}

test.each([false, true])('what an agent had left when it was stopped is kept as partial (killed before: %s)', async (isKilled) => {
  using world = new EngineWorld({ turn: hostile });
  if (isKilled) world.killAt('halt:before-partial', 1);
  const folder = await stopped(world);
  expect(world.kills).toBe(isKilled ? 1 : 0);
  expect(readdirSync(folder)).toEqual(['research-1']);
  expect(readdirSync(join(folder, 'research-1')).toSorted()).toEqual([
    expect.stringMatching(/^[0-9a-f]{8}-odd___31m__name_\.md$/),
    'deep~plan.yaml',
    'notes.md',
  ]);
  expect(readFileSync(join(folder, 'research-1/notes.md'), 'utf8')).toBe('half of it');
});

test('a stage that had not begun leaves nothing of the stage before it', async () => {
  const plan = swarmPlan(() => [
    work('one', 'developer', { output: { kind: 'files', files: [{ path: 'notes.md', schema: undefined }] } }),
    work('two', 'developer', { needs: ['one'] }),
  ]);
  using world = new EngineWorld({ turn: hostile });
  await world.begin('swarm-1', plan);
  while ((await world.load('swarm-1')).steps.one?.state.kind !== 'acting') await world.round();
  world.workers.make = () => Promise.reject(new LlmcError('GIT_WORKTREE_FAILED', 'no space'));
  await world.untilEnded('swarm-1');
  await world.untilSettled();
  expect(await world.load('swarm-1')).toMatchObject({ status: 'failed', steps: { one: { state: { kind: 'done' } } } });
  expect(readdirSync(join(world.folder, 'runs/swarm-1'))).toEqual(['artifacts']);
});

test.each(['skip', 'rollback'] as const)('a verdict that was taken is not unfinished work of its review (%s)', async (kind) => {
  const write = work('write', 'developer', { output: { kind: 'files', files: [{ path: 'section.md', schema: undefined }] } });
  const after =
    (verdict: string): Turn =>
    ({ worker, worktree, turn }) => {
      const isReview = worker.endsWith('reviewer');
      mkdirSync(join(worktree, '.llmc-task/out'), { recursive: true });
      if (!isReview) return writeFileSync(join(worktree, '.llmc-task/out/section.md'), `# Section ${turn}\n`);
      writeFileSync(join(worktree, '.llmc-task/out/notes.md'), 'what I thought of it');
      writeFileSync(
        join(worktree, '.llmc-task/out/verdict.yaml'),
        turn === 1 ? `verdict: ${verdict}\nissues: [no]\n` : 'verdict: approved\n',
      );
    };
  const onFailure = kind === 'skip' ? {} : ({ inconsistent: { after: 1, steps: [{ kind: 'rollback', to: 'write' }] } } as const);
  using world = new EngineWorld({ turn: after(kind === 'skip' ? 'changes' : 'inconsistent') });
  await world.begin('swarm-1', { ...swarmPlan(), stages: [write, review('check', 'write', { maxRounds: 1, onFailure })] });
  await world.untilEnded('swarm-1');
  await world.untilSettled();
  expect(await world.load('swarm-1')).toMatchObject({ status: 'done' });
  // What nobody asked for is kept, so that nothing is lost.
  expect(readdirSync(join(world.folder, 'runs/swarm-1/partial/check-1'))).toEqual(['notes.md']);
});
