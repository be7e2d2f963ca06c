import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Config } from '../../config/schema.ts';
import { headOf, isAncestor } from '../../git/inspect.ts';
import { land } from '../../git/landing/land.ts';
import type { Landed } from '../../git/landing/landed.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import { type Landing, markLanded } from '../../store/tables/landings.ts';
import type { WorkContext } from '../context.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import type { FailedLine } from '../worktree/shell-lines.ts';
import { keepAndReturn, noteOnMain } from './keep-for-undo.ts';
import { mainBranch } from './main-branch.ts';
import { changed, type PreparedCommit, prepareCommit } from './prepare-landing.ts';
import { isValidated, validateWork } from './validate-work.ts';

/** After this many moves of main, give up and report it. */
const MOST_TRIES = 5;

export interface OnMain {
  /** How it got onto main. `nothing`: main had the change already, from elsewhere. */
  readonly how: 'merge' | 'push' | 'already-landed' | 'nothing';
  /** Null if there was nothing to land. */
  readonly commit: string | null;
  /** Of the commit, if this accept made it. */
  readonly subject?: string;
  readonly branch: string;
  /** Returns what main is now. Called after the landing counts as done: a failure here must not look like a failed landing. */
  readonly main: () => Promise<string>;
}

/** The commit to land, and the main that it builds on. */
interface Prepared extends PreparedCommit {
  readonly onto: string;
}

type Step =
  | { readonly kind: 'done'; readonly result: OnMain }
  | { readonly kind: 'validate'; readonly prepared: Prepared }
  | { readonly kind: 'moved'; readonly prepared: Prepared };

interface Attempt {
  readonly config: Config;
  readonly branch: string;
  readonly prepared: Prepared | undefined;
  /** This process has validated the commit. */
  readonly validated: boolean;
}

/**
 * Rebases, squashes, validates and lands. Only one landing at a time reads main and moves it, but the others do not wait for a validation:
 * if main moved meanwhile, the commit is made and validated again.
 */
export async function landOnMain(context: WorkContext, landing: Landing): Promise<OnMain> {
  const config = await context.config();
  const branch = await mainBranch(context, config);
  let prepared: Prepared | undefined;
  let validated = false;
  for (let moves = 0; moves < MOST_TRIES; ) {
    const step = await context.locks.withLock(LOCK_KEYS.main, () => attempt(context, landing, { config, branch, prepared, validated }));
    switch (step.kind) {
      case 'done':
        return step.result;
      case 'validate':
        if (prepared !== undefined) moves += 1;
        await validate(context, config, landing.worker, step.prepared.sha);
        [prepared, validated] = [step.prepared, true];
        continue;
      case 'moved':
        context.say(`${branch} moved meanwhile; rebasing again`);
        [prepared, validated] = [step.prepared, false];
        moves += 1;
    }
  }
  throw new LlmcError('LANDING_REFUSED', `${branch} moved ${MOST_TRIES} times while the commit was being landed`, {
    hint: `llmc accept ${landing.worker}`,
  });
}

async function attempt(context: WorkContext, landing: Landing, { config, branch, prepared, validated }: Attempt): Promise<Step> {
  const { git, layout, store } = context;
  const fetch = () => fetchMain(git, layout.root, branch, config.repo.source);
  const again = async () => keepAndReturn(context, landing, await fetch());
  const main = await fetch();
  const known = landing.landed ?? unsettledCommit(context, landing.worker);
  if (known !== null && (await isAncestor(git, layout.root, known, main)))
    return { kind: 'done', result: { how: 'already-landed', commit: known, branch, main: () => keepAndReturn(context, landing, main) } };
  const isCurrent = prepared?.onto === main;
  if (prepared !== undefined && !isCurrent) await requireUnmoved(context, landing.worker, prepared.sha);
  const made = isCurrent ? prepared : await prepareCommit(context, landing, { branch, sha: main });
  if (made === undefined) return { kind: 'done', result: { how: 'nothing', commit: null, branch, main: async () => main } };
  const { sha, subject } = made;
  if (!(isCurrent && validated) && !(await isValidated(context, config, landing.worker, sha)))
    return { kind: 'validate', prepared: { sha, subject, onto: main } };
  fault('accept:before-land');
  context.say(`Landing on ${branch}`);
  const { reviewed_patch_id: reviewed } = store.worker(landing.worker);
  const landed = await land(git, { source: config.repo.source, root: layout.root, branch, sha, onto: main, reviewed });
  if (landed.kind === 'moved') return { kind: 'moved', prepared: { sha, subject, onto: main } };
  requireLanded(context, landing.worker, landed);
  fault('accept:after-land');
  store.commit({
    worker: landing.worker,
    kind: 'accept',
    summary: `landed ${sha.slice(0, 12)} on ${branch}`,
    rows: (database) => markLanded(database, landing.id),
  });
  const result: OnMain =
    landed.kind === 'landed'
      ? {
          how: landed.how,
          commit: sha,
          subject,
          branch,
          main: () => noteOnMain(context, landing, { branch, prepared: sha, main }).catch(again),
        }
      : { how: 'already-landed', commit: sha, branch, main: again };
  return { kind: 'done', result };
}

/** The commit that an earlier accept put on main without getting to its end. */
function unsettledCommit({ store }: WorkContext, name: string): string | null {
  const { attention } = store.worker(name);
  return attention?.kind === 'unsettled_landing' ? attention.commit : null;
}

/** A commit that the agent makes during the validation must not get into the next attempt. */
async function requireUnmoved({ git, store }: WorkContext, name: string, sha: string): Promise<void> {
  const worker = store.worker(name);
  const now = await headOf(git, worker.worktree_path);
  if (now !== sha) throw changed(worker, `${name} made another commit, ${now.slice(0, 12)}, meanwhile`);
}

function requireLanded(
  { layout }: WorkContext,
  name: string,
  landed: Exclude<Landed, { kind: 'moved' }>,
): asserts landed is Extract<Landed, { kind: 'landed' | 'already-landed' }> {
  switch (landed.kind) {
    case 'landed':
    case 'already-landed':
      return;
    case 'changed':
      throw new LlmcError('PATCH_CHANGED', `the objects of ${name} in ${layout.root} are not those that would land`, {
        hint: `Review it again: llmc review ${name}; if that does not help: llmc reset ${name}`,
      });
    case 'refused':
      throw new RefusedBySource(name, landed);
  }
}

/** Something in the source is in the way, which only a person can remove. */
export class RefusedBySource extends LlmcError {
  readonly todo: string | undefined;

  constructor(worker: string, { reason, todo, files }: Extract<Landed, { kind: 'refused' }>) {
    super('LANDING_REFUSED', reason, { hint: `${todo ?? 'Fix that'}, then: llmc accept ${worker}`, details: files?.join('\n') });
    this.todo = todo;
  }
}

async function validate(context: WorkContext, config: Config, name: string, commit: string): Promise<void> {
  const failed = await validateWork(context, config, name, commit);
  if (failed !== undefined) throw validationFailed(name, failed);
}

function validationFailed(name: string, { line, reason, output, log }: FailedLine): LlmcError {
  return new LlmcError('VALIDATION_FAILED', `"${line}" failed for ${name}: ${reason}. The whole output: ${log}`, {
    hint: commandLine('llmc', 'reject', '--worker', name, `Make this pass: ${line}`),
    details: output,
    detailsSaid: true,
  });
}
