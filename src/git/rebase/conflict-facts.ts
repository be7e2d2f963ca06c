import type { Git } from '../run.ts';
import { type Blob, LARGEST_BLOB, readBlobs } from './conflict/blobs.ts';
import { type Classified, classifyConflicts } from './conflict/classify.ts';
import type { ConflictFacts, ConflictFile, Rebasing } from './conflict/facts.ts';
import { parseEntries, unmergedEntriesCall } from './conflict/index-entries.ts';
import { type Markers, markersIn } from './conflict/markers.ts';
import { parseRegions, type VersionTexts } from './conflict/regions.ts';
import { collectVersionNames, parseRenames, renamesCall } from './conflict/renames.ts';
import { type RepeatedMerge, repeatMerge } from './conflict/repeat-merge.ts';
import { readStop, type Stopped } from './conflict/stop.ts';
import { mainCommits, replayedCommits } from './conflict/touched.ts';
import { stagedHashes } from './take-side.ts';

export type * from './conflict/facts.ts';

/** Files beyond this number are counted, not described. */
const MOST_FILES = 200;
/** For so many files llmc asks which commits of main changed the same lines: one or two processes each. */
const MOST_BLAMED = 10;

/** Describes the conflict that a rebase in this worktree stopped at. Changes neither index nor files. */
export async function readConflict(git: Git, worktree: string, rebasing: Rebasing): Promise<ConflictFacts> {
  const [unmerged, stop] = await Promise.all([git.ok(unmergedEntriesCall(worktree)).then(parseEntries), readStop(git, worktree, rebasing)]);
  if (stop === undefined && unmerged.length === 0) return { stop, files: [], leftOut: 0 };
  const merge = stop && (await repeatMerge(git, worktree, stop));
  const all = classifyConflicts(unmerged, merge ?? { entries: [], messages: [] });
  const described = await describe(git, worktree, all.slice(0, MOST_FILES), stop, merge);
  const files = await withMainCommits(git, worktree, rebasing, stop, described);
  return {
    stop: stop && { commit: stop.commit, subject: stop.subject, progress: stop.progress },
    files,
    leftOut: all.length - files.length,
  };
}

async function describe(
  git: Git,
  worktree: string,
  files: readonly Classified[],
  stop: Stopped | undefined,
  merge: RepeatedMerge | undefined,
): Promise<readonly ConflictFile[]> {
  const renamesTo = async (to: string | undefined) =>
    stop?.parent === undefined || to === undefined
      ? new Map<string, string>()
      : parseRenames(await git.ok(renamesCall(worktree, stop.parent, to)));
  const [main, worker, staged] = await Promise.all([
    renamesTo(stop?.head.commit),
    renamesTo(stop?.commit),
    stagedHashes(
      git,
      worktree,
      files.filter(({ state }) => state === 'staged').map(({ path }) => path),
    ),
  ]);
  const sources = files.map((file) => chooseSource(file, namesIn(file, { main, worker }), stop, merge, staged.get(file.path)));
  const blobs = await readBlobs(
    git,
    worktree,
    sources.flatMap(({ ask }) => Object.values(ask)),
  );
  return Promise.all(sources.map((source) => describeFile(git, worktree, source, blobs, merge)));
}

function namesIn({ path, clash }: Classified, renames: Parameters<typeof collectVersionNames>[1]): ConflictFile['names'] {
  return clash.kind === 'rename/rename' ? { base: clash.from, main: clash.main, worker: clash.worker } : collectVersionNames(path, renames);
}

interface Source {
  readonly file: Classified;
  readonly names: ConflictFile['names'];
  /** What to read, as git names it. */
  readonly ask: Readonly<Partial<Record<'base' | 'main' | 'worker' | 'merged' | 'staged', string>>>;
}

const isPlain = (mode: string | undefined): boolean => mode?.startsWith('100') === true;

function chooseSource(
  file: Classified,
  names: ConflictFile['names'],
  stop: Stopped | undefined,
  merge: RepeatedMerge | undefined,
  staged: string | undefined,
): Source {
  const { path, clash, stages } = file;
  const [base, main, worker] = [stages.base, stages.main, stages.worker].map((stage) => (isPlain(stage?.mode) ? stage?.hash : undefined));
  const ask = {
    ...(base !== undefined && { base }),
    ...(main !== undefined && { main }),
    ...(worker !== undefined && { worker }),
    ...(merge !== undefined && { merged: `${merge.tree}:${path}` }),
    ...(staged !== undefined && { staged }),
  };
  if (clash.kind !== 'rename/rename' || stop === undefined) return { file, names, ask };
  // Its stages hold the merged text with markers (git 2.39), so take the versions from the commits.
  const [from, to, and] = [`${stop.parent}:${clash.from}`, `${stop.head.commit}:${clash.main}`, `${stop.commit}:${clash.worker}`];
  return { file, names, ask: { ...ask, base: from, main: to, worker: and } };
}

async function describeFile(
  git: Git,
  worktree: string,
  { file, names, ask }: Source,
  blobs: ReadonlyMap<string, Blob>,
  merge: RepeatedMerge | undefined,
): Promise<ConflictFile> {
  const blob = (name: string | undefined) => (name === undefined ? undefined : blobs.get(name));
  const versions = [ask.base, ask.main, ask.worker].map(blob);
  const plain = { ...file, names, regions: [], markers: [], tooLarge: false, touchedBy: [] };
  if (versions.some((version) => version?.kind === 'unread'))
    return { ...plain, tooLarge: versions.some((version) => version?.kind === 'unread' && version.why === 'large') };
  const [base = '', main = '', worker = ''] = versions.map((version) => (version?.kind === 'text' ? version.text : ''));
  const texts: VersionTexts = { base, main, worker };
  const text = findText(blob(ask.merged));
  const merged = text === undefined || merge === undefined ? undefined : parseRegions(text, merge.labels, texts);
  const now = file.state === 'staged' ? findText(blob(ask.staged)) : await git.files.readBeneath(worktree, file.path, LARGEST_WITH_MARKERS);
  const { lines, opening } = now === undefined ? NO_MARKERS : markersIn(now, texts, merged);
  const regions = merged?.regions ?? [];
  // The file can have another number of regions: someone edited it, or the rebase was started in another style.
  const line = (index: number) => (opening.length === regions.length ? opening[index] : undefined);
  return { ...plain, regions: regions.map((region, index) => ({ ...region, line: line(index) })), markers: lines };
}

/** The file holds all three versions. */
const LARGEST_WITH_MARKERS = 4 * LARGEST_BLOB;
const NO_MARKERS: Markers = { lines: [], opening: [] };

const findText = (blob: Blob | undefined): string | undefined => (blob?.kind === 'text' ? blob.text : undefined);

async function withMainCommits(
  git: Git,
  worktree: string,
  rebasing: Rebasing,
  stop: Stopped | undefined,
  files: readonly ConflictFile[],
): Promise<readonly ConflictFile[]> {
  if (stop === undefined) return files;
  const at = stop.head.commit;
  const own = at === rebasing.onto ? new Set<string>() : await replayedCommits(git, worktree, at, rebasing);
  const asked = files.filter(({ state }) => state === 'unmerged').slice(0, MOST_BLAMED);
  return Promise.all(
    files.map(async (file) => {
      if (!asked.includes(file)) return file;
      const path = 'wanted' in file.clash ? file.clash.wanted : (file.names.main ?? file.path);
      const parts = file.regions.map(({ main }) => main);
      return { ...file, touchedBy: await mainCommits(git, worktree, rebasing, { at, path, parts, own }) };
    }),
  );
}
