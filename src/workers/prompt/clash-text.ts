import type { ConflictFile, ConflictSide, IndexStage } from '../../git/rebase/conflict-facts.ts';
import { pathspec, quoted, word } from './quoted-text.ts';

const SUBJECTS: Readonly<Record<ConflictSide, string>> = { main: 'main', worker: 'you' };
const other = (side: ConflictSide): ConflictSide => (side === 'main' ? 'worker' : 'main');

/** How a file clashes, as the second half of a sentence about it. */
export function clashText({ clash, stages }: ConflictFile): string {
  switch (clash.kind) {
    case 'content':
      return 'main and you changed the same lines';
    case 'add/add':
      return 'main and you both created it, with different content';
    case 'delete/modify':
      return `${SUBJECTS[clash.deletedBy]} deleted it, and ${SUBJECTS[other(clash.deletedBy)]} changed it`;
    case 'rename/rename':
      return `main renamed ${quoted(clash.from)} to ${quoted(clash.main)}, and you renamed it to ${quoted(clash.worker)}`;
    case 'rename/delete':
      return `${SUBJECTS[clash.renamedBy]} renamed it from ${quoted(clash.from)}, and ${SUBJECTS[other(clash.renamedBy)]} deleted it`;
    case 'directory/file': {
      const owner = SUBJECTS[clash.fileOf];
      return `${owner} created the file ${quoted(clash.wanted)} where ${SUBJECTS[other(clash.fileOf)]} created a folder; git moved the file here`;
    }
    case 'mode':
      return `the same content with two modes: ${describeMode(stages.main)} on main, ${describeMode(stages.worker)} in your commit`;
    case 'type':
      return `${quoted(clash.wanted)} is a file on one side, and a link or a submodule on the other; git keeps each under a name of its own`;
    case 'folder-rename':
      return `${SUBJECTS[clash.createdBy]} created it as ${quoted(clash.from)}, in a folder that ${SUBJECTS[other(clash.createdBy)]} renamed; git moved it along`;
    case 'symlink':
      return 'a symbolic link that main and you point at different targets';
    case 'binary':
      return 'main and you both changed it, and it is not text';
    case 'submodule':
      return `a submodule that main and you moved to different commits: ${describeHash(stages.main)} on main, ${describeHash(stages.worker)} in your commit`;
  }
}

const describeMode = (stage: IndexStage | undefined): string => (stage?.mode === '100755' ? 'executable' : 'not executable');
const describeHash = (stage: IndexStage | undefined): string => (stage === undefined ? 'none' : stage.hash.slice(0, 12));

/** One way to end the conflict in a file: when to take it, and what to type. */
export interface ConflictChoice {
  readonly when: string;
  readonly commands: readonly string[];
}

const add = (path: string): string => `git add -- ${pathspec(path)}`;
const remove = (...paths: readonly string[]): string => ['git rm --quiet --', ...paths.map(pathspec)].join(' ');
const take = (side: ConflictSide, path: string): string => `git checkout --${side === 'main' ? 'ours' : 'theirs'} -- ${pathspec(path)}`;

/** The commands that end a conflict once the content is right. */
export function choicesFor(file: ConflictFile): readonly ConflictChoice[] {
  const { path, clash, stages } = file;
  switch (clash.kind) {
    case 'content':
    case 'add/add':
      return [{ when: 'Edit the file until it has what both sides meant and no marker line, then', commands: [add(path)] }];
    case 'delete/modify':
    case 'rename/delete':
      return [
        { when: 'To keep the file, with the change in it', commands: [add(path)] },
        { when: 'To delete it (move the change to where the code is now, if it moved)', commands: [remove(path)] },
      ];
    case 'rename/rename':
      return [
        { when: `To keep main's name`, commands: [remove(clash.from, clash.worker), add(clash.main)] },
        { when: 'To keep your name', commands: [remove(clash.from, clash.main), add(clash.worker)] },
      ];
    case 'directory/file':
    case 'type':
      return [
        { when: 'To keep this one under the name that git gave it', commands: [add(path)] },
        { when: 'To give it a better name', commands: [`mv -- ${word(path)} <new name>`, remove(path), 'git add -- <new name>'] },
        { when: 'To give it up', commands: [remove(path)] },
      ];
    case 'folder-rename':
      return [{ when: 'To keep it in the renamed folder', commands: [add(path)] }];
    case 'mode':
      return [
        { when: 'To make it executable', commands: [`chmod +x -- ${word(path)}`, add(path)] },
        { when: 'To make it a plain file', commands: [`chmod -x -- ${word(path)}`, add(path)] },
      ];
    case 'symlink':
    case 'binary':
      return [
        { when: `To take main's version`, commands: [take('main', path), add(path)] },
        { when: 'To take your version', commands: [take('worker', path), add(path)] },
      ];
    case 'submodule':
      return (['main', 'worker'] as const).flatMap((side) => {
        const stage = stages[side];
        if (stage === undefined) return [];
        const info = word(`160000,${stage.hash},${path}`);
        return [
          { when: side === 'main' ? `To take main's commit` : 'To take your commit', commands: [`git update-index --cacheinfo ${info}`] },
        ];
      });
  }
}

/** The commands that print the versions of a file, the base first. None for a submodule: its commits are in another repository. */
export function versionCommands({ path, clash, stages }: ConflictFile): readonly string[] {
  if (clash.kind === 'submodule') return [];
  if (clash.kind === 'rename/rename')
    return [
      `git show ${word(`REBASE_HEAD^:${clash.from}`)}   # base`,
      `git show ${word(`HEAD:${clash.main}`)}   # main's side`,
      `git show ${word(`REBASE_HEAD:${clash.worker}`)}   # your side`,
    ];
  return [
    ...(stages.base === undefined ? [] : [`git show ${word(`:1:${path}`)}   # base`]),
    ...(stages.main === undefined ? [] : [`git show ${word(`:2:${path}`)}   # main's side`]),
    ...(stages.worker === undefined ? [] : [`git show ${word(`:3:${path}`)}   # your side`]),
  ];
}
