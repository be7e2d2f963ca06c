import { expect, test } from 'vitest';
import { terminalNotice } from './terminal-notice.ts';

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['iTerm2', { TERM_PROGRAM: 'iTerm.app', TERM: 'xterm-256color' }, '\u001b]9;llmc: adam needs you: Which one?\u0007'],
  ['WezTerm', { TERM_PROGRAM: 'WezTerm' }, '\u001b]9;llmc: adam needs you: Which one?\u0007'],
  ['Ghostty', { TERM_PROGRAM: 'ghostty', TERM: 'xterm-ghostty' }, '\u001b]9;llmc: adam needs you: Which one?\u0007'],
  ['ConEmu', { ConEmuPID: '7' }, '\u001b]9;llmc: adam needs you: Which one?\u0007'],
  ['foot', { TERM: 'foot' }, '\u001b]777;notify;llmc: adam needs you;Which one?\u0007'],
  ['urxvt', { TERM: 'rxvt-unicode-256color' }, '\u001b]777;notify;llmc: adam needs you;Which one?\u0007'],
  ['a terminal without notifications', { TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, undefined],
  ['an unknown terminal', {}, undefined],
  ['tmux inside iTerm2', { TERM_PROGRAM: 'iTerm.app', TMUX: '/tmp/tmux' }, undefined],
  ['screen inside foot', { TERM: 'foot', STY: '1' }, undefined],
])('in %s', (_, environment, expected) => {
  expect(terminalNotice(environment, 'llmc: adam needs you', 'Which one?')).toBe(expected);
});

test('the text of an agent cannot end the code or start another one, and is cut', () => {
  const hostile = `a\u0007\u001b]52;c;c2VjcmV0\u001b\\\n\u009c${'x'.repeat(500)}`;
  for (const environment of [{ TERM_PROGRAM: 'WezTerm' }, { TERM: 'foot' }]) {
    const notice = terminalNotice(environment, 'llmc; adam', hostile) ?? '';
    // One introducer and one terminator, both those of llmc.
    expect([...notice].filter((letter) => /\p{Cc}/u.test(letter))).toEqual(['\u001b', '\u0007']);
    expect(notice.length).toBeLessThan(500);
  }
  expect(terminalNotice({ TERM: 'foot' }, 'a;b', 'c')).toBe('\u001b]777;notify;a,b;c\u0007');
});
