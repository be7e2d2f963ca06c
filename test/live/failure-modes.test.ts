import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testOfFullRun } from '../support/full-run.ts';
import { until } from '../support/scratch-tmux.ts';
import type { World } from '../support/world.ts';
import { Pipeline, pipelineWorld, stateOf } from './pipeline-world.ts';

/** The failure modes of pipelines, row by row: failure mode, response, recovery. */
let world: World;
beforeAll(async () => {
  world = await pipelineWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

const codes = async (pipeline: Pipeline) => (await pipeline.report()).errors.map(({ code, where }) => `${code} ${where}`);
const SEARCH = 'inputs: { angles: { type: list } }\nroles: { searcher: {}, lead: {} }\nstages:\n';
const GO_ON = '  - { id: "3", role: lead, output: outline.md, prompt: "{{2.done}} of {{2.total}} angles, {{2.shared}} shared." }\n';

describe('failure mode reference', () => {
  // In each run: the line about timeouts in recovery-checklist.test.ts.
  testOfFullRun('Agent timeout: log, escalate; reassign or skip', async () => {
    const role = 'roles: { writer: { fallback: twin }, lead: {} }\nstages:\n';
    const late = '{ role: writer, output: late.md, timeout: 2s, prompt: Be late.';
    const stages = `  - ${late.replace('{', '{ id: reassigned, needs: [], on_failure: { timeout: substitute },')} }
  - ${late.replace('{', '{ id: left-out, needs: [], on_failure: { timeout: ask },')} }
`;
    const pipeline = Pipeline.define(world, 'late', `${role}${stages}`);
    // Only the fallback leaves the file: it is another program, and says so in its environment.
    const steps = [{ run: `test -n "$LLMC_SPOOL" && ${pipeline.gate('never')}; true` }, { leave: 'late.md' }];
    for (const worker of ['writer', 'writer-2']) pipeline.play(worker, { when: '.', steps });
    await pipeline.start();
    await until('the question', async () => (await pipeline.show()).questions.length > 0, 120_000);
    const asked = await pipeline.show();
    expect(asked.questions).toMatchObject([{ type: 'timeout', options: expect.arrayContaining(['extend', 'skip', 'abort']) }]);
    await pipeline.decide('skip');
    const view = await pipeline.wait('done,failed');
    expect([view.status, stateOf(view, 'reassigned')?.state, stateOf(view, 'left-out')?.state]).toEqual(['done', 'done', 'skipped']);
    expect((await codes(pipeline)).toSorted()).toEqual(['AGENT_TIMEOUT left-out', 'AGENT_TIMEOUT reassigned']);
  });

  // In each run: fallback.test.ts.
  testOfFullRun('Agent crash: log, retry once; reassign', async () => {
    const role = 'roles: { writer: { fallback: twin } }\nstages:\n';
    const stage = '  - { id: write, role: writer, output: text.md, on_failure: { crash: [retry, substitute] }, prompt: Write. }\n';
    const pipeline = Pipeline.define(world, 'crash', `${role}${stage}`);
    const crash = { run: `${pipeline.note('tried')}; test -z "$LLMC_SPOOL" || kill -9 $PPID` };
    pipeline.play('writer', { when: '.', steps: [crash, { leave: 'text.md' }] });
    await pipeline.start();
    expect((await pipeline.wait()).status).toBe('done');
    expect(pipeline.noted('tried')).toBe(3);
    expect(await codes(pipeline)).toEqual(['AGENT_CRASHED write', 'AGENT_CRASHED write']);
  });

  test.concurrent('YAML parse error: log, reject handoff; return to producer', async () => {
    const stages = '  - { id: outline, role: lead, output: outline.yaml, prompt: Outline. }\n';
    const pipeline = Pipeline.define(world, 'yaml', `roles: { lead: {} }\nstages:\n${stages}`);
    pipeline.play('lead', { steps: [{ leave: { file: 'outline.yaml', bad: 'broken' } }] }, { steps: [{ leave: 'outline.yaml' }] });
    await pipeline.start();
    expect((await pipeline.wait()).status).toBe('done');
    expect(await codes(pipeline)).toEqual(['AGENT_INVALID_OUTPUT outline']);
    expect(pipeline.files('artifacts/outline*').length).toBe(1);
  });

  test.concurrent('Convergence never achieved: open circuit; proceed with partial', async () => {
    const search = `  - id: "2"
    for_each: { of: inputs.angles, max_parallel: 2, agree_on: "reviews[].doi" }
    require: { shared: { min: 2 } }
    circuit_breaker: { failures: 2, retry_after: 15m, when_open: partial }
    on_failure: { unmet: [retry, retry, retry] }
    stages: [{ id: search, role: searcher, output: reviews.yaml, prompt: "Search from {{item}}." }]
`;
    const pipeline = Pipeline.define(world, 'converge', `${SEARCH}${search}${GO_ON}`);
    const found = (doi: string) => ({ when: '.', steps: [{ leave: { file: 'reviews.yaml', content: JSON.stringify([{ doi }]) } }] });
    pipeline.play('searcher', found('10.1000/a')).play('searcher-2', found('10.1000/b'));
    await pipeline.start('angles=one', 'angles=two');
    const view = await pipeline.wait();
    expect([view.status, stateOf(view, '2')?.state, stateOf(view, '2')?.marks]).toEqual(['done', 'done', ['partial']]);
    expect(view.breakers.map(({ state }) => state)).toEqual(['open']);
  });

  test.concurrent('Infinite validation loop: escape hatch after 3 cycles; user decision', async () => {
    const stages = `  - { id: write, role: writer, output: text.md, prompt: Write. }
  - { id: check, review: write, by: validator, max_rounds: 3, on_failure: { limit: ask } }
`;
    const pipeline = Pipeline.define(world, 'loop', `roles: { writer: {}, validator: {} }\nstages:\n${stages}`);
    const remark = { leave: { file: 'verdict.yaml', issues: ['Not yet.'] } };
    pipeline.play('validator', { when: '.', steps: [{ run: pipeline.note('checked') }, remark] });
    await pipeline.start();
    const asked = await pipeline.wait();
    expect([asked.questions[0]?.type, pipeline.noted('checked')]).toEqual(['unmet', 3]);
    await pipeline.decide('skip');
    const view = await pipeline.wait('done,failed');
    expect([view.status, stateOf(view, 'write')?.marks]).toEqual(['done', [expect.any(String)]]);
  });

  test.concurrent('Network failure: retry 3x; proceed without papers', async () => {
    const search = `  - id: "2"
    for_each: { of: inputs.angles, max_parallel: 2, agree_on: "reviews[].doi" }
    stages: [{ id: search, role: searcher, output: reviews.yaml, on_failure: { network: [retry, retry, retry, skip] }, prompt: "{{item}}" }]
`;
    const pipeline = Pipeline.define(world, 'network', `${SEARCH}${search}${GO_ON}`);
    const fail = { fail: { type: 'network', message: 'getaddrinfo ENOTFOUND' } };
    // A turn that failed goes on behind the step that failed.
    const steps = Array.from({ length: 9 }, () => [{ run: pipeline.note('tried') }, fail]).flat();
    pipeline.play('searcher-2', { when: '.', steps });
    await pipeline.start('angles=one', 'angles=two');
    const view = await pipeline.wait();
    expect([view.status, stateOf(view, '2/1')?.state, stateOf(view, '2/2')?.state]).toEqual(['done', 'done', 'failed']);
    expect(pipeline.noted('tried')).toBe(4);
  });
});

// In each run: the line about the state file in recovery-checklist.test.ts.
testOfFullRun('State corruption: try backup; scan artifacts', async () => {
  const stages = `  - { id: first, role: lead, output: first.md, prompt: Plan it. }
  - { id: second, role: lead, output: second.md, prompt: "Build it by {{first}}." }
`;
  const pipeline = Pipeline.define(world, 'markers', `roles: { lead: {} }\nstages:\n${stages}`);
  const first = { when: 'Plan it', steps: [{ run: pipeline.note('first') }, { leave: 'first.md' }] };
  pipeline.play('lead', first, { when: 'Build it', steps: [{ run: pipeline.gate('go') }, { leave: 'second.md' }] });
  await pipeline.start();
  await until('the first stage to be done', async () => stateOf(await pipeline.show(), 'first')?.state === 'done', 120_000);
  await world.killSupervisor();
  for (const path of globSync('llmc.db*', { cwd: world.root })) rmSync(join(world.root, path));
  for (const name of ['state.yaml', 'state.bak']) writeFileSync(join(world.root, 'runs', pipeline.run, name), 'run: [');
  pipeline.open('go');
  // One place for all agents, for the next row.
  const config = join(world.root, 'config.toml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('max_agents = 16', 'max_agents = 1\nqueue_timeout_secs = 1'));
  await world.comeUp();
  expect((await pipeline.show()).status).toBe('failed');
  await world.ok('recover', pipeline.run, '--detach');
  expect((await pipeline.wait('done,failed')).status).toBe('done');
  expect(pipeline.noted('first')).toBe(1);
});

// In each run: the line about the resource limit in recovery-checklist.test.ts.
testOfFullRun('Resource exhaustion: escalate; wait or abort', async () => {
  const stages = `  - { id: one, role: writer, needs: [], output: one.md, prompt: Write. }
  - { id: two, role: writer, needs: [], output: two.md, prompt: Write. }
`;
  const pipeline = Pipeline.define(world, 'places', `roles: { writer: {} }\nstages:\n${stages}`);
  for (const worker of ['writer', 'writer-2']) pipeline.play(worker, { when: '.', steps: [{ run: pipeline.gate('never') }] });
  await pipeline.start();
  const [first] = (await pipeline.wait('waiting')).questions;
  expect(first).toMatchObject({ type: 'resource', options: ['wait', 'abort'] });
  await pipeline.decide('wait');
  const again = async () => (await pipeline.show()).questions.find(({ number }) => number !== first?.number);
  await until('the next question', async () => (await again())?.type === 'resource', 60_000);
  await pipeline.decide('abort');
  expect((await pipeline.wait('aborted')).status).toBe('aborted');
});
