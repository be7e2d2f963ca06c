import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Git, openGit } from '../../src/git/run.ts';
import { asUser } from '../../src/sandbox/agent-user.ts';
import { makeWalls } from '../../src/sandbox/walls.ts';
import { type Layout, makeLayout } from '../../src/store/layout.ts';
import { systemFiles } from '../../src/system/files/system-files.ts';
import { enterUser, settleUser } from '../../src/workers/worktree/sandbox-user.ts';
import { type ScratchRepo, scratchRepo, scratchRoot } from './scratch-repo.ts';
import { type ScratchUser, scratchUser } from './scratch-user.ts';

/** A root with a worker `adam` whose agent runs as a user of its own. */
export interface UserWorker extends AsyncDisposable {
  readonly repo: ScratchRepo;
  readonly user: ScratchUser;
  readonly layout: Layout;
  readonly root: string;
  readonly worktree: string;
  /** The git of llmc, which knows the user. */
  readonly git: Git;
  readonly base: string;
  /** A file outside that nothing may make. */
  readonly canary: string;
  /** Runs a script as the agent, in its worktree. Returns its output and status. */
  agent(script: string): Promise<{ readonly status: number; readonly text: string }>;
  /** Before each start of the agent. */
  settle(): Promise<void>;
}

export async function userWorker(): Promise<UserWorker> {
  const user = scratchUser();
  const repo = await scratchRepo();
  const { root, base, worktree: add } = await scratchRoot(repo);
  const worktree = await add('adam');
  const layout = makeLayout(root);
  // Other users can pass through the folders above a root, as through /srv.
  chmodSync(repo.dir, 0o711);
  const guard = { root, source: async () => repo.path, onTampering: () => undefined };
  const git = openGit(repo.processes, { walls: makeWalls(layout, existsSync, repo.home), guard });
  const disk = { git, files: systemFiles, layout };
  const place = { name: 'adam', worktree_path: worktree };
  for (const folder of [layout.scratch('adam'), layout.events]) systemFiles.makeFolder(folder);
  await enterUser(disk, place, user);
  const settle = () => settleUser(disk, place, user);
  await settle();
  return {
    repo,
    user,
    layout,
    root,
    worktree,
    git,
    base,
    canary: join(repo.dir, 'canary'),
    settle,
    async agent(script) {
      const [file, ...args] = asUser(user, ['sh', '-c', script]);
      const { outcome, stdout, stderr } = await repo.processes.run({ file, args, cwd: worktree });
      return { status: outcome.kind === 'exited' ? outcome.status : -1, text: `${stdout}${stderr}` };
    },
    async [Symbol.asyncDispose]() {
      await repo[Symbol.asyncDispose]();
      user[Symbol.dispose]();
    },
  };
}
