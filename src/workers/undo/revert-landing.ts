import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Config } from '../../config/schema.ts';
import { isAncestor } from '../../git/inspect.ts';
import { land } from '../../git/landing/land.ts';
import { noteLanded } from '../../git/landing/note-landed.ts';
import { revertCommit } from '../../git/landing/revert.ts';
import { readSigning } from '../../git/landing/signing.ts';
import { fetchMain } from '../../git/source/fetch.ts';
import { prepareUndo, settleUndo, type Undo } from '../../store/tables/undos.ts';
import type { WorkContext } from '../context.ts';
import { LOCK_KEYS } from '../lock-keys.ts';
import type { Undone } from './undo-result.ts';
import { validateRevert } from './validate-revert.ts';

/** After this many moves of main, give up and report it. */
const MOST_TRIES = 5;

/** Makes a commit that reverts the accepted one, validates it and lands it. Every step recognises that it has already happened. */
export async function finishRevert(context: WorkContext, undo: Undo): Promise<Undone> {
  const { git, layout } = context;
  const { branch, worker } = undo;
  const config = await context.config();
  const { source } = config.repo;
  let made = undo.made;
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const main = await fetchMain(git, layout.root, branch, source);
    if (made !== null && (await isAncestor(git, layout.root, made, main))) return settle(context, undo, made, main);
    if (made === null || attempt > 1 || undo.onto !== main) made = await prepare(context, config, undo, main);
    await validateRevert(context, config, made, worker);
    fault('undo:before-land');
    context.say(`Landing on ${branch}`);
    const landing = { source, root: layout.root, branch, sha: made, onto: main, reviewed: null };
    // Accepts do not wait for the validation. If main moved meanwhile, the commit is made and validated again.
    const landed = await context.locks.withLock(LOCK_KEYS.main, () => land(git, landing));
    switch (landed.kind) {
      case 'landed':
      case 'already-landed': {
        fault('undo:after-land');
        const undone = settle(context, undo, made, made);
        const now = await noteLanded(git, layout.root, branch, made, main).catch(() => fetchMain(git, layout.root, branch, source));
        return { ...undone, main: now };
      }
      case 'moved':
        context.say(`${branch} moved meanwhile; reverting again`);
        continue;
      case 'changed':
      case 'refused':
        throw new LlmcError('LANDING_REFUSED', landed.kind === 'refused' ? landed.reason : `${made} changed`, {
          hint: `${(landed.kind === 'refused' ? landed.todo : undefined) ?? 'Fix that'}, then: llmc undo ${worker} --revert`,
          details: landed.kind === 'refused' ? landed.files?.join('\n') : undefined,
        });
    }
  }
  throw new LlmcError('LANDING_REFUSED', `${branch} moved ${MOST_TRIES} times while the revert was being landed`, {
    hint: `llmc undo ${worker} --revert`,
  });
}

async function prepare(context: WorkContext, config: Config, undo: Undo, main: string): Promise<string> {
  const { git, layout, store, clock } = context;
  const { landed, branch, worker } = undo;
  const { source } = config.repo;
  const short = landed.slice(0, 12);
  const gone = new LlmcError('NOTHING_TO_UNDO', `${branch} has nothing of ${short}, the last accept of ${worker}, any more`, {
    hint: 'llmc status',
  });
  if (!(await isAncestor(git, layout.root, landed, main))) throw gone;
  const date = `${Math.floor(clock.now() / 1_000)} +0000`;
  const reverted = await revertCommit(git, { source, root: layout.root, landed, main, signing: await readSigning(git, source), date });
  switch (reverted.kind) {
    case 'nothing':
      throw gone;
    case 'conflict':
      throw new LlmcError('UNDO_REFUSED', `later commits on ${branch} changed what ${short} changed, in ${reverted.files.join(', ')}`, {
        hint: `Let a worker do it: ${commandLine('llmc', 'start', '--prompt', `Revert the commit ${landed}. Keep what later commits changed.`)}`,
        details: reverted.files.join('\n'),
      });
    case 'reverted':
      store.commit({
        worker,
        kind: 'undo',
        summary: `one commit ${reverted.sha.slice(0, 12)} on ${main.slice(0, 12)} reverts ${short}`,
        rows: (database) => prepareUndo(database, undo.id, main, reverted.sha),
      });
      fault('undo:after-revert');
      return reverted.sha;
  }
}

function settle({ store, clock }: WorkContext, undo: Undo, made: string, main: string): Undone {
  store.commit({
    worker: undo.worker,
    kind: 'undo',
    summary: `reverted ${undo.landed.slice(0, 12)} by ${made.slice(0, 12)} on ${undo.branch}`,
    rows: (database) => settleUndo(database, undo.id, 'done', clock.now()),
  });
  return { main, made, conversation: null };
}
