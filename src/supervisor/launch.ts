import { join } from 'node:path';
import type { LaunchRequest } from '../agents/agent.ts';
import { fault } from '../base/fault.ts';
import { agentProgram } from '../config/agent-program.ts';
import { workerSettings } from '../config/worker-settings.ts';
import { ensureSpool } from '../store/spool.ts';
import { writePrivate } from '../system/files.ts';
import { LAUNCHER_SCRIPT, launchFile } from '../terminal/launcher.ts';
import { agentOf, type WorkContext } from '../workers/context.ts';
import { newWatch, type Watch } from './watch.ts';

/** Names of the calling shell that would mislead an agent in a session of its own. */
const NOT_PASSED_ON = ['TMUX', 'TMUX_PANE', 'LLMC_WORKER', 'LLMC_FAULT', 'TERM', 'COLUMNS', 'LINES', 'PWD', 'OLDPWD', 'SHLVL', '_'];

/** Starts a new incarnation of a worker's agent. The number is raised on disk first, so that nothing of the old life can pass for the new one. */
export async function launch(
  context: WorkContext,
  watch: Watch,
  how: { conversation: 'resume' | 'fresh'; why: string; crashed: boolean },
): Promise<void> {
  const { store, layout, clock, random, terminal } = context;
  const config = await context.config();
  const settings = workerSettings(config, watch.name);
  const before = store.worker(watch.name);
  const resume = how.conversation === 'resume' && before.conversation_id !== null;
  const conversationId = resume && before.conversation_id !== null ? before.conversation_id : random.id();

  fault('launch:before-incarnation');
  store.commit({
    worker: watch.name,
    kind: 'launch',
    summary: `${how.why}; incarnation ${before.incarnation + 1}, ${resume ? 'taking up its conversation again' : 'new conversation'}`,
    state: (draft) => {
      const worker = draft.workers[watch.name];
      if (worker === undefined) return;
      worker.incarnation += 1;
      worker.conversation_id = conversationId;
      if (!resume) worker.conversation_used = false;
      if (!how.crashed) return;
      worker.crash_count += 1;
      worker.last_crash_unix = Math.floor(clock.now() / 1_000);
    },
  });
  fault('launch:after-incarnation');

  const { incarnation, session_id: session, worktree_path: worktree } = store.worker(watch.name);
  const program = agentProgram(config, before.agent);
  const agent = agentOf(config, before.agent);
  const scratch = layout.scratch(watch.name);
  const request: LaunchRequest = {
    worker: watch.name,
    root: layout.root,
    worktree,
    spool: layout.spool(watch.name),
    scratch,
    incarnation,
    command: program.command ?? agent.defaultCommand,
    args: program.args,
    model: settings.model,
    rolePrompt: settings.rolePrompt,
    skipPermissions: settings.skipPermissions,
    allowedTools: settings.allowedTools,
    conversation: { kind: resume ? 'resume' : 'fresh', id: conversationId },
  };
  const { argv, env, files } = agent.launch(request);
  ensureSpool(layout.spool(watch.name));
  for (const [name, content] of Object.entries({ ...files, 'launch.sh': LAUNCHER_SCRIPT })) writePrivate(join(scratch, name), content);
  const environment = { ...inherited(), ...program.env, ...env, LLMC_WORKER: watch.name, LLMC_ROOT: layout.root };
  const file = join(scratch, `environment.${incarnation}`);
  writePrivate(file, launchFile(environment, argv));

  await terminal.close(session);
  await terminal.open({ name: session, cwd: worktree, size: config.pane, argv: ['sh', join(scratch, 'launch.sh'), file] });
  fault('launch:after-session');
  Object.assign(watch, newWatch(watch.name, incarnation, clock.now()), { resumed: resume });
}

function inherited(): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...process.env };
  for (const name of NOT_PASSED_ON) delete env[name];
  return env;
}
