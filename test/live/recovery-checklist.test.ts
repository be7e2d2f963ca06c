import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testOfFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';
import { Pipeline, pipelineWorld, stateOf } from './pipeline-world.ts';

/**
 * The recovery testing checklist for pipelines, line by line. Terminals, signals and reboots in detail: interrupts.test.ts.
 */
let world: World;
beforeAll(async () => {
  world = await pipelineWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const ROLES = 'roles: { lead: {}, searcher: {}, writer: {}, validator: {} }\n';
const SEARCH = `  - id: "2"
    for_each: { of: inputs.angles, max_parallel: 2 }
    stages: [{ id: search, role: searcher, output: reviews.yaml, prompt: "Search from the angle {{item}}." }]
`;
const LIST = 'sections: { type: items }';
const WRITE = `  - id: sections
    for_each: { of: inputs.sections, key: id, max_parallel: 3 }
    stages:
      - { id: "5", role: writer, output: section.md, prompt: "Write the section {{item.id}}." }
`;
const JOIN = '  - { id: "7", role: lead, output: draft.md, prompt: "Join {{sections.done}} sections." }\n';

function sections(name: string, ids: readonly string[]): string {
  const file = join(world.dir, `${name}.json`);
  writeFileSync(file, JSON.stringify(ids.map((id) => ({ id, title: id, text: id }))));
  return `sections=${file}`;
}

/** A turn that leaves half of its result and is interrupted the first time, and leaves all of it after that. */
function interruptible(pipeline: Pipeline, key: string, file: string) {
  const at = join(world.dir, `${pipeline.run}-${key}`);
  const half = `mkdir -p .llmc-task/out; echo half > .llmc-task/out/notes.md; printf 'done: 1\\ntotal: 2\\nnote: half\\n' > .llmc-task/out/progress.yaml`;
  const whole = `${pipeline.note(key)}; echo '- ${key}' > .llmc-task/out/${file}`;
  const line = `if test -e ${at}.began; then ${whole}; else ${half}; touch ${at}.began; sleep 600; fi`;
  // An agent that has begun this moment may be stopped without a request to save.
  const saving = { when: 'a person pauses this run', steps: [] };
  return { turns: [saving, { when: '.', steps: [{ run: line }] }], hasBegun: () => existsSync(`${at}.began`) };
}

describe('recovery testing checklist', () => {
  test.concurrent('Ctrl+C during Stage 2 parallel execution -> resumes correctly', async () => {
    const pipeline = Pipeline.define(world, 'search', `inputs: { angles: { type: list } }\n${ROLES}stages:\n${SEARCH}`);
    const [one, two] = [interruptible(pipeline, 'one', 'reviews.yaml'), interruptible(pipeline, 'two', 'reviews.yaml')];
    pipeline.play('searcher', ...one.turns).play('searcher-2', ...two.turns);
    expect(await pipeline.interrupted(() => one.hasBegun() && two.hasBegun(), 'angles=one', 'angles=two')).toBe(130);
    expect((await pipeline.show()).status).toBe('paused');
    expect(pipeline.files('artifacts/search/*')).toEqual([]);
    await world.ok('resume', pipeline.run, '--detach');
    expect((await pipeline.wait()).status).toBe('done');
    expect([pipeline.noted('one'), pipeline.noted('two'), pipeline.files('artifacts/search/*').length]).toEqual([1, 1, 2]);
  });

  // In each run: the first test of interrupts.test.ts.
  testOfFullRun('Ctrl+C during Stage 5 parallel section writing -> partial sections preserved', async () => {
    const pipeline = Pipeline.define(world, 'write', `inputs: { ${LIST} }\n${ROLES}stages:\n${WRITE}${JOIN}`);
    const [second, third] = [interruptible(pipeline, 's2', 'section.md'), interruptible(pipeline, 's3', 'section.md')];
    pipeline.play('writer', { when: '.', steps: [{ run: pipeline.note('s1') }, { leave: 'section.md' }] });
    pipeline.play('writer-2', ...second.turns).play('writer-3', ...third.turns);
    const isTime = () => second.hasBegun() && third.hasBegun() && pipeline.files('artifacts/5/s1-*').length === 1;
    expect(await pipeline.interrupted(isTime, sections('write', ['s1', 's2', 's3']))).toBe(130);
    const shown = await world.ok('show', pipeline.run);
    expect(shown).toMatch(/complete: 5\/s1/);
    expect(shown).toMatch(/partial: 5\/s2 \(50 %: half\), 5\/s3 \(50 %: half\)/);
    expect(pipeline.files('partial/5/*/notes.md').map((path) => pipeline.read(path))).toEqual(['half\n', 'half\n']);
    await world.ok('resume', pipeline.run, '--detach');
    expect((await pipeline.wait()).status).toBe('done');
    expect(['s1', 's2', 's3'].map((key) => pipeline.noted(key))).toEqual([1, 1, 1]);
  });

  test.concurrent('Stage 5 section fails validation 3x -> circuit breaker opens, proceeds without section', async () => {
    const breaker = WRITE.replace(
      'prompt: "Write',
      'circuit_breaker: { scope: item, failures: 3, retry_after: 30m, when_open: skip }, prompt: "Write',
    );
    const check = '      - { id: 6a, review: "5", by: validator, max_rounds: 3, prompt: "Check {{item.id}}." }\n';
    const pipeline = Pipeline.define(world, 'breaker', `inputs: { ${LIST} }\n${ROLES}stages:\n${breaker}${check}${JOIN}`);
    const remarks = {
      when: 'Check bad',
      steps: [{ run: pipeline.note('checked') }, { leave: { file: 'verdict.yaml', issues: ['wrong'] } }],
    };
    for (const role of ['validator', 'validator-2']) pipeline.play(role, remarks);
    await pipeline.start(sections('breaker', ['good', 'bad']));
    const view = await pipeline.wait();
    expect(view.status).toBe('done');
    expect([stateOf(view, 'sections/good')?.state, stateOf(view, 'sections/bad')?.state]).toEqual(['done', 'failed']);
    expect(pipeline.noted('checked')).toBe(3);
  });

  test.concurrent('Stage 3 user rejects 2x -> compensation triggers, returns to Stage 2', async () => {
    const outline = `  - { id: "3", role: lead, output: outline.md, prompt: "Outline it." }
  - { id: 3-approval, review: "3", by: person, max_rounds: 2, on_failure: { limit: { rollback: "2" } } }
`;
    const pipeline = Pipeline.define(world, 'outline', `inputs: { angles: { type: list } }\n${ROLES}stages:\n${SEARCH}${outline}`);
    const search = { when: 'angle', steps: [{ run: pipeline.note('searched') }, { leave: 'reviews.yaml' }] };
    for (const role of ['searcher', 'searcher-2']) pipeline.play(role, search);
    await pipeline.start('angles=one', 'angles=two');
    for (const text of ['Too short.', 'Still too short.']) {
      expect((await pipeline.wait()).questions).toMatchObject([{ type: 'approval' }]);
      await pipeline.decide('reject', '--text', text);
    }
    expect((await pipeline.wait()).questions).toMatchObject([{ type: 'approval' }]);
    expect(pipeline.noted('searched')).toBe(4);
    await pipeline.decide('approve');
    expect((await pipeline.wait()).status).toBe('done');
    const { compensations } = await pipeline.report();
    expect(compensations.map(({ stage }) => stage)).toContain('2');
    expect(pipeline.files('archive/*/**/*reviews.yaml').length).toBe(2);
  });

  test.concurrent('Agent timeout -> timeout action executes correctly', async () => {
    const late =
      '  - { id: late, role: writer, output: late.md, timeout: 2s, on_failure: { timeout: { skip: incomplete } }, prompt: Late. }\n';
    const after = '  - { id: after, role: lead, needs: late, output: after.md, prompt: Go on. }\n';
    const pipeline = Pipeline.define(world, 'timeout', `${ROLES}stages:\n${late}${after}`);
    pipeline.play('writer', { when: '.', steps: [{ run: pipeline.gate('never') }] });
    await pipeline.start();
    const view = await pipeline.wait();
    expect([view.status, stateOf(view, 'late')?.state, stateOf(view, 'after')?.state]).toEqual(['done', 'skipped', 'done']);
    expect(stateOf(view, 'late')?.marks).toEqual(['incomplete']);
    expect((await pipeline.report()).errors).toMatchObject([{ code: 'AGENT_TIMEOUT', where: 'late' }]);
  });
});

/** The lines that restart the supervisor come after those that run beside each other. */
describe('recovery testing checklist, with restarts', () => {
  /** One section is done and one is at work, when `stop` happens; then the gate is open. */
  async function halfDone(name: string): Promise<Pipeline> {
    const pipeline = Pipeline.define(world, name, `inputs: { ${LIST} }\n${ROLES}stages:\n${WRITE}${JOIN}`);
    const turns = ['s1', 's2'].map((key) => ({
      when: `section ${key}`,
      steps: [...(key === 's2' ? [{ run: pipeline.gate('go') }] : []), { run: pipeline.note(key) }, { leave: 'section.md' }],
    }));
    for (const role of ['writer', 'writer-2']) pipeline.play(role, ...turns);
    await pipeline.start(sections(name, ['s1', 's2']));
    await until('one section to be done', async () => stateOf(await pipeline.show(), 'sections/s1')?.state === 'done', 120_000);
    return pipeline;
  }

  // In each run: the first test of interrupts.test.ts, which cuts the power.
  testOfFullRun('Full workflow resume after system restart', async () => {
    const pipeline = await halfDone('restart');
    await world.cutPower();
    pipeline.open('go');
    await world.comeUp();
    expect((await pipeline.wait()).status).toBe('done');
    expect([pipeline.noted('s1'), pipeline.noted('s2')]).toEqual([1, 1]);
  });

  test('State file corrupted -> recovery from backup works', async () => {
    const pipeline = await halfDone('corrupt');
    await world.killSupervisor();
    for (const path of globSync('llmc.db*', { cwd: world.root })) rmSync(join(world.root, path));
    const state = join(world.root, 'runs', pipeline.run, 'state.yaml');
    writeFileSync(state, readFileSync(state, 'utf8').slice(0, 200));
    pipeline.open('go');
    // One place for all agents, for the next line.
    const config = join(world.root, 'config.toml');
    writeFileSync(config, readFileSync(config, 'utf8').replace('max_agents = 16', 'max_agents = 1\nqueue_timeout_secs = 1'));
    await world.comeUp();
    expect((await pipeline.show()).status).toBe('failed');
    await world.ok('recover', pipeline.run, '--detach');
    expect((await pipeline.wait('done,failed')).status).toBe('done');
    // The agent of the second section was at work in between, and another one took over.
    expect([pipeline.noted('s1'), pipeline.files('artifacts/5/*').length]).toEqual([1, 2]);
  });

  test('Resource limit reached -> queue behaves correctly', async () => {
    const pipeline = Pipeline.define(world, 'queue', `inputs: { ${LIST} }\n${ROLES}stages:\n${WRITE}${JOIN}`);
    const write = { when: 'section', steps: [{ run: `${pipeline.note('began')}; ${pipeline.gate('go')}` }, { leave: 'section.md' }] };
    for (const role of ['writer', 'writer-2', 'writer-3']) pipeline.play(role, write);
    await pipeline.start(sections('queue', ['s1', 's2', 's3']));
    const asked = await pipeline.wait('waiting');
    expect(asked.questions[0]).toMatchObject({ type: 'resource', options: ['wait', 'abort'] });
    // The question comes after a second, and an agent may need longer to begin.
    await until('the agent with the place to begin', async () => pipeline.noted('began') > 0, 120_000);
    expect(pipeline.noted('began')).toBe(1);
    pipeline.open('go');
    expect((await pipeline.wait('done,failed')).status).toBe('done');
    expect(pipeline.noted('began')).toBe(3);
  });
});
