import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface IsolatedOptions {
  readonly baseUrl: string;
  /** Put at the end of the provider's table: retries, timeouts. */
  readonly provider?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A whole life of Codex's own in a temporary folder: nothing of the user's is read, nothing leaves loopback. */
export class IsolatedCodex implements AsyncDisposable {
  readonly folder: string;
  readonly home: string;
  readonly codexHome: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;

  private constructor(folder: string, options: IsolatedOptions) {
    this.folder = folder;
    this.home = join(folder, 'home');
    this.codexHome = join(folder, 'codex');
    this.project = join(folder, 'project');
    this.env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      TERM: 'screen-256color',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      HOME: this.home,
      TMPDIR: join(folder, 'tmp'),
      CODEX_HOME: this.codexHome,
      SCRIPTED_KEY: 'sk-scripted-00000000',
      ...options.env,
    };
  }

  static async create(options: IsolatedOptions): Promise<IsolatedCodex> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'llmc-codex-')));
    const isolated = new IsolatedCodex(folder, options);
    await Promise.all(
      [isolated.home, isolated.codexHome, isolated.project, join(folder, 'tmp')].map((path) =>
        mkdir(path, { recursive: true, mode: 0o700 }),
      ),
    );
    await writeFile(join(isolated.codexHome, 'config.toml'), configToml(options), { mode: 0o600 });
    return isolated;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

// gpt-5.5 is the last model with plain tools; newer ones run JavaScript in one tool of their own.
function configToml({ baseUrl, provider = '' }: IsolatedOptions): string {
  return [
    'model = "gpt-5.5"',
    'model_provider = "scripted"',
    '[model_providers.scripted]',
    'name = "scripted"',
    `base_url = ${JSON.stringify(baseUrl)}`,
    'wire_api = "responses"',
    'env_key = "SCRIPTED_KEY"',
    provider,
    '',
  ].join('\n');
}
