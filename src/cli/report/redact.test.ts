import { describe, expect, test } from 'vitest';
import { redactor } from './redact.ts';

const SECRET = 'hunter2/Correct+Horse=Battery';
const known = redactor([{ value: SECRET, cut: true }]);
const wrap = (text: string, width: number, before = '', after = '') =>
  (text.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []).map((line) => `${before}${line}${after}`).join('\n');
const ESC = '\u001b';

describe('a known value', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  test.each([
    ['as it is', SECRET],
    ['twice', `${SECRET}${SECRET}`],
    ['wrapped on a screen', wrap(SECRET, 7)],
    ['wrapped in a box', wrap(SECRET, 5, '│ ', '   │')],
    ['one character per line', wrap(SECRET, 1)],
    ['in colours', `hunter2/${ESC}[31mCorrect+${ESC}[0mHorse=Battery`],
    ['with characters that have no width', 'hunter2/\u200bCorrect+Horse=\u2060Battery'],
    ['in JSON inside of a text', JSON.stringify({ text: wrap(SECRET, 9) })],
    ['in a URL', `https://example.org/?q=${encodeURIComponent(SECRET)}`],
    ['in base64', base64(SECRET)],
    ['in base64 after one byte', base64(`:${SECRET}`)],
    ['in base64 after two bytes', base64(`u:${SECRET}!`)],
    ['in base64 for URLs', Buffer.from(`>>>${SECRET}???`).toString('base64url')],
    ['in wrapped base64', wrap(base64(`user:${SECRET}`), 11)],
    ['in base64 of base64', base64(`token ${base64(SECRET)}`)],
    ['as hexadecimal digits', Buffer.from(SECRET).toString('hex')],
    ['cut at the end', SECRET.slice(0, 15)],
    ['cut at the beginning', SECRET.slice(10)],
  ])('%s is redacted', (_, text) => {
    const { value, places } = known.text(`before ${text} after`);
    expect(places).toBeGreaterThan(0);
    expect(value).toMatch(/^before [\s\S]*\[redacted\][\s\S]* after$/);
    for (const part of [SECRET.slice(0, 8), SECRET.slice(-8), base64(SECRET).slice(4, 24), 'Correct'])
      expect(value.replace(/[\s│]/g, '')).not.toContain(part);
    expect(known.holds(value)).toBe(false);
  });

  test('split over a list of lines is redacted in the list', () => {
    const { value } = known.json({ screen: ['$ echo', `│ ${SECRET.slice(0, 11)} │`, `│ ${SECRET.slice(11)} │`, 'done'] });
    expect(value).toEqual({ screen: ['$ echo', '│ [redacted] │', 'done'] });
  });

  test('is redacted in a key', () => {
    expect(known.json({ [SECRET]: 1 }).value).toEqual({ '[redacted]': 1 });
  });
});

describe('the shape of a secret', () => {
  const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0';
  test.each([
    [`sk-ant-api03-${letters}`],
    [`ghp_${letters}`],
    [`github_pat_11ABCDEFG0${letters}`],
    [`glpat-${letters}`],
    ['xoxb-123456789012-abcdefghijkl'],
    [`npm_${letters}${letters}`],
    ['AKIAIOSFODNN7EXAMPLE'],
    [`AIza${letters}${letters}`],
    [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${letters}`],
    [`-----BEGIN OPENSSH PRIVATE KEY-----\n${wrap(letters.repeat(4), 64)}\n-----END OPENSSH PRIVATE KEY-----`],
    [`-----BEGIN RSA PRIVATE KEY-----\n${letters}\n and the rest was cut`],
  ])('%s', (token) => {
    for (const text of [token, wrap(token, 13), wrap(token, 17, '│ ', ' │'), Buffer.from(`x ${token}`).toString('base64')]) {
      const { value } = redactor([]).text(`my ${text}`);
      expect(value.replace(/[\s│]/g, ''), text).toMatch(/^my\[redacted\]$/);
    }
  });

  test.each([
    ['https://joe:s3cr3t-w0rd@example.org/x.git', 'https://[redacted]@example.org/x.git'],
    ['postgres://app:pässword@db/x', 'postgres://[redacted]@db/x'],
    ['Authorization: Basic am9lOnMzY3JldA==', 'Authorization: [redacted]'],
    ['authorization: Bearer abcdefgh12345678', 'authorization: [redacted]'],
    ['DB_PASSWORD=swordfish make test', 'DB_PASSWORD=[redacted] make test'],
    ['{"api_key": "swordfish"}', '{"api_key": "[redacted]"}'],
    ['tool --auth-token swordfish run', 'tool --auth-token [redacted] run'],
    ['DB_PASS=hunter22x make', 'DB_PASS=[redacted] make'],
    ['MYSQL_PWD=hunter22x mysql', 'MYSQL_PWD=[redacted] mysql'],
    ['ENCRYPTION_KEY=hunter22x', 'ENCRYPTION_KEY=[redacted]'],
    ['{"pass": "hunter22x"}', '{"pass": "[redacted]"}'],
    ['curl -u admin:hunter2x https://example.org', 'curl -u admin:[redacted] https://example.org'],
    ['curl --user "admin:hunter2x" https://example.org', 'curl --user "admin:[redacted]" https://example.org'],
    ['machine example.org login joe password hunter22x', 'machine example.org login joe password [redacted]'],
    ['machine example.org\n  login joe\n  password hunter22x\n', 'machine example.org\n  login joe\n  password [redacted]\n'],
    ['Cookie: theme=dark; sid=hunter22x', 'Cookie: [redacted]'],
    ['Set-Cookie: a=b; sid=hunter22x; HttpOnly', 'Set-Cookie: [redacted]'],
    ['password: correct horse', 'password: [redacted]'],
    ['https://example.org/?access_token=swordfish&x=1', 'https://example.org/?access_token=[redacted]&x=1'],
  ])('%s', (text, expected) => {
    expect(redactor([]).text(text).value).toBe(expected);
  });

  test.each([
    ['a commit id', 'c2a1b03d9f4e5a6b7c8d9e0f1a2b3c4d5e6f7a8b'],
    ['a path', '/home/joe/llmc/.worktrees/adam/src/components/LoginForm2/index.test.ts'],
    ['a conversation', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['prose', 'the agent ended (status 1): restarting in the same conversation, attempt 2 of 3'],
    ['short names in other words', 'compass: northwest, bypass=always, monkey: banana, pass 3 of 12; keyboard: german'],
    ['a folder', 'the password file is in PWD=/home/joe/llmc'],
    ['counts', '{"input_tokens": 12345, "cache_read_tokens": 99999}'],
  ])('%s stays', (_, text) => {
    expect(redactor([]).text(text)).toEqual({ value: text, places: 0 });
  });

  test('a pattern of the user, as a whole or its first group', () => {
    expect(redactor([], ['ACME-\\d+', 'customer (\\w+)']).text('ACME-17 of customer Smith').value).toBe(
      '[redacted] of customer [redacted]',
    );
  });

  test('a value under the name of a secret', () => {
    expect(redactor([]).json({ password: 'x', nested: { auth_token: 'y', tokens: 5 } }).value).toEqual({
      password: '[redacted]',
      nested: { auth_token: '[redacted]', tokens: 5 },
    });
  });
});

// What takes the square of the length reaches the timeout.
test('hostile texts are read to their end', { timeout: 60_000 }, () => {
  for (const text of [
    'token',
    'sk-',
    'a@',
    '://',
    '\n ',
    '-----BEGIN PRIVATE KEY',
    'password = ',
    'password: ',
    'password ',
    'cookie',
    'login a ',
    ' -u a:',
    '_key',
    'pwd',
    '│\n',
    'eyJeyJ',
    '\\n',
    'Aa1',
    '"\\',
  ])
    known.text(text.repeat(100_000 / text.length));
});
