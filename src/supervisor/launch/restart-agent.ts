import { workerSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from '../observe/watch.ts';
import { adoptAgent } from './adopt-agent.ts';
import { launch } from './launch.ts';
import { planLaunch } from './launch-plan.ts';

/** A fresh conversation with the agent that config.toml or a stand-in names. One that cannot be started leaves the worker to the old one. */
export async function restartAgent(context: WorkContext, watch: Watch): Promise<void> {
  const { store, layout } = context;
  const { name } = watch;
  const config = await context.config();
  const before = store.worker(name);
  // Refused while the old one still runs.
  const agent = before.stand_in ?? workerSettings(config, name).agent;
  planLaunch(layout, config, { ...before, agent }, 0, { kind: 'fresh', id: '' });
  adoptAgent(context, config, name);
  try {
    await launch(context, watch, { conversation: 'fresh', why: 'started anew', crashed: false });
  } catch (error) {
    // What runs there still is the old one, which no other adapter can read, and its conversation can be taken up again.
    if (store.worker(name).agent !== before.agent) takeBack(context, before);
    throw error;
  }
}

function takeBack({ store }: WorkContext, { name, agent, conversation_id, conversation_used }: Worker): void {
  store.changeWorker(name, {
    kind: 'agent',
    summary: `runs ${agent} as before: ${store.worker(name).agent} could not be started`,
    change: (worker) => Object.assign(worker, { agent, conversation_id, conversation_used }),
  });
}
