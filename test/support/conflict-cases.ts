import type { Clash } from '../../src/git/rebase/conflict-facts.ts';
import type { Step, Tree } from './conflicting.ts';

export const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');
/** The ten lines with another text in place of one. */
export const changed = (line: number, to: string, text = TEN) => text.replace(`line ${line}\n`, to);

export interface ConflictCase {
  readonly name: string;
  readonly base?: Tree;
  readonly submodules?: Step['submodules'];
  readonly main: Step;
  readonly worker: Step;
  /** By path. A name that git makes up ends with `~…`. */
  readonly clashes: Readonly<Record<string, Clash>>;
}

/** One conflict of each kind. */
export const CONFLICT_CASES: readonly ConflictCase[] = [
  {
    name: 'both sides changed the same lines',
    base: { f: TEN },
    main: { files: { f: changed(5, 'main\n') } },
    worker: { files: { f: changed(5, 'worker\n') } },
    clashes: { f: { kind: 'content' } },
  },
  {
    name: 'both sides created a file',
    main: { files: { f: 'main\n' } },
    worker: { files: { f: 'worker\n' } },
    clashes: { f: { kind: 'add/add' } },
  },
  {
    name: 'main deleted what the worker changed',
    base: { f: TEN },
    main: { files: { f: null } },
    worker: { files: { f: changed(5, 'worker\n') } },
    clashes: { f: { kind: 'delete/modify', deletedBy: 'main' } },
  },
  {
    name: 'the worker deleted what main changed',
    base: { f: TEN },
    main: { files: { f: changed(5, 'main\n') } },
    worker: { files: { f: null } },
    clashes: { f: { kind: 'delete/modify', deletedBy: 'worker' } },
  },
  {
    name: 'each side gave the file another name',
    base: { old: TEN },
    main: { rename: { old: 'by-main' } },
    worker: { rename: { old: 'by-worker' } },
    clashes: Object.fromEntries(
      ['old', 'by-main', 'by-worker'].map((path) => [
        path,
        { kind: 'rename/rename', from: 'old', main: 'by-main', worker: 'by-worker' } as const,
      ]),
    ),
  },
  {
    name: 'main deleted what the worker renamed',
    base: { old: TEN },
    main: { files: { old: null } },
    worker: { rename: { old: 'new' } },
    clashes: { new: { kind: 'rename/delete', from: 'old', renamedBy: 'worker' } },
  },
  {
    name: 'the worker deleted what main renamed',
    base: { old: TEN },
    main: { rename: { old: 'new' } },
    worker: { files: { old: null } },
    clashes: { new: { kind: 'rename/delete', from: 'old', renamedBy: 'main' } },
  },
  {
    name: 'a file of the worker where main has a folder',
    main: { files: { 'd/inner': 'x\n' } },
    worker: { files: { d: 'file\n' } },
    clashes: { 'd~…': { kind: 'directory/file', wanted: 'd', fileOf: 'worker' } },
  },
  {
    name: 'a file of main where the worker has a folder',
    main: { files: { d: 'file\n' } },
    worker: { files: { 'd/inner': 'x\n' } },
    clashes: { 'd~…': { kind: 'directory/file', wanted: 'd', fileOf: 'main' } },
  },
  {
    name: 'both created the same text, one of them as a program',
    main: { files: { f: 'same\n' } },
    worker: { files: { f: { program: 'same\n' } } },
    clashes: { f: { kind: 'mode' } },
  },
  {
    name: 'a link on one side and a file on the other',
    main: { files: { f: 'text\n' } },
    worker: { files: { f: { link: 'target' } } },
    clashes: { f: { kind: 'type', wanted: 'f' }, 'f~…': { kind: 'type', wanted: 'f' } },
  },
  {
    name: 'a link with two targets',
    base: { l: { link: 'a' } },
    main: { files: { l: { link: 'b' } } },
    worker: { files: { l: { link: 'c' } } },
    clashes: { l: { kind: 'symlink' } },
  },
  {
    name: 'a file without text',
    base: { b: 'a\0a' },
    main: { files: { b: 'b\0b' } },
    worker: { files: { b: 'c\0c' } },
    clashes: { b: { kind: 'binary' } },
  },
  {
    name: 'a file created in a folder that main renamed',
    base: { 'old/1': '1\n', 'old/2': '2\n', 'old/3': '3\n' },
    main: { rename: { old: 'new' } },
    worker: { files: { 'old/4': '4\n' } },
    clashes: { 'new/4': { kind: 'folder-rename', from: 'old/4', createdBy: 'worker' } },
  },
  {
    name: 'a submodule that both sides moved',
    submodules: { lib: '1'.repeat(40) },
    main: { subject: 'Move lib', submodules: { lib: '2'.repeat(40) } },
    worker: { submodules: { lib: '3'.repeat(40) } },
    clashes: { lib: { kind: 'submodule' } },
  },
];
