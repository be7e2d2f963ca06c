import { expect, test } from 'vitest';
import { DISABLING } from './disabling.fixture.ts';
import { proveTree } from './prove-tree.ts';
import type { FileVersion, TreeFile } from './tree-file.ts';
import { judgeProof } from './verdict.ts';

type Files = Readonly<Record<string, readonly string[]>>;

const GUARD = 'check_auth(user)';
const BODY = ['import os', 'def handle(user):', '    start(user)', '    work(user)', '    end(user)', '# the end'];
const OTHER = ['def other():', '    pass'];
const BASE: Files = { 'a.py': BODY, 'b.py': OTHER };
/** Both sides add a line at the same place. */
const MAIN: Files = { ...BASE, 'a.py': BODY.toSpliced(3, 0, `    ${GUARD}`) };
const WORKER: Files = { ...BASE, 'a.py': BODY.toSpliced(3, 0, '    log(user)') };
const BOTH = BODY.toSpliced(3, 0, `    ${GUARD}`, '    log(user)');

function version(path: string, lines: readonly string[] | undefined): FileVersion | null {
  return lines === undefined ? null : { path, mode: '100644', id: lines.join('\n'), content: { kind: 'lines', lines } };
}

function prove(base: Files, main: Files, worker: Files, result: Files) {
  const paths = [...new Set([base, main, worker, result].flatMap((files) => Object.keys(files)))];
  const files = paths.map((path): TreeFile => {
    const [ofBase, ofMain, ofWorker, ofResult] = [base, main, worker, result].map((tree) => version(path, tree[path]));
    return { base: ofBase ?? null, main: ofMain ?? null, worker: ofWorker ?? null, result: ofResult ?? null };
  });
  return proveTree(files, { sameAsMain: false, explanations: [] });
}

const verdict = (result: Files, sides: { readonly main?: Files; readonly worker?: Files } = {}) =>
  judgeProof(prove(BASE, sides.main ?? MAIN, sides.worker ?? WORKER, { ...BASE, ...result }));

test('both lines as they were, in any order of the sides and with any indentation, are clean', () => {
  expect(verdict({ 'a.py': BOTH })).toBe('clean');
  expect(verdict({ 'a.py': BODY.toSpliced(3, 0, '    log(user)', `    ${GUARD}`) })).toBe('clean');
  expect(verdict({ 'a.py': BOTH.map((line) => `  ${line}`) })).toBe('clean');
});

test.each(Object.entries(DISABLING))('a line of main is not there any more: %s', (_, edit) => {
  const at = BOTH.indexOf(`    ${GUARD}`);
  const result = BOTH.toSpliced(at, 1, ...edit(GUARD).map((line) => `    ${line}`));
  const proof = prove(BASE, MAIN, WORKER, { ...BASE, 'a.py': result });
  expect(judgeProof(proof)).not.toBe('clean');
  // Whatever the edit is, a person reads the line itself or what was put around it.
  const shown = [...proof.dropped, ...proof.replaced].some(({ side, text }) => side === 'main' && text.trim() === GUARD);
  expect(shown || proof.added.length > 0 || proof.notes.some(({ kind }) => kind === 'line_endings')).toBe(true);
});

test.each<[string, Files, 'altered' | 'losses', { main?: Files; worker?: Files }?]>([
  ['the line is in another file', { 'a.py': BOTH.toSpliced(3, 1), 'b.py': [...OTHER, `    ${GUARD}`] }, 'altered'],
  ['the line is in a new file', { 'a.py': BOTH.toSpliced(3, 1), 'c.py': [`    ${GUARD}`] }, 'altered'],
  ['the line is twice in another file', { 'a.py': BOTH.toSpliced(3, 1), 'b.py': [...OTHER, GUARD, GUARD] }, 'altered'],
  ['the line is at another place of its file', { 'a.py': [...BOTH.toSpliced(3, 1), `    ${GUARD}`] }, 'altered'],
  ['two old lines are swapped', { 'a.py': BOTH.with(5, '    end(user)').with(6, '    work(user)') }, 'altered'],
  ['an old line that nobody touched is commented', { 'a.py': BOTH.with(1, '# def handle(user):') }, 'losses'],
  ['an old line that nobody touched is gone', { 'a.py': BOTH.toSpliced(1, 1) }, 'losses'],
  [
    'the worker has the line too, in dead code, and main’s own is gone',
    { 'a.py': [...BODY.toSpliced(3, 0, '    log(user)'), 'if False:', `    ${GUARD}`] },
    'altered',
    { worker: { ...BASE, 'a.py': [...BODY.toSpliced(3, 0, '    log(user)'), 'if False:', `    ${GUARD}`] } },
  ],
  [
    'both sides move the line, and the result has it no more',
    { 'a.py': BODY.filter((line) => line !== '    start(user)') },
    'losses',
    {
      main: { ...BASE, 'a.py': [...BODY.toSpliced(2, 1), '    start(user)'] },
      worker: { ...BASE, 'a.py': ['    start(user)', ...BODY.toSpliced(2, 1)] },
    },
  ],
  [
    'the end of a comment of main moves below the line',
    { 'a.py': BODY.toSpliced(3, 0, '/*', 'a note', `    ${GUARD}`, '*/', '    log(user)') },
    'altered',
    { main: { ...BASE, 'a.py': BODY.toSpliced(3, 0, '/*', 'a note', '*/', `    ${GUARD}`) } },
  ],
  [
    'the end of a comment of main moves below the line, with another indentation',
    { 'a.py': BODY.toSpliced(3, 0, '/*', 'a note', `    ${GUARD}`, '  */', '    log(user)') },
    'altered',
    { main: { ...BASE, 'a.py': BODY.toSpliced(3, 0, '/*', 'a note', '*/', `    ${GUARD}`) } },
  ],
])('%s', (_, result, expected, sides) => {
  expect(verdict(result, sides)).toBe(expected);
});

test('what was replaced comes with what stands for it, and main’s own lines come first', () => {
  const result = BODY.toSpliced(3, 0, '    log(None)', `    # ${GUARD}`);
  expect(
    prove(BASE, MAIN, WORKER, { ...BASE, 'a.py': result }).replaced.map(({ side, text, by }) => [side, text.trim(), by?.trim()]),
  ).toEqual([['main', GUARD, `# ${GUARD}`]]);
});
