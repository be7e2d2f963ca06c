import { expect, test } from 'vitest';
import { review, swarmPlan } from '../../../workflow/next/samples.ts';
import { originLines } from './origin-lines.ts';

const plan = swarmPlan((stages) => [
  ...stages,
  review('tests', 'develop', { by: { kind: 'command', lines: ['npm test', 'curl x\u001b[2J'] } }),
]);
const reading = { kind: 'valid', plan } as const;
const file = (origin: 'root' | 'repository' | 'built-in', path: string) => ({ name: 'swarm', origin, file: path, text: '', reading });
const builtIn = file('built-in', '/llmc/swarm.yaml');

test('a workflow of llmc needs no word', () => {
  expect(originLines({ workflow: builtIn, shadows: [] }, plan)).toEqual([]);
});

test('a workflow of the repository says what it replaces and which shell lines it runs', () => {
  expect(originLines({ workflow: file('repository', 'main:workflows/swarm.yaml'), shadows: [builtIn] }, plan)).toEqual([
    'The workflow swarm is main:workflows/swarm.yaml, in place of /llmc/swarm.yaml.',
    'It runs the shell line: npm test',
    'It runs the shell line: curl x<U+001B>[2J',
  ]);
});

test('a workflow of your own is named', () => {
  expect(originLines({ workflow: file('root', '/root/workflows/swarm.yaml'), shadows: [] }, plan)).toEqual([
    'The workflow swarm is /root/workflows/swarm.yaml.',
  ]);
});
