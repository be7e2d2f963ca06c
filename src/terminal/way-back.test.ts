import { expect, test } from 'vitest';
import { readOuterTmux, wayBack } from './way-back.ts';

const BINDINGS = 'bind-key    -T prefix C-b     send-prefix\nbind-key    -T prefix d       detach-client\n';

test.each([
  ['no tmux around it', undefined, 'Ctrl-b d'],
  ['a tmux with the same prefix', `C-b None\n${BINDINGS}`, 'Ctrl-b Ctrl-b d'],
  ['another prefix', `C-a None\n${BINDINGS}`, 'Ctrl-b d'],
  ['another key that passes the prefix on', `C-b None\nbind-key -r -T prefix a send-prefix\n`, 'Ctrl-b a d'],
  ['a key in quotes of tmux', 'C-b None\nbind-key    -T prefix \\; send-prefix\n', 'Ctrl-b ; d'],
  ['no such key', 'C-b None\n', 'Ctrl-b : send-prefix enter d'],
  ['the same second prefix', `M-a C-b\n${BINDINGS}bind-key -T prefix b send-prefix -2\n`, 'Alt-a b d'],
  ['an answer that is none', 'no server running', 'Ctrl-b d'],
])('%s', (_, printed, keys) => {
  expect(wayBack('C-b', printed === undefined ? undefined : readOuterTmux(printed))).toBe(keys);
});

test('another prefix of llmc itself', () => {
  expect(wayBack('C-M-x', undefined)).toBe('Ctrl-Alt-x d');
});
