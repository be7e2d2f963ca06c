import { basename } from 'node:path';
import type { Config, ConflictRule } from '../../config/schema.ts';
import type { ClashKind, ConflictFacts, ConflictFile } from '../../git/rebase/conflict-facts.ts';
import { conflictAgain, stagedHashes, stageFiles, takeSide, unmergedMatching, writeSide } from '../../git/rebase/take-side.ts';
import type { WorkContext } from '../context.ts';
import { type FailedLine, runLines } from '../worktree/shell-lines.ts';
import { requireNotStopped } from './require-not-stopped.ts';

/** What llmc did with a file that a rule of config.toml names. */
export type RuleResult =
  /** `made`: the rule decided the content. A command that left the file as it was has not. */
  | { readonly kind: 'applied'; readonly path: string; readonly rule: ConflictRule['rule']; readonly made: boolean }
  /** The agent has to resolve it. */
  | { readonly kind: 'failed'; readonly path: string; readonly line: FailedLine }
  /** The command needs the other files, which are not resolved: llmc runs it after them. */
  | { readonly kind: 'left'; readonly path: string; readonly command: string };

/** Clashes that end when the path gets one version. The others are about names, which a rule does not decide. */
const RULED: ReadonlySet<ClashKind> = new Set(['content', 'add/add', 'delete/modify', 'mode', 'symlink', 'binary', 'submodule']);

export interface Stop {
  readonly worktree: string;
  readonly facts: ConflictFacts;
  /** Called as soon as files are staged or left to the agent: a later command may run for minutes, and llmc be killed meanwhile. */
  readonly record: (results: readonly RuleResult[]) => void;
}

/**
 * Resolves the files of a stopped rebase that `[[repo.conflicts]]` has a rule for, and stages them. Returns what it did, for the
 * prompt. Read the conflict again afterwards. Safe to repeat: a file that is resolved is not unmerged any more.
 */
export async function applyConflictRules(
  context: WorkContext,
  config: Config,
  { worktree, facts, record }: Stop,
): Promise<readonly RuleResult[]> {
  const { git } = context;
  const results: RuleResult[] = [];
  const add = (more: readonly RuleResult[]): void => {
    record(more);
    results.push(...more);
  };
  const open = new Map(facts.files.filter(({ state }) => state === 'unmerged').map((file) => [file.path, file]));
  const toMake: { readonly command: string; readonly files: readonly ConflictFile[] }[] = [];
  for (const { files: globs, rule, command } of config.repo.conflicts) {
    if (open.size === 0) break;
    const matching = await unmergedMatching(git, worktree, globs);
    const files = [...open.values()].filter(({ path, clash }) => matching.has(path) && RULED.has(clash.kind));
    if (files.length === 0) continue;
    for (const { path } of files) open.delete(path);
    if (rule === 'regenerate') toMake.push({ command: command ?? '', files });
    else {
      await takeSide(git, worktree, files, rule);
      add(files.map(({ path }): RuleResult => ({ kind: 'applied', path, rule, made: true })));
    }
  }
  // A command reads other files, which must have no markers. The facts leave out those beyond their limit, resolved or not.
  const toBeMade = new Set(toMake.flatMap(({ files }) => files.map(({ path }) => path)));
  const unmerged = toMake.length > 0 && facts.leftOut > 0 ? await unmergedMatching(git, worktree, ['**']) : [];
  const isLeftOut = [...unmerged].some((path) => !toBeMade.has(path));
  const mustWait = open.size > 0 || isLeftOut || facts.files.some(({ state, markers }) => state === 'staged' && markers.length > 0);
  for (const { command, files } of toMake) {
    if (mustWait) add(files.map(({ path }): RuleResult => ({ kind: 'left', path, command })));
    else add(await makeAgain(context, config, worktree, command, files));
  }
  return results;
}

/** Runs the command on a version without markers. If it fails, the files have their conflict again. */
async function makeAgain(
  context: WorkContext,
  config: Config,
  worktree: string,
  command: string,
  files: readonly ConflictFile[],
): Promise<readonly RuleResult[]> {
  const { git } = context;
  const paths = files.map(({ path }) => path);
  const [onMain, others] = [files.filter(({ stages }) => stages.main), files.filter(({ stages }) => !stages.main)];
  await writeSide(git, worktree, onMain, 'main');
  await writeSide(git, worktree, others, 'worker');
  const failed = await runLines(context, config, { at: worktree, of: [basename(worktree)] }, [command], 'Resolve', {
    log: context.layout.output(basename(worktree), 'resolve'),
  });
  if (failed === undefined) {
    await stageFiles(git, worktree, paths);
    const staged = await stagedHashes(git, worktree, paths);
    return files.map(({ path, stages }): RuleResult => {
      return { kind: 'applied', path, rule: 'regenerate', made: staged.get(path) !== (stages.main ?? stages.worker)?.hash };
    });
  }
  await conflictAgain(git, worktree, paths);
  requireNotStopped(context);
  return paths.map((path): RuleResult => ({ kind: 'failed', path, line: failed }));
}
