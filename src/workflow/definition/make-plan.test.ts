import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from './plan.ts';
import { readWorkflow } from './read-workflow.ts';

const repository = join(import.meta.dirname, '../../..');

function planOf(text: string): Plan {
  const reading = readWorkflow(text);
  if (reading.kind === 'invalid') throw new Error(reading.problems[0]?.message);
  return reading.plan;
}

const planIn = (file: string) => planOf(readFileSync(join(repository, file), 'utf8'));
const stageOf = (plan: Plan, id: string) =>
  plan.stages.flatMap((stage) => [stage, ...(stage.kind === 'for_each' ? stage.stages : [])]).find((stage) => stage.id === id);

const DIGEST = expect.stringMatching(/^[0-9a-f]{64}$/);

test('every default is filled in', () => {
  const text =
    'name: flow\nroles: { lead: {} }\nstages:\n  - { id: a, role: lead, prompt: x }\n  - { id: b, review: a, by: person }\n  - { id: c, land: a }\n';
  const base = {
    when: undefined,
    whenUnknown: undefined,
    require: undefined,
    timeoutMs: undefined,
    circuitBreaker: undefined,
    onFailure: {},
    digest: DIGEST,
  };
  expect(planOf(text)).toEqual({
    name: 'flow',
    description: '',
    inputs: {},
    roles: { lead: { agent: undefined, model: undefined, fallback: undefined, prompt: '', whenUnavailable: undefined } },
    timeoutMs: undefined,
    stages: [
      { ...base, kind: 'work', id: 'a', needs: [], role: 'lead', prompt: 'x', output: { kind: 'commit' } },
      { ...base, kind: 'review', id: 'b', needs: ['a'], of: 'a', by: { kind: 'person' }, maxRounds: 3, prompt: '' },
      { ...base, kind: 'land', id: 'c', needs: ['b'], of: 'a', by: 'person' },
    ],
    digest: DIGEST,
  });
});

test('the swarm researches, builds, reviews and lands', () => {
  const plan = planIn('workflows/swarm.yaml');
  expect(plan.stages.map(({ id, kind, needs }) => ({ id, kind, needs }))).toEqual([
    { id: 'research', kind: 'work', needs: [] },
    { id: 'develop', kind: 'work', needs: ['research'] },
    { id: 'review', kind: 'review', needs: ['develop'] },
    { id: 'land', kind: 'land', needs: ['review'] },
  ]);
  expect(plan).toMatchObject({ timeoutMs: 8 * 3_600_000, inputs: { task: { type: 'text', oneOf: [], optional: false } } });
  expect(Object.entries(plan.roles).map(([name, role]) => [name, role.whenUnavailable])).toEqual([
    ['researcher', undefined],
    ['developer', 'stop'],
    ['reviewer', undefined],
  ]);
  expect(stageOf(plan, 'review')).toMatchObject({
    maxRounds: 3,
    onFailure: { limit: { after: 1, steps: [{ kind: 'skip', mark: undefined }] } },
  });
});

test('durations, breakers, reactions and conditions of the literature review', () => {
  const plan = planIn('test/fixtures/workflows/literature-review.yaml');
  expect(stageOf(plan, '2')).toMatchObject({
    kind: 'for_each',
    maxParallel: 3,
    timeoutMs: 7_200_000,
    require: { shared: { min: 2 } },
    circuitBreaker: { scope: 'stage', failures: 2, retryAfterMs: 900_000, whenOpen: 'partial', default: undefined, afterMs: undefined },
    onFailure: { unmet: { after: 1, steps: [{ kind: 'retry' }, { kind: 'rollback', to: '2' }] } },
  });
  expect(stageOf(plan, '6c')).toMatchObject({
    circuitBreaker: { whenOpen: 'ask', default: 'extend', afterMs: 300_000 },
    onFailure: {
      timeout: { after: 1, steps: [{ kind: 'skip', mark: 'uncertain' }] },
      disagreement: { after: 3, steps: [{ kind: 'ask', options: ['uncertain', 'extend', 'abort'] }] },
    },
  });
  expect(stageOf(plan, '7.5')).toMatchObject({
    when: { '7.synthesis.addition_percentage': { min: 20 } },
    whenUnknown: { 'inputs.high_stakes': { is: true } },
  });
  expect(stageOf(plan, '7')).toMatchObject({
    output: {
      kind: 'files',
      files: [
        { path: 'draft.md', schema: undefined },
        { path: 'synthesis.yaml', schema: undefined },
      ],
    },
  });
});

test('shell lines review, a schema checks a file, and needs make a graph', () => {
  const plan = planOf(`name: flow
roles: { lead: {} }
stages:
  - { id: a, role: lead, prompt: x, output: [{ a.yaml: { type: object } }, b.md] }
  - { id: b, command: make, needs: [] }
  - { id: c, review: a, by: [npm test, npm run lint], needs: [a, b] }
`);
  expect(stageOf(plan, 'a')).toMatchObject({ output: { files: [{ path: 'a.yaml', schema: { type: 'object' } }, { path: 'b.md' }] } });
  expect(stageOf(plan, 'b')).toMatchObject({ needs: [], lines: ['make'] });
  expect(stageOf(plan, 'c')).toMatchObject({ needs: ['a', 'b'], by: { kind: 'command', lines: ['npm test', 'npm run lint'] } });
});

const FLOW = 'name: flow\nstages:\n  - { id: a, command: make, timeout: 60s }\n  - { id: b, command: make test }\n';

test('the way a workflow is written does not change its digest', () => {
  const again =
    '# the same\nstages:\n  - command: [make]\n    timeout: 1m\n    id: a\n  - id: b\n    command: "make test"\nname: flow\ndescription: ""\n';
  expect(planOf(again)).toEqual(planOf(FLOW));
});

test('a change of one stage changes its digest and that of the workflow, and no other', () => {
  const before = planOf(FLOW);
  const after = planOf(FLOW.replace('make test', 'make check'));
  expect(after.digest).not.toBe(before.digest);
  expect(after.stages.map(({ digest }) => digest === stageOf(before, 'a')?.digest)).toEqual([true, false]);
  expect(stageOf(after, 'b')?.digest).not.toBe(stageOf(before, 'b')?.digest);
});
