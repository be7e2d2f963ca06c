import { toKnownError } from '../../base/known-error.ts';
import type { Begun } from '../../tui/model/effect.ts';
import type { ViewNotice } from '../../tui/model/view.ts';
import type { EffectOutcome, Surroundings, ViewPorts } from './outcome.ts';
import { ViewShell } from './view-shell.ts';

/** What `awaitDelivery` throws for a prompt that stays queued. */
const RECORDED: readonly string[] = ['WAIT_TIMEOUT', 'AGENT_CRASHED'];

type Performed = Exclude<Begun, { kind: 'quit' | 'suspend' | 'mouse' | 'draft' }>;

/** Does what the view asks for. Whatever fails becomes a notice with the next command. */
export async function performEffect(effect: Performed, performing: ViewPorts): Promise<void> {
  const { shell, dispatch } = performing;
  const own = new ViewShell(shell.options, (line) => dispatch({ kind: 'progress', effect, line }));
  try {
    dispatch({ kind: 'done', effect, ...(await performByKind(effect, { ...performing, own })) });
  } catch (error) {
    const { message, hint, code } = toKnownError(error);
    const notice: ViewNotice = { tone: 'bad', text: message, hint: hint && shell.atRoot(hint) };
    dispatch({ kind: 'failed', effect, notice, isOutdated: code === 'WORK_CHANGED', isRecorded: RECORDED.includes(code) });
  }
}

/** Each kind has its file, loaded when it is first used: the view itself starts without them. */
async function performByKind(effect: Performed, around: Surroundings): Promise<EffectOutcome> {
  switch (effect.kind) {
    case 'attach':
      return await (await import('./effects/attach.ts')).attachTo(effect.worker, around);
    case 'accept':
      return await (await import('./effects/seen-work.ts')).acceptSeen(effect, around);
    case 'mark-seen':
      return await (await import('./effects/seen-work.ts')).markSeen(effect, around);
    case 'reject':
      return await (await import('./effects/seen-work.ts')).rejectSeen(effect, around);
    case 'dismiss':
      return await (await import('./effects/seen-work.ts')).dismissSeen(effect.worker, around);
    case 'message':
    case 'answer':
    case 'decide':
      return await (await import('./effects/say.ts')).say(effect, around);
    case 'task':
    case 'edit':
    case 'add-worker':
    case 'take-back':
    case 'list-agents':
      return await (await import('./effects/give-task.ts')).performTaskEffect(effect, around);
    case 'plan-undo':
    case 'undo':
      return await (await import('./effects/undo.ts')).undoLast(effect, around);
    case 'list-queue':
    case 'cancel-task':
    case 'move-task':
    case 'edit-task':
    case 'cancel-message':
    case 'edit-message':
      return await (await import('./effects/change-queue.ts')).changeQueue(effect, around);
    case 'start-root':
      return await (await import('./effects/start-root.ts')).startRoot(around);
    case 'list-roots':
      around.dispatch({ kind: 'known', roots: (await import('../roots/named-roots.ts')).namedRoots(effect.known) });
      return {};
    case 'complete':
      return await (await import('./effects/complete.ts')).complete(effect, around);
    case 'command':
      return await (await import('./effects/command.ts')).runCommand(effect.line, around);
  }
}
