import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IsolatedHome } from '../support/isolated-home.ts';

export interface IsolatedOptions {
  readonly baseUrl: string;
  /** Added at the end of the provider's table: retries, timeouts. */
  readonly provider?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Codex in a separate home; nothing leaves loopback. */
export class IsolatedCodex extends IsolatedHome {
  readonly codexHome: string;

  private constructor(folder: string, options: IsolatedOptions) {
    const codexHome = join(folder, 'codex');
    super(folder, { CODEX_HOME: codexHome, SCRIPTED_KEY: 'sk-scripted-00000000', ...options.env });
    this.codexHome = codexHome;
  }

  static async create(options: IsolatedOptions): Promise<IsolatedCodex> {
    const isolated = new IsolatedCodex(await IsolatedHome.makeFolder('llmc-codex-', 'codex'), options);
    await writeFile(join(isolated.codexHome, 'config.toml'), configToml(options), { mode: 0o600 });
    return isolated;
  }
}

// gpt-5.5 is the last model with plain tools; newer models run JavaScript in a single tool.
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
