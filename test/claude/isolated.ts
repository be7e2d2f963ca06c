import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IsolatedHome, temporaryIn } from '../support/isolated-home.ts';

const DUMMY_KEY = 'sk-ant-scripted-0000-00000000000000000000';

export interface IsolatedOptions {
  readonly baseUrl: string;
  /** Folders that Claude Code trusts from the start. */
  readonly trusted?: readonly string[];
  /** A dummy subscription token in place of the dummy API key: Claude Code explains usage limits to subscribers only. */
  readonly oauth?: boolean;
  /** How long after a turn it reports that it waits; default: a minute. */
  readonly idleNoticeMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Claude Code in a separate home; nothing leaves loopback. */
export class IsolatedClaude extends IsolatedHome {
  readonly configDir: string;

  private constructor(folder: string, options: IsolatedOptions) {
    const configDir = join(folder, 'config');
    super(folder, {
      CLAUDE_CODE_TMPDIR: temporaryIn(folder),
      CLAUDE_CONFIG_DIR: configDir,
      ANTHROPIC_BASE_URL: options.baseUrl,
      ...(options.oauth ? { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-scripted' } : { ANTHROPIC_API_KEY: DUMMY_KEY }),
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Lets the tests use --dangerously-skip-permissions as root; everything here is a throw-away folder.
      IS_SANDBOX: '1',
      ...options.env,
    });
    this.configDir = configDir;
  }

  static async create(options: IsolatedOptions): Promise<IsolatedClaude> {
    const isolated = new IsolatedClaude(await IsolatedHome.makeFolder('llmc-claude-', 'config'), options);
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
}
