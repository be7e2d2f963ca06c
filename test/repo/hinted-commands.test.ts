import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GLOBAL_OPTIONS } from '../../src/cli/global-options.ts';
import { VERBS } from '../../src/cli/verbs.ts';

const repository = join(import.meta.dirname, '../..');
const flagsOf = (options: readonly { readonly flags: string }[]) => options.flatMap(({ flags }) => flags.match(/--[a-z][a-z-]*/g) ?? []);
const FLAGS = new Map(VERBS.map(({ name, options }) => [name, new Set([...flagsOf(options), ...flagsOf(GLOBAL_OPTIONS), '--help'])]));

/** Commands as they are written, and as `commandLine('llmc', …)` builds them, each up to the end of its clause. */
const WRITTEN = /(?<![\w/.-])llmc ([a-z]+)((?:\$\{[^}]*\}|[^;,.:)'`\n]|[.,:](?=\S))*)/g;
const BUILT = /commandLine\('llmc', '([a-z]+)'([^)]*)\)/g;

/** What is wrong with the commands in a line: a flag that the verb does not have. */
function wrongIn(line: string): readonly string[] {
  return [...line.matchAll(WRITTEN), ...line.matchAll(BUILT)].flatMap(([, verb = '', rest = '']) => {
    const known = FLAGS.get(verb);
    // "llmc starts an agent" is a sentence.
    if (known === undefined) return [];
    // The next command of the clause has flags of its own.
    const [own = ''] = rest.split(/\bllmc /);
    return (own.match(/(?<=[\s'])--[a-z][a-z-]*/g) ?? []).filter((flag) => !known.has(flag)).map((flag) => `llmc ${verb} ${flag}`);
  });
}

/** A hint that begins with a command: then its verb exists. */
function unknownVerb(line: string): readonly string[] {
  const verb = /\bhint: ['`]llmc ([a-z]+)/.exec(line)?.[1];
  return verb === undefined || FLAGS.has(verb) || OTHERS.includes(verb) ? [] : [`llmc ${verb}`];
}
/** `llmc help` is of the command line itself, and "llmc tries" is a sentence. */
const OTHERS = ['help', 'tries'];

test.each([
  ["hint: 'llmc doctor --repair --yes'", []],
  ["hint: 'llmc doctor --repiar'", ['llmc doctor --repiar']],
  ["hint: 'llmc down, then llmc up --detach'", []],
  ["hint: commandLine('llmc', 'doctor', '--canary', '--agnet', agent)", ['llmc doctor --agnet']],
  ["hint: 'llmc dcotor'", ['llmc dcotor']],
  ['llmc starts its agents with --resume', []],
])('%s', (line, expected) => {
  expect([...wrongIn(line), ...unknownVerb(line)]).toEqual(expected);
});

test('every command that the program prints has a verb and flags that exist', () => {
  const files = globSync('src/**/*.ts', { cwd: repository, exclude: ['**/*.test.ts'] });
  const found = files.flatMap((file) =>
    readFileSync(join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => [...wrongIn(line), ...unknownVerb(line)].map((wrong) => `${file}:${index + 1} ${wrong}`)),
  );
  expect(found).toEqual([]);
});
