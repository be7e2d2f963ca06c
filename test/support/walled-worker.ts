import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxOptions } from '../../src/config/schema.ts';
import { storeOrigin } from '../../src/git/private/settings.ts';
import { type Git, openGit } from '../../src/git/run.ts';
import { agentView, foldersToMake } from '../../src/sandbox/agent-view.ts';
import { bubblewrap } from '../../src/sandbox/bubblewrap.ts';
import { sandboxPlaces } from '../../src/sandbox/places.ts';
import { makeWalls } from '../../src/sandbox/walls.ts';
import { type Layout, makeLayout } from '../../src/store/layout.ts';
import { systemFiles } from '../../src/system/files/system-files.ts';
import { programFolders } from '../../src/system/processes/program-folders.ts';
import { type ScratchRepo, scratchRepo, scratchRoot } from './scratch-repo.ts';

/** A root with a worker `adam` in a sandbox. */
export interface WalledWorker extends AsyncDisposable {
  readonly repo: ScratchRepo;
  readonly layout: Layout;
  readonly root: string;
  readonly worktree: string;
  /** Its repository. */
  readonly store: string;
  /** The git of llmc, which knows the sandbox. */
  readonly git: Git;
  readonly base: string;
  /** A file outside that nothing may make. */
  readonly canary: string;
  /** Runs a script as the agent: inside, in its worktree. Returns its output and status. */
  agent(script: string): Promise<{ readonly status: number; readonly text: string }>;
}

export async function walledWorker(options: Partial<SandboxOptions> = {}): Promise<WalledWorker> {
  const repo = await scratchRepo();
  const { root, base, worktree: add } = await scratchRoot(repo);
  const worktree = await add('adam');
  const layout = makeLayout(root);
  const walls = makeWalls(layout, existsSync, repo.home);
  const guard = { root, source: async () => repo.path, onTampering: () => undefined };
  const git = openGit(repo.processes, { walls, guard });
  const { git: store, bubblewrap: mark } = sandboxPlaces(layout, 'adam');
  await git.guard?.configure('adam', storeOrigin(root));
  systemFiles.writePrivate(mark, '');
  for (const folder of [layout.scratch('adam'), ...foldersToMake(layout, 'adam')]) systemFiles.makeFolder(folder);
  const view = agentView({
    layout,
    worker: 'adam',
    configFolder: undefined,
    env: { HOME: repo.home },
    programs: programFolders(['sh'], { path: process.env.PATH, cwd: '/' }),
    options: {
      kind: 'bubblewrap',
      user: 'llmc-agent',
      home: 'hidden',
      network: 'full',
      hosts: [],
      required: false,
      readable: [],
      writable: [],
      ...options,
    },
  });
  return {
    repo,
    layout,
    root,
    worktree,
    store,
    git,
    base,
    canary: join(repo.dir, 'canary'),
    async agent(script) {
      const [file = '', ...args] = [...bubblewrap(view), 'sh', '-c', script];
      const { outcome, stdout, stderr } = await repo.processes.run({ file, args });
      return { status: outcome.kind === 'exited' ? outcome.status : -1, text: `${stdout}${stderr}` };
    },
    [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose](),
  };
}
