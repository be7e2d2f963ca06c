import { expect, test } from 'vitest';
import { askedFiles, filesToLeave } from './asked-files.ts';

test.for([
  ['Write .llmc-task/out/findings.md.', ['findings.md']],
  ['- `.llmc-task/out/plan/outline.yaml`, and\n- /root/x/.llmc-task/out/verdict.yaml', ['plan/outline.yaml', 'verdict.yaml']],
  ['.llmc-task/out/a.md twice: .llmc-task/out/a.md', ['a.md']],
  ['Report to .llmc-task/out/progress.yaml, send files to .llmc-task/out/messages/ or .llmc-task/out/messages/x.yaml', []],
  ['See .llmc-task/in/research/findings.md', []],
  ['Leave it in .llmc-task/out/.', []],
  ['.llmc-task/out/../../escape.md and .llmc-task/out/a/../../b.md', []],
  ['Add a page', []],
] as const)('%j asks for %j', ([prompt, files]) => {
  expect(askedFiles(prompt).map(({ path }) => path)).toEqual(files);
});

test('a prompt about a file of the task leaves its schema as it was', () => {
  const before = [{ path: 'a.yaml', schema: { type: 'object' } }, { path: 'b.md' }];
  expect(filesToLeave('Correct it', before)).toEqual(before);
  expect(filesToLeave('.llmc-task/out/a.yaml is empty', before)).toEqual([before[0]]);
  expect(filesToLeave('Write .llmc-task/out/c.md', before)).toEqual([{ path: 'c.md' }]);
});

test('the schema stands behind the path, on the same line', () => {
  const prompt =
    'Write .llmc-task/out/a.yaml:\n- .llmc-task/out/a.yaml, which must satisfy: {"type":"object"}\n- .llmc-task/out/b.md {not it';
  expect(askedFiles(prompt)).toEqual([{ path: 'a.yaml', schema: { type: 'object' } }, { path: 'b.md' }]);
});
