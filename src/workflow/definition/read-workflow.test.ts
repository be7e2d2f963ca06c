import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWorkflow } from './read-workflow.ts';
import { readYaml } from './read-yaml.ts';
import { flow, KNOWN, problems } from './refused.fixture.ts';
import { workflowSchema } from './schema.ts';

const repository = join(import.meta.dirname, '../../..');
const FIXTURES = ['workflows/swarm.yaml', 'test/fixtures/workflows/stories.yaml', 'test/fixtures/workflows/literature-review.yaml'];
const BUILT_IN = readdirSync(join(repository, 'workflows')).map((name) => `workflows/${name}`);
const textOf = (file: string) => readFileSync(join(repository, file), 'utf8');

test('problems of shape and of references come in the order of the file', () => {
  const text = flow('  - { id: land, land: plan }\n').replace('role: lead', 'role: laed').replace('tier:', 'teir: 5, tier:');
  expect(problems(text)).toEqual([
    '2:39 inputs.teir: found the number 5, expected a mapping',
    '5:23 stages[0].role: there is no role "laed"; did you mean "lead"?',
    '7:23 stages[2].land: the stage "plan" leaves no commit; expected build',
  ]);
});

describe('a workflow is accepted', () => {
  test.each([...new Set([...BUILT_IN, ...FIXTURES])])('%s, also by the schema for editors', (file) => {
    const text = textOf(file);
    expect(readWorkflow(text, { agents: KNOWN.agents })).toMatchObject({ kind: 'valid' });
    expect(workflowSchema.safeParse(readYaml(text).value).error).toBeUndefined();
  });

  test('with a byte order mark, CRLF and an alias', () => {
    const text = `\uFEFFname: flow\nstages:\n  - { id: a, command: &lines [make, make test] }\n  - { id: b, command: *lines }\n`.replaceAll(
      '\n',
      '\r\n',
    );
    expect(readWorkflow(text)).toMatchObject({
      kind: 'valid',
      plan: { stages: [{ lines: ['make', 'make test'] }, { lines: ['make', 'make test'] }] },
    });
  });
});

describe('any text is read without an exception', () => {
  const readable = (text: string): void => {
    const reading = readWorkflow(text, KNOWN);
    expect(reading.kind === 'valid' || reading.problems.length > 0).toBe(true);
  };

  test('random text', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => readable(Buffer.from(bytes).toString('latin1'))));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'{}[]:,-&*!|>%@"\'#? \n\tax<.0~'), { maxLength: 60 }), (letters) =>
        readable(letters.join('')),
      ),
    );
  });

  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ': ',
    '- ',
    '&a ',
    '*a',
    '!x ',
    '{{',
    '}}',
    '\n',
    '\n  ',
    '"',
    "'",
    '~',
    '7',
    'id',
    'role',
    'stages',
    '<<',
    '__proto__',
    '\0',
    '…',
  ];

  test.each(FIXTURES)('random changes of %s', (file) => {
    const text = textOf(file);
    const change = fc.record({ at: fc.nat(text.length), cut: fc.nat(40), put: fc.constantFrom('', ...pieces) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        readable(changes.reduce((now, { at, cut, put }) => `${now.slice(0, at)}${put}${now.slice(at + cut)}`, text));
      }),
    );
  });

  test('random values in place of any part of a workflow', () => {
    const part = fc.constantFrom(
      'name',
      'inputs',
      'roles',
      'timeout',
      'stages',
      'id',
      'role',
      'prompt',
      'for_each',
      'needs',
      'on_failure',
      'output',
      'when',
      'by',
      'review',
      'land',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        part,
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(part, tie('any'), { maxKeys: 6 }),
      ),
    })).any;
    fc.assert(fc.property(fc.dictionary(part, value), (workflow) => readable(JSON.stringify(workflow))));
  });
});
