import { expect, test } from 'vitest';
import { atRoot } from './hint-with-root.ts';

const VERBS = ['up', 'add', 'why'];

test.each([
  ['llmc up --detach', '/trial', 'llmc --root /trial up --detach'],
  [
    'Accept one, or add another: llmc add <name>, llmc why adam',
    'trial',
    'Accept one, or add another: llmc --root trial add <name>, llmc --root trial why adam',
  ],
  ['llmc up', '/my $(root)', "llmc --root '/my $(root)' up"],
  ['llmc up', "it's", "llmc --root 'it'\\''s' up"],
  ['an llmc root, llmc upgrade, llmc help', '/trial', 'an llmc root, llmc upgrade, llmc help'],
  ['llmc why adam --root /trial', undefined, 'llmc why adam --root /trial'],
  ['llmc up', '', 'llmc up'],
  ['Next: llmc why adam --root /named', '/trial', 'Next: llmc why adam --root /named'],
  [
    'supervisor not running: llmc up\n↳ llmc why adam --root x',
    '/trial',
    'supervisor not running: llmc --root /trial up\n↳ llmc why adam --root x',
  ],
])('%s at the root %s', (text, root, expected) => {
  expect(atRoot(text, root, VERBS)).toBe(expected);
});
