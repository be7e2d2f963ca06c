import { expect, test } from 'vitest';
import { findUser } from './users.ts';

const PASSWD = 'root:x:0:0:root:/root:/bin/bash\nagent:x:1001:1002::/home/agent:/bin/sh\nagent2:x:1003:1003::home:/bin/sh\nodd:x:x:1:::\n';

test('a user is found by its whole name', () => {
  expect(findUser('agent', PASSWD)).toEqual({ name: 'agent', uid: 1001, gid: 1002, home: '/home/agent' });
  expect(findUser('root', PASSWD)).toEqual({ name: 'root', uid: 0, gid: 0, home: '/root' });
});

test.each(['age', 'agent2', 'odd', '', 'nobody'])('%j has no row that names numbers and a home', (name) => {
  expect(findUser(name, PASSWD)).toBeUndefined();
});
