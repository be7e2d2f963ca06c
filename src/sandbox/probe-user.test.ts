import { expect, test } from 'vitest';
import type { Finished, ProcessOutcome } from '../base/ports.ts';
import { probeUser, requireKnownUser, type UserProbe, userProblem } from './probe-user.ts';

const USERS = [
  { name: 'agent', uid: 1001, gid: 1001, home: '/home/agent' },
  { name: 'second', uid: 1002, gid: 1002, home: '/home/second' },
  { name: 'toor', uid: 0, gid: 0, home: '/root' },
];
const MACHINE = { uid: () => 0, find: (name: string) => USERS.find((user) => user.name === name), protectsLinks: () => true };
const WANTED = { name: 'agent', root: '/srv/llmc', program: 'claude' };

const ending = (outcome: ProcessOutcome, stderr = '') => ({
  run: async (command: Finished['command']): Promise<Finished> => ({ command, outcome, stdout: '', stderr, truncated: false }),
});
const exited = (status: number, stderr?: string) => ending({ kind: 'exited', status }, stderr);

test.each<[UserProbe, Partial<typeof WANTED & { users: string[] }>, Partial<typeof MACHINE>, ReturnType<typeof ending>]>([
  [{ kind: 'works' }, {}, {}, exited(0)],
  [{ kind: 'not-root' }, {}, { uid: () => 1000 }, exited(0)],
  [{ kind: 'missing' }, { name: 'nobody' }, {}, exited(0)],
  [{ kind: 'powerful' }, { name: 'toor' }, {}, exited(0)],
  [{ kind: 'hard-links' }, {}, { protectsLinks: () => false }, exited(0)],
  [{ kind: 'other-group', gid: 1002 }, { users: ['nobody', 'second', 'agent'] }, {}, exited(0)],
  [{ kind: 'works' }, { users: ['agent', 'second'] }, {}, exited(0)],
  [{ kind: 'no-way', folder: '/srv' }, {}, {}, exited(3)],
  [{ kind: 'no-program', program: 'claude' }, {}, {}, exited(4)],
  [{ kind: 'refused', reason: 'setpriv: no' }, {}, {}, exited(127, 'setpriv: no\nmore')],
  [{ kind: 'refused', reason: 'ENOENT' }, {}, {}, ending({ kind: 'not-started', reason: 'ENOENT', missing: true })],
])('%j', async (expected, wanted, machine, processes) => {
  const probe = await probeUser(processes, { ...WANTED, ...wanted }, { ...MACHINE, ...machine });
  expect(probe).toEqual(expected);
  if (probe.kind !== 'works') expect(userProblem('agent', probe).hint).not.toBe('');
});

test.each([
  ['agent', { uid: () => 1000 }, /needs llmc to run as root/],
  ['nobody', {}, /there is no user nobody/],
  ['toor', {}, /toor is root/],
])('an agent is not started as %s', (name, machine, words) => {
  expect(() => requireKnownUser(name, 'adam', { ...MACHINE, ...machine })).toThrow(words);
});
