import { expect, test } from 'vitest';
import { parseScenario } from '../../../agents/demo/tui/scenario/scenario.ts';
import { SCENARIOS } from './roles.ts';
import { swarmText } from './summary.ts';
import { countTasks, EXPECTED, isAsExpected } from './tasks.ts';

const began = (role: string) => `${JSON.stringify({ worker: `swarm-1-${role}`, event: 'began' })}\n`;
const ended = `${JSON.stringify({ worker: 'swarm-1-developer', event: 'ended' })}\n`;

const RIGHT = ['researcher', 'developer', 'reviewer', 'developer', 'reviewer'].map(began).join(ended);

test('tasks count when they begin, and a half-written line does not count', () => {
  expect(countTasks('')).toEqual({});
  expect(countTasks(`${RIGHT}{"worker":"swarm-1-rev`)).toEqual({ researcher: 1, developer: 2, reviewer: 2 });
});

test.for([
  ['as the workflow asks for', RIGHT, true],
  ['a stage that ran again', RIGHT + began('researcher'), false],
  ['a stage that did not run', RIGHT.replace(began('researcher'), ''), false],
  ['a role that the workflow does not have', RIGHT + began('codex'), false],
] as const)('%s', ([, record, right]) => {
  expect(isAsExpected(countTasks(record))).toBe(right);
});

test.for(Object.entries(SCENARIOS))('the demo agent understands the scenario of the %s', ([role, turns]) => {
  expect(parseScenario(JSON.stringify({ turns }), role)).toMatchObject({ ok: true });
});

test('the summary names the counts of the agents', () => {
  const landed = [{ commit: '0123456789', subject: 'Greet' }];
  const summary = {
    seconds: 30,
    run: 'swarm-1',
    status: 'done',
    stages: 4,
    tasks: EXPECTED,
    review_rounds: 2,
    supervisor_kills: 1,
    landed,
  };
  expect(swarmText(summary)).toContain('researcher 1, developer 2, reviewer 2');
});
