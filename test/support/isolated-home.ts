import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Variables = Readonly<Record<string, string>>;

/** A separate home for one agent CLI, in a temporary folder: it reads none of the user's files. */
export class IsolatedHome implements AsyncDisposable {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly env: Variables;

  /** `own` are the CLI's own variables, on top of those every program needs. */
  protected constructor(folder: string, own: Variables) {
    this.folder = folder;
    this.home = join(folder, 'home');
    this.project = join(folder, 'project');
    this.env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      TERM: 'screen-256color',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      HOME: this.home,
      // The CLI writes sockets, task output and probes here, not in folders that other sessions share.
      TMPDIR: temporaryIn(folder),
      ...own,
    };
  }

  /** Makes the folders; the CLIs record trust by the real path. */
  protected static async makeFolder(prefix: string, own: string): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), prefix)));
    const inside = ['home', 'project', own].map((name) => join(folder, name));
    await Promise.all([...inside, temporaryIn(folder)].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export const temporaryIn = (folder: string): string => join(folder, 'tmp');
