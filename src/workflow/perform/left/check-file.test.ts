import { describe, expect, test } from 'vitest';
import { checkFile } from './check-file.ts';
import { readVerdict } from './verdict.ts';

const schema = {
  type: 'object',
  properties: { sections: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } } },
  required: ['sections'],
};

describe('a file that an agent left', () => {
  test('is taken with its value if it is YAML or JSON', () => {
    expect(checkFile({ path: 'a.yaml', schema }, 'sections: [{ id: one }]')).toEqual({
      kind: 'valid',
      value: { sections: [{ id: 'one' }] },
    });
    expect(checkFile({ path: 'a.json', schema: undefined }, '{"a": 1}')).toEqual({ kind: 'valid', value: { a: 1 } });
    expect(checkFile({ path: 'a.md', schema: undefined }, '# a: [')).toEqual({ kind: 'valid', value: null });
  });

  test.each([
    ['a.md', undefined, ' \n', ['a.md: is empty']],
    ['a.md', undefined, 'a\0b', ['a.md: is not a text file']],
    [
      'a.yaml',
      undefined,
      'a: [1',
      ['a.yaml: line 1: not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
    ['a.yaml', undefined, 'a: 1\na: 2', ['a.yaml: line 2: the key "a" is here twice']],
    [
      'a.yaml',
      schema,
      'sections: [{ id: 1 }, {}]',
      [
        'a.yaml: sections[0].id: Invalid input: expected string, received number',
        'a.yaml: sections[1].id: Invalid input: expected string, received undefined',
      ],
    ],
    ['a.yaml', schema, '- 1', ['a.yaml: Invalid input: expected object, received array']],
    ['a.json', undefined, '{a: 1}', [expect.stringMatching(/^a\.json: is not valid JSON: Expected property name/)]],
    ['a.json', undefined, '['.repeat(5_000) + ']'.repeat(5_000), [expect.stringContaining('nested too deeply')]],
  ])('%s is refused in words (%#)', (path, shape, text, problems) => {
    expect(checkFile({ path, schema: shape }, text)).toEqual({ kind: 'invalid', problems });
  });

  test('brings no hidden characters into what is said about it', () => {
    const checked = checkFile({ path: 'a.yaml', schema: undefined }, 'a\u001b[31m: 1\na\u001b[31m: 2');
    expect(checked.kind === 'invalid' && checked.problems.join()).not.toContain('\u001b');
  });

  test('with many problems is told the first ten', () => {
    const checked = checkFile({ path: 'a.yaml', schema }, `sections: [${'{},'.repeat(30)}]`);
    expect(checked.kind === 'invalid' && checked.problems).toHaveLength(11);
  });
});

describe('a verdict', () => {
  test('has its remarks without hidden characters', () => {
    expect(readVerdict('v', { verdict: 'changes', issues: [' no\u202etest '] })).toEqual({
      verdict: 'changes',
      issues: ['no<U+202E>test'],
    });
    expect(readVerdict('v', { verdict: 'approved', issues: null })).toEqual({ verdict: 'approved', issues: [] });
    expect(readVerdict('v', { verdict: 'approved' })).toEqual({ verdict: 'approved', issues: [] });
  });

  test('names the items that must be made again, if it can name some', () => {
    const verdict = { verdict: 'inconsistent', issues: ['x'], items: ['s2', 3, 's2'] };
    expect(readVerdict('v', verdict, ['s1', 's2', '3'])).toEqual({ ...verdict, items: ['s2', '3'] });
    expect(readVerdict('v', verdict)).toEqual({ verdict: 'inconsistent', issues: ['x'] });
    expect(readVerdict('v', verdict, ['s1', 's2'])).toEqual({ problems: ['v: items: there is no item "3"; expected s1, s2'] });
    expect(readVerdict('v', { ...verdict, items: 's2' }, ['s2'])).toEqual({ problems: ['v: items: expected a list of items'] });
  });

  test('that the reviewer cannot judge has its reason', () => {
    expect(readVerdict('v', { verdict: 'cannot_judge', issues: ['no text'] })).toEqual({ verdict: 'cannot_judge', issues: ['no text'] });
    expect(readVerdict('v', { verdict: 'cannot_judge' })).toMatchObject({ problems: [expect.stringContaining('at least one remark')] });
  });

  test.each([
    ['text', ['v: expected the two keys "verdict" and "issues"']],
    [{ verdict: 'ok', issues: [] }, ['v: verdict: expected approved or changes']],
    [{ verdict: 'changes', issues: [] }, ['v: issues: expected at least one remark with the verdict "changes"']],
    [{ verdict: 'changes', issues: ['  '] }, ['v: issues: expected at least one remark with the verdict "changes"']],
    [{ verdict: 'changes', issues: 'no test' }, ['v: issues: expected a list of texts']],
    [{ verdict: 'changes', issues: [{ file: 'a' }] }, ['v: issues[0]: expected a text; write the whole remark in one text']],
    [{ verdict: 'changes', issues: ['x'.repeat(4_001)] }, ['v: issues[0]: expected at most 4000 characters']],
    [{ verdict: 'changes', issues: Array.from({ length: 51 }, () => 'x') }, ['v: issues: expected at most 50 remarks']],
  ])('is refused in words (%#)', (value, problems) => {
    expect(readVerdict('v', value)).toEqual({ problems });
  });
});
