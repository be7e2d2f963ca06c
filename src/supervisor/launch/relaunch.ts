import type { OwnExit } from '../../recovery/decide-exit.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';
import { adoptAgent, agentToRun } from './adopt-agent.ts';
import { canResume, whyNotResumed } from './can-resume.ts';
import { launch } from './launch.ts';
import { planLaunch } from './launch-plan.ts';
import { queueContinue } from './resume.ts';

export interface Relaunch {
  readonly why: string;
  /** Default: resume the conversation, if the agent can. */
  readonly conversation?: 'resume' | 'fresh';
  /** Whether an agent in the middle of a task gets a prompt to continue; true by default. */
  readonly goOn?: boolean;
  readonly crashed?: boolean;
  /** One more start that ended by itself before it had resumed the conversation. */
  readonly resumeExit?: OwnExit | undefined;
  /** An empty conversation is wanted. Otherwise, the history says why a conversation with prompts is not resumed. */
  readonly startsOver?: boolean;
  /** Records the reason, once the launch is known to be possible. */
  readonly record?: () => void;
}

/** Starts a worker's agent again and resumes its work. Refused, as by a missing program, before anything is written. */
export async function relaunch(context: WorkContext, watch: Watch, how: Relaunch): Promise<void> {
  const config = await context.config();
  const before = context.store.worker(watch.name);
  planLaunch(context.layout, config, { ...before, agent: agentToRun(config, before) }, 0, { kind: 'fresh', id: '' });
  const worker = adoptAgent(context, config, watch.name);
  const problem = whyNotResumed(context, worker, config);
  const conversation = how.conversation ?? (problem === undefined ? 'resume' : 'fresh');
  how.record?.();
  if (how.goOn !== false) await queueContinue(context, watch, conversation);
  const drops = conversation === 'fresh' && worker.conversation_used && how.startsOver !== true;
  await launch(context, watch, {
    conversation,
    why: how.why,
    crashed: how.crashed === true,
    resumeExit: how.resumeExit,
    ...(drops && { dropped: problem ?? how.why }),
  });
}

/** Starts an empty conversation with the agent that config.toml or a stand-in names. If that agent cannot start, the worker keeps the old one. */
export async function restartAgent(context: WorkContext, watch: Watch): Promise<void> {
  const { store } = context;
  const { name, agent, conversation_id, conversation_used } = store.worker(watch.name);
  try {
    await relaunch(context, watch, { conversation: 'fresh', startsOver: true, goOn: false, why: 'started again' });
  } catch (error) {
    // The old agent still runs there. No other adapter can classify its screen, and it can resume its conversation.
    if (store.worker(name).agent !== agent)
      store.changeWorker(name, {
        kind: 'agent',
        summary: `keeps ${agent}: ${store.worker(name).agent} could not be started`,
        change: (worker) => Object.assign(worker, { agent, conversation_id, conversation_used }),
      });
    throw error;
  }
}

/** Starts the agent again in an earlier conversation. False, and nothing changes, if it cannot resume that. */
export async function resumeConversation(context: WorkContext, watch: Watch, conversation: string): Promise<boolean> {
  const { store } = context;
  const earlier = { conversation_id: conversation, conversation_used: true, resume_exits: [] };
  if (!canResume(context, { ...store.worker(watch.name), ...earlier }, await context.config())) return false;
  store.changeWorker(watch.name, {
    kind: 'conversation',
    summary: `the agent's conversation is ${conversation} again`,
    change: (worker) => Object.assign(worker, earlier),
  });
  await relaunch(context, watch, { conversation: 'resume', goOn: false, why: 'back in an earlier conversation' });
  return true;
}
