import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../../../test/repo/scratch.ts';
import { findScenario, scenarioNames } from './find-scenario.ts';

test.for([
  ['adam', ['adam']],
  ['swarm-1-developer', ['swarm-1-developer', '1-developer', 'developer']],
  ['fix-developer-2', ['fix-developer-2', 'developer-2', '2', 'fix-developer', 'developer']],
] as const)('the scenario of %s is called %j', ([worker, names]) => {
  expect(scenarioNames(worker)).toEqual(names);
});

test('a worker of a run takes the scenario of its role, if it has none of its own', async () => {
  using scratch = scratchFolder();
  writeFileSync(join(scratch.path, 'developer.yaml'), 'trust_dialog: true\n');
  expect(await findScenario(scratch.path, 'swarm-7-developer-2')).toMatchObject({ trustDialog: true });
  expect(await findScenario(scratch.path, 'swarm-7-reviewer')).toMatchObject({ trustDialog: false });
  writeFileSync(join(scratch.path, 'swarm-7-developer.yaml'), '');
  expect(await findScenario(scratch.path, 'swarm-7-developer')).toMatchObject({ trustDialog: false });
});
