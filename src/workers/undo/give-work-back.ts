import { LlmcError } from '../../base/error.ts';
import { fault } from '../../base/fault.ts';
import { exchange } from '../../git/exchange/exchange.ts';
import { readableStatus, readCommitId } from '../../git/inspect.ts';
import { resetInPlace } from '../../git/worktree/reset.ts';
import type { LandedLanding } from '../../store/tables/landings.ts';
import { settleUndo, type Undo } from '../../store/tables/undos.ts';
import type { WorkContext } from '../context.ts';
import { mainBranch } from '../landing/main-branch.ts';
import { commitMove } from '../status/commit-move.ts';
import { describeStatus } from '../status/status-words.ts';
import { standing } from '../status/transitions.ts';
import { saveWork } from '../worktree/save-work.ts';
import type { ConversationBack } from './undo-result.ts';

/** Gives a worker the commits of its accepted work, its task and its conversation. It waits for a review then, as before the accept. */
export async function giveWorkBack(context: WorkContext, undo: Undo, onto: string, landing: LandedLanding): Promise<ConversationBack> {
  const { git, layout, store, clock } = context;
  const { worker: name, landed, branch } = undo;
  const worker = store.worker(name);
  // A supervisor that finishes this after a crash may find that the worker has another task by now.
  if (standing(worker) !== 'idle')
    throw new LlmcError('WORKER_BUSY', `${name} cannot take its work back: it ${describeStatus(standing(worker))}`, {
      hint: `Its work is the commit ${landing.work ?? landed}. When ${name} is idle: llmc undo ${name}`,
    });
  await context.agents.keepWorktree(name);
  const work = await commitToGive(context, landing);
  const status = await readableStatus(git, worker.worktree_path);
  if (status === undefined || status.changes.length > 0 || ![landed, work, onto].includes(status.head ?? '')) {
    const main = landing.branch === null ? branch : await mainBranch(context, await context.config());
    const saved = await saveWork(context, name, main, 'replaced by work that was taken back');
    if (saved !== undefined) context.say(`The old content of the worktree is saved: llmc rescue show ${saved.name}`);
  }
  fault('undo:before-reset');
  await resetInPlace(git, worker.worktree_path, work, worker.branch);
  await exchange(git, layout.root, worker.worktree_path);
  fault('undo:after-reset');
  const { before } = landing;
  commitMove(context, name, 'taken_back', {
    why: `${landed.slice(0, 12)} was taken back from ${branch}`,
    fields: {
      current_prompt: before?.current_prompt ?? null,
      expects: before?.expects ?? 'commit',
      summary: before?.summary ?? null,

      commit_sha: work,
      base_commit: onto,
      resolution: before?.resolution ?? null,
      reviewed_patch_id: null,
      landed_on: null,
      attention: { kind: 'review', uncommitted: false },
    },
    rows: (database) => settleUndo(database, undo.id, 'done', clock.now()),
  });
  fault('undo:after-settle');
  return await conversationBack(context, landing);
}

/** The commits from before the squash, while git still has them; then the one that landed, with the same files. */
async function commitToGive({ git, layout }: WorkContext, { work, landed }: LandedLanding): Promise<string> {
  if (work === null) return landed;
  return await readCommitId(git, layout.root, work).catch(() => landed);
}

async function conversationBack({ store, agents }: WorkContext, { worker: name, before }: LandedLanding): Promise<ConversationBack> {
  const { agent, conversation_id: current } = store.worker(name);
  if (before === null || before.conversation_id === null || before.agent !== agent) return 'lost';
  if (before.conversation_id === current) return 'kept';
  return (await agents.resumeConversation(name, before.conversation_id)) ? 'resumed' : 'lost';
}
