import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
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

const recoverySchema = z.object({ steps: z.array(z.object({ lines: z.array(z.string()) })) });
const resumedSchema = z.object({ skipped: z.array(z.string()), unverified: z.array(z.string()), asks: z.array(z.string()) });
const questionsSchema = z.object({ questions: z.array(z.object({ number: z.int(), stage: z.string() })) });

async function approvals({ run }: Pipeline): Promise<z.infer<typeof questionsSchema>['questions']> {
  return (await world.json(questionsSchema, 'show', run)).questions;
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

test.concurrent('after the last round of a review a person sees the remarks and the file, and gives another round', async () => {
  const review = `  - { id: write, role: writer, output: text.md, prompt: "Write the text." }
  - { id: check, review: write, by: validator, max_rounds: 1, on_failure: { limit: ask }, prompt: "Check the text." }
`;
  const pipeline = Pipeline.define(world, 'rounds', `${ROLES}stages:\n${review}`);
  const verdict = (...lines: readonly string[]) => `printf '${lines.map((line) => `${line}\\n`).join('')}' > .llmc-task/out/verdict.yaml`;
  const [remarks, approval] = [verdict('verdict: changes', 'issues:', '- no title', '- no end'), verdict('verdict: approved')];
  pipeline.play('validator', {
    when: 'Check the text',
    steps: [{ run: `if grep -q title .llmc-task/in/write/text.md; then ${approval}; else ${remarks}; fi` }],
  });
  pipeline.play(
    'writer',
    { when: '- no title\\n- no end\\n- short', steps: [{ run: `${pipeline.note('again')}; echo title > .llmc-task/out/text.md` }] },
    { when: 'Write the text', steps: [{ run: `${pipeline.note('first')}; echo text > .llmc-task/out/text.md` }] },
  );
  await pipeline.start();
  expect((await pipeline.wait()).questions).toMatchObject([{ type: 'unmet', options: ['extend', 'restart', 'accept', 'skip', 'abort'] }]);
  for (const shown of [await world.ok('decide', pipeline.run), await world.ok('show', pipeline.run), await world.ok('why', pipeline.run)]) {
    expect(shown).toMatch(/open remarks about write are left after 1 round of review\n {4}\| - no title\n {4}\| - no end\n/);
    expect(shown).toMatch(/see: .*\/artifacts\/write.*text\.md\n/);
    expect(shown).toMatch(/see: .*\/artifacts\/check.*verdict\.yaml\n/);
    expect(shown).toContain('1 extend (recommended)');
  }
  // The files themselves, as for an approval.
  expect(await world.ok('decide', pipeline.run)).toContain('text.md:\n  text');
  expect(await world.refused(['decide', pipeline.run, 'extand'])).toMatchObject({
    message: expect.stringContaining('did you mean "extend"?'),
  });
  await pipeline.decide('extend', '--text', 'short');
  const view = await pipeline.wait();
  expect(view.status).toBe('done');
  expect([pipeline.noted('first'), pipeline.noted('again'), stateOf(view, 'write')?.marks]).toEqual([1, 1, []]);
  expect(await world.ok('show', pipeline.run)).toContain('round 2 of 2; approved');
});

/** The lines that restart the supervisor come after those that run beside each other. */
describe('recovery testing checklist, with restarts', () => {
  /** One section is done and one is at work, when `stop` happens; then the gate is open. */
  async function halfDone(name: string, first: readonly object[] = []): Promise<Pipeline> {
    const pipeline = Pipeline.define(world, name, `inputs: { ${LIST} }\n${ROLES}stages:\n${WRITE}${JOIN}`);
    const turns = ['s1', 's2'].map((key) => ({
      when: `section ${key}`,
      steps: [...(key === 's2' ? [{ run: pipeline.gate('go') }] : first), { run: pipeline.note(key) }, { leave: 'section.md' }],
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

  test('skipping ahead keeps what is there and asks about the floor, also over a kill; recover --from makes the rest again', async () => {
    const floor = WRITE.replace('    stages:', '    require: { done: { min: 3 } }\n    stages:');
    const approve = '      - { id: 6a, review: "5", by: person }\n';
    const pipeline = Pipeline.define(world, 'floor', `inputs: { ${LIST} }\n${ROLES}stages:\n${floor}${approve}${JOIN}`);
    const turns = ['s1', 's2', 's3'].map((key) => ({
      when: `section ${key}`,
      steps: [...(key === 's3' ? [{ run: pipeline.gate('go') }] : []), { run: pipeline.note(key) }, { leave: 'section.md' }],
    }));
    for (const role of ['writer', 'writer-2', 'writer-3']) pipeline.play(role, ...turns);
    await pipeline.start(sections('floor', ['s1', 's2', 's3']));
    await until('two sections to wait for their approval', async () => (await pipeline.show()).questions.length === 2, 120_000);
    await world.ok('pause', pipeline.run, '--now');
    const [first] = await approvals(pipeline);
    await world.ok('decide', `${pipeline.run}#${first?.number}`, 'approve');
    const dry = await world.json(resumedSchema, 'resume', pipeline.run, '--skip-to', '7', '--dry-run');
    const kept = first?.stage === '6a/s1' ? 's2' : 's1';
    expect(dry).toEqual({ skipped: ['sections/s3'], unverified: [`5/${kept}`], asks: ['sections'] });
    expect(await world.refused(['resume', pipeline.run, '--skip-to', '8'])).toMatchObject({ code: 'INVALID_ARGUMENT' });

    await world.killSupervisor();
    await world.ok('resume', pipeline.run, '--skip-to', '7', '--detach');
    expect(await world.refused(['resume', pipeline.run, '--skip-to', '7'])).toMatchObject({ code: 'ILLEGAL_TRANSITION' });
    await world.comeUp();
    const asked = await pipeline.wait('waiting');
    expect(asked.questions).toMatchObject([{ type: 'quality_floor', options: ['restart', 'accept', 'abort'] }]);
    expect(stateOf(asked, '7')?.state).toBe('waiting');
    await pipeline.decide('accept');
    const done = await pipeline.wait();
    expect([done.status, stateOf(done, 'sections/s1')?.state, stateOf(done, 'sections/s2')?.state]).toEqual(['done', 'done', 'done']);
    expect(stateOf(done, 'sections')?.marks.toSorted()).toEqual(['partial', 'unverified']);
    expect(stateOf(done, `sections/${kept}`)?.marks).toEqual(['unverified']);
    expect(await world.ok('report', pipeline.run)).toContain(`Check the result of 5/${kept} yourself: it is marked unverified.`);
    expect(pipeline.read('state.yaml')).toContain('"sections": "done, 2 of 3 items, unverified, partial"');

    const refused = await world.refused(['resume', pipeline.run]);
    expect(refused).toMatchObject({ hint: expect.stringContaining('llmc recover floor-1 --from 7 --dry-run') });
    expect(await world.refused(['recover', pipeline.run, '--from', 'sectoins'])).toMatchObject({
      message:
        'floor-1 has no stage or item "sectoins"; did you mean "sections"? Its stages are sections, 7; items of sections: sections/s1, sections/s2, sections/s3',
      hint: expect.stringContaining('llmc recover floor-1 --from sections --dry-run'),
    });
    pipeline.open('go');
    await world.ok('recover', pipeline.run, '--from', 'sections', '--detach');
    for (let answered = 0; answered < 3; answered += 1) {
      await pipeline.wait('waiting');
      const [open] = await approvals(pipeline);
      await world.ok('decide', `${pipeline.run}#${open?.number}`, 'approve');
    }
    const again = await pipeline.wait('done,failed');
    expect([again.status, stateOf(again, 'sections/s3')?.state, stateOf(again, 'sections')?.marks]).toEqual(['done', 'done', []]);
    expect(['s1', 's2', 's3'].map((key) => pipeline.noted(key))).toEqual([2, 2, 1]);
    expect((await pipeline.report()).compensations).toMatchObject([{ stage: 'sections' }]);
    expect(pipeline.files('archive/1-sections/**/*draft.md').length).toBe(1);

    const item = await world.json(recoverySchema, 'recover', pipeline.run, '--from', 'sections/s2', '--dry-run');
    expect(item.steps[2]?.lines).toEqual(
      expect.arrayContaining(['sections/s1: stays as it ended', expect.stringMatching(/^sections\/s2: begins again/)]),
    );
    await world.ok('recover', pipeline.run, '--from', 'sections/s2', '--detach');
    expect((await pipeline.wait('waiting')).questions).toMatchObject([{ stage: '6a/s2' }]);
    await pipeline.decide('approve');
    expect(stateOf(await pipeline.wait('done,failed'), 'sections/s2')?.state).toBe('done');
    expect(['s1', 's2', 's3'].map((key) => pipeline.noted(key))).toEqual([2, 3, 1]);
    expect(pipeline.files('archive/2-sections/**/*draft.md').length).toBe(1);
  });

  test('State file corrupted -> recovery from backup works', async () => {
    const pipeline = await halfDone('corrupt', [{ message: { to: 'cook', text: 'hello' } }]);
    const { errors } = await pipeline.report();
    expect(errors).toMatchObject([{ code: 'ROUTING_FAILED' }]);
    // The files of a run are written at most once a second.
    const records = join(world.root, 'runs', pipeline.run, 'records.yaml');
    await until('the failure in the files', async () => readFileSync(records, 'utf8').includes('ROUTING_FAILED'), 120_000);
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
    expect((await pipeline.report()).errors).toEqual(errors);
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
