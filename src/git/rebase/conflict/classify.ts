import type { Clash, ConflictFile, ConflictSide } from './facts.ts';
import { byPath, type IndexEntry, type IndexVersions } from './index-entries.ts';
import type { MergeMessage, RepeatedMerge } from './repeat-merge.ts';

export type Classified = Pick<ConflictFile, 'path' | 'clash' | 'state' | 'stages'>;

/**
 * Says how each file clashes. The index decides which files are unmerged. The repeated merge adds the files that are staged by now,
 * and what the index does not tell: renames, and files that git moved out of the way.
 */
export function classifyConflicts(
  unmerged: readonly IndexEntry[],
  merge: Pick<RepeatedMerge, 'entries' | 'messages'>,
): readonly Classified[] {
  const now = byPath(unmerged);
  const files = [...byPath(merge.entries)].flatMap(([path, stages]): Classified[] => {
    const clash = judgeClash(path, stages, merge.messages);
    const wanted = wantedPath(path, merge.messages);
    // git ends the new name of a moved file with the name of its side, which is another one in the rebase.
    const found = now.has(path) || wanted === undefined ? path : movedTo(wanted, stages, now);
    if (found === undefined) return [];
    return [{ path: found, clash, state: now.has(found) ? 'unmerged' : 'staged', stages: now.get(found) ?? stages }];
  });
  const known = new Set(files.map(({ path }) => path));
  const others = [...now].filter(([path]) => !known.has(path));
  return [
    ...files,
    ...others.map(([path, stages]): Classified => ({ path, clash: judgeClash(path, stages, []), state: 'unmerged', stages })),
  ];
}

const typed = (messages: readonly MergeMessage[], type: string, path: string): MergeMessage | undefined =>
  messages.find((message) => message.type === `CONFLICT (${type})` && message.paths.includes(path));

function judgeClash(path: string, stages: IndexVersions, messages: readonly MergeMessage[]): Clash {
  return clashByMessage(path, stages, messages) ?? clashByStages(stages, typed(messages, 'binary', path) !== undefined);
}

function clashByMessage(path: string, stages: IndexVersions, messages: readonly MergeMessage[]): Clash | undefined {
  const [from, main, worker] = typed(messages, 'rename/rename', path)?.paths ?? [];
  if (from !== undefined && main !== undefined && worker !== undefined) return { kind: 'rename/rename', from, main, worker };
  const [renamed, before] = typed(messages, 'rename/delete', path)?.paths ?? [];
  if (renamed === path && before !== undefined) return { kind: 'rename/delete', from: before, renamedBy: onlySide(stages) };
  const wanted = wantedPath(path, messages);
  if (wanted !== undefined && typed(messages, 'file/directory', path) !== undefined)
    return { kind: 'directory/file', wanted, fileOf: onlySide(stages) };
  const ofTwoTypes = typed(messages, 'distinct modes', path)?.paths[0];
  if (ofTwoTypes !== undefined) return { kind: 'type', wanted: ofTwoTypes };
  const [moved, created] = typed(messages, 'directory rename suggested', path)?.paths ?? [];
  if (moved === path && created !== undefined) return { kind: 'folder-rename', from: created, createdBy: onlySide(stages) };
  return undefined;
}

const LINK = '120000';
const SUBMODULE = '160000';

function clashByStages({ base, main, worker }: IndexVersions, isBinary: boolean): Clash {
  const modes = [base, main, worker].flatMap((stage) => stage?.mode ?? []);
  if (modes.includes(SUBMODULE)) return { kind: 'submodule' };
  if (main === undefined || worker === undefined) return { kind: 'delete/modify', deletedBy: main === undefined ? 'main' : 'worker' };
  if (modes.includes(LINK)) return { kind: 'symlink' };
  if (main.hash === worker.hash && main.mode !== worker.mode) return { kind: 'mode' };
  if (isBinary) return { kind: 'binary' };
  return base === undefined ? { kind: 'add/add' } : { kind: 'content' };
}

const onlySide = ({ main }: IndexVersions): ConflictSide => (main === undefined ? 'worker' : 'main');

/** The name that a file would have if nothing were in its way; undefined for a file that has its own name. */
function wantedPath(path: string, messages: readonly MergeMessage[]): string | undefined {
  const wanted = typed(messages, 'file/directory', path)?.paths[1] ?? typed(messages, 'distinct modes', path)?.paths[0];
  return wanted === path || (wanted !== undefined && !path.startsWith(`${wanted}~`)) ? undefined : wanted;
}

function movedTo(wanted: string, stages: IndexVersions, now: ReadonlyMap<string, IndexVersions>): string | undefined {
  for (const [path, { main, worker }] of now) {
    if (path.startsWith(`${wanted}~`) && main?.hash === stages.main?.hash && worker?.hash === stages.worker?.hash) return path;
  }
  return undefined;
}
