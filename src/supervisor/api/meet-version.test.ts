import { expect, test } from 'vitest';
import { type Introduction, otherVersionError, PROTOCOL, understand } from './meet-version.ts';

const here: Introduction = { version: '1.2.0', protocol: PROTOCOL };

test.each<[string, Introduction, string, boolean]>([
  ['the same version', here, 'accept', true],
  ['the same version', here, 'down', true],
  ['an older version', { version: '1.1.9', protocol: PROTOCOL }, 'accept', false],
  ['an older version', { version: '1.1.9', protocol: PROTOCOL }, 'down', true],
  ['an older version', { version: '1.1.9', protocol: PROTOCOL }, 'handOver', true],
  ['a newer version', { version: '2.0.0', protocol: PROTOCOL }, 'status', false],
  ['a newer version', { version: '2.0.0', protocol: PROTOCOL }, 'handOver', true],
  ['another protocol', { version: '2.0.0', protocol: PROTOCOL + 1 }, 'handOver', false],
  ['one that names no version', {}, 'down', false],
  ['one that names no version', {}, 'handOver', false],
])('%s %o is asked "%s": %s', (_, other, request, expected) => {
  expect(understand(here, other, request)).toBe(expected);
  expect(understand(other, here, request)).toBe(expected);
});

test.each([
  ['1.3.0', '1.2.0', /llmc 1\.2\.0, and this is llmc 1\.3\.0/, /^llmc up --replace --detach /],
  ['1.3.0', undefined, /an older llmc, and this is llmc 1\.3\.0/, /^llmc up --replace --detach /],
  ['1.2.0', '1.10.0', /llmc 1\.10\.0, and this is the older llmc 1\.2\.0/, /^Use llmc 1\.10\.0 for this root; llmc down/],
  ['1.2.0-beta.1', '1.2.0', /the older llmc 1\.2\.0-beta\.1/, /^Use llmc 1\.2\.0/],
])('llmc %s that meets a supervisor of version %s says what to type', (caller, supervisor, message, hint) => {
  const error = otherVersionError(caller, supervisor);
  expect(error.message).toMatch(message);
  expect(error.hint).toMatch(hint);
});
