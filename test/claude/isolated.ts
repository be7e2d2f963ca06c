import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DUMMY_KEY = 'sk-ant-scripted-0000-00000000000000000000';

export interface IsolatedOptions {
  readonly baseUrl: string;
  /** Folders whose trust question is answered beforehand. */
  readonly trusted?: readonly string[];
  /** A dummy subscription token in place of the dummy API key: usage limits are only explained to subscribers. */
  readonly oauth?: boolean;
  /** How long after a turn it reports that it waits; a minute, unless told otherwise. */
  readonly idleNoticeMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A whole life of Claude Code's own in a temporary folder: nothing of the user's is read, nothing leaves loopback. */
export class IsolatedClaude implements AsyncDisposable {
  readonly home: string;
  readonly configDir: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;

  private constructor(folder: string, options: IsolatedOptions) {
    this.home = join(folder, 'home');
    this.configDir = join(folder, 'config');
    this.project = join(folder, 'project');
    this.env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      TERM: 'screen-256color',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      HOME: this.home,
      // Sockets, task output and probes of the CLI go here in place of folders it would share with other sessions.
      TMPDIR: join(folder, 'tmp'),
      CLAUDE_CODE_TMPDIR: join(folder, 'tmp'),
      CLAUDE_CONFIG_DIR: this.configDir,
      ANTHROPIC_BASE_URL: options.baseUrl,
      ...(options.oauth ? { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-scripted' } : { ANTHROPIC_API_KEY: DUMMY_KEY }),
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Lets the tests use --dangerously-skip-permissions as root; everything here is a throw-away folder.
      IS_SANDBOX: '1',
      ...options.env,
    };
  }

  static async create(options: IsolatedOptions): Promise<IsolatedClaude> {
    // Claude Code records trust by the real path.
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'llmc-claude-')));
    const isolated = new IsolatedClaude(folder, options);
    await Promise.all(
      [isolated.home, isolated.configDir, isolated.project, join(folder, 'tmp')].map((path) =>
        mkdir(path, { recursive: true, mode: 0o700 }),
      ),
    );
    const trusted = options.trusted ?? [isolated.project];
    const config = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      hasSeenAutoDefaultNotice: true,
      ...(options.idleNoticeMs !== undefined && { messageIdleNotifThresholdMs: options.idleNoticeMs }),
      customApiKeyResponses: { approved: [DUMMY_KEY.slice(-20)], rejected: [] },
      projects: Object.fromEntries(trusted.map((path) => [path, { hasTrustDialogAccepted: true }])),
    };
    await writeFile(join(isolated.configDir, '.claude.json'), JSON.stringify(config), { mode: 0o600 });
    return isolated;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(join(this.home, '..'), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
