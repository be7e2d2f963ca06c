import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LlmcError } from '../../base/error.ts';
import type { FaultPoint } from '../../base/fault.ts';
import type { Plan } from '../definition/plan.ts';
import type { Run } from '../model/run.ts';
import { command, review, swarmPlan, work } from '../next/samples.ts';
import { EngineWorld, type Turn } from './samples.ts';

const leave = (worktree: string, name: string, text: string) => {
  const path = join(worktree, '.llmc-task/out', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Research, build, land; then a command finds that main does not build, and everything is made again. */
function landPlan(): Plan {
  const [research, develop, , land] = swarmPlan().stages;
  if (research?.kind !== 'work' || develop?.kind !== 'work' || land?.kind !== 'land') throw new Error('the sample has them');
  const after = command('after', { needs: ['land'], onFailure: { unmet: { after: 1, steps: [{ kind: 'rollback', to: 'research' }] } } });
  return { ...swarmPlan(), stages: [research, develop, { ...land, by: 'run', needs: ['develop'] }, after] };
}

/** The work is not accepted in its only round, so that the other agent makes it again. */
function reassignPlan(): Plan {
  const write = work('write', 'developer', { output: { kind: 'files', files: [{ path: 'section.md', schema: undefined }] } });
  const limit = { after: 1, steps: [{ kind: 'substitute' }] } as const;
  return { ...swarmPlan(), stages: [write, review('check', 'write', { maxRounds: 1, onFailure: { limit } })] };
}

const agents: Turn = ({ worker, worktree, turn }) => {
  if (worker.endsWith('researcher')) leave(worktree, 'findings.md', `# Findings ${turn}\n`);
  if (worker.endsWith('developer')) leave(worktree, 'section.md', `# Section ${turn}\n`);
  if (worker.endsWith('reviewer'))
    leave(worktree, 'verdict.yaml', turn === 1 ? 'verdict: changes\nissues: [no]\n' : 'verdict: approved\nissues: []\n');
};

/** A person answers every question as soon as it is there. */
async function ends(world: EngineWorld, id: string, answer: (question: string) => string): Promise<Run> {
  for (let round = 0; round < 200; round += 1) {
    const run = await world.load(id);
    if (run.status !== 'running') return run;
    const open = run.escalations.find((one) => one.answer === null);
    if (open !== undefined) {
      const what = { kind: 'decided', escalation: open.number, option: answer(open.text), text: null } as const;
      await world.post(id, `decided:${open.number}`, what);
    }
    await world.round();
  }
  throw new Error('it does not end');
}

const count = (world: EngineWorld, effect: string) => world.workers.effects.filter((one) => one.startsWith(effect)).length;
const kept = (world: EngineWorld, run: string, path: string) => existsSync(join(world.folder, 'runs', run, path));

const POINTS: readonly (readonly [FaultPoint, ...number[]])[] = [
  ['archive:before-files', 1, 2, 3],
  ['archive:after-files', 1, 2, 3],
  ['run-undo:before-main', 1],
  ['run-undo:after-main', 1],
  ['run:after-commit', 8, 12, 16, 20],
  ['run:before-perform', 5, 7, 8, 9],
  ['run:after-perform', 5, 7, 8, 9],
  ['run:after-post', 5, 7, 8, 9],
];
const KILLS = POINTS.flatMap(([point, ...times]) => times.map((nth) => [point, nth] as const));

describe('an engine that is killed while a run undoes its landing', () => {
  test.each(KILLS)('at %s, time %i, undoes every effect once', async (point, nth) => {
    using world = new EngineWorld({ turn: agents });
    world.workers.passes = () => count(world, 'undo') > 0;
    await world.begin('swarm-1', landPlan());
    world.killAt(point, nth);
    const run = await ends(world, 'swarm-1', () => 'rollback');
    await world.untilSettled();
    expect(world.kills).toBe(1);
    expect(run).toMatchObject({
      status: 'done',
      compensations: [
        {
          number: 1,
          stage: 'research',
          action: 'rollback',
          steps: ['land', 'develop', 'research'],
          notified: true,
          landings: [{ step: 'land', commit: 'main-1', state: 'undone', revert: 'revert of main-1' }],
        },
      ],
    });
    expect(['undo', 'offer', 'give'].map((effect) => count(world, effect))).toEqual([1, 2, 4]);
    // Nothing began again before main was as it had been.
    expect(world.workers.effects.lastIndexOf('give swarm-1-researcher')).toBeGreaterThan(
      world.workers.effects.indexOf('undo swarm-1-developer'),
    );
    expect(world.refs.get('swarm-1/_archive/1/land')).toBe('main-1');
    expect(world.refs.get('swarm-1/_archive/1/develop')).toBe('commit of swarm-1-developer');
    const findings = run.steps.research?.result?.artifacts['findings.md']?.path ?? 'missing';
    expect(kept(world, 'swarm-1', findings)).toBe(true);
    expect(kept(world, 'swarm-1', 'archive/1-research')).toBe(true);
  });
});

describe('an engine that is killed while work goes to another agent', () => {
  test.each<readonly [FaultPoint, number]>([
    ['archive:before-files', 1],
    ['archive:after-files', 1],
    ['run:after-commit', 7],
    ['run:after-perform', 5],
    ['run:after-post', 6],
  ])('at %s, time %i, archives it once and gives it away once', async (point, nth) => {
    using world = new EngineWorld({ turn: agents });
    await world.begin('swarm-1', reassignPlan());
    world.killAt(point, nth);
    const [run] = await world.untilEnded('swarm-1');
    await world.untilSettled();
    expect(world.kills).toBe(1);
    expect(run).toMatchObject({ status: 'done', compensations: [{ stage: 'write', action: 'reassign', steps: ['check', 'write'] }] });
    expect(world.workers.tasks.map(({ worker, agent }) => `${worker} ${agent}`)).toEqual([
      'swarm-1-developer undefined',
      'swarm-1-reviewer undefined',
      'swarm-1-developer codex',
      'swarm-1-reviewer undefined',
    ]);
    expect(kept(world, 'swarm-1', 'archive/1-write')).toBe(true);
  });
});

test('an undo that is refused waits for the person, also over a restart, and the run does not go on alone', async () => {
  using world = new EngineWorld({ turn: agents });
  world.workers.passes = () => count(world, 'undo') > 0;
  world.workers.refusals.push(new LlmcError('UNDO_REFUSED', 'later commits changed a.txt'));
  await world.begin('swarm-1', landPlan());
  const asked: string[] = [];
  const run = await ends(world, 'swarm-1', (text) => {
    asked.push(text);
    return 'rollback';
  });
  expect(asked[1]).toBe('To go back to research, main-1 (land) must be taken back, and that failed: later commits changed a.txt');
  expect(run).toMatchObject({ status: 'done', compensations: [{ landings: [{ state: 'undone' }] }] });
  expect(count(world, 'undo')).toBe(1);
});
