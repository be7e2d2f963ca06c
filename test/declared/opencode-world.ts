import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';
import { installedOpenCode } from './install.ts';
import { ScriptedChat } from './scripted-chat.ts';

/** Undefined, with a warning, on a developer's machine that cannot install it. */
export const program = await installedOpenCode();

/** The tests use the declaration that docs/agents.md shows. */
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/agents.md'), 'utf8');
const DECLARATION = shown('toml', '[agents.opencode]');

function shown(language: string, containing: string): string {
  const blocks = [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const block = blocks.find(([, of, text]) => of === language && text?.includes(containing))?.[2];
  if (block === undefined) throw new Error(`docs/agents.md has no ${language} with ${containing}`);
  return block;
}

/** Settings with the scripted API as the only provider. */
function settings(api: ScriptedChat): string {
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Scripted',
    options: { baseURL: api.urlFor('adam'), apiKey: 'dummy' },
    models: { one: { name: 'One' } },
  };
  return JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/one',
    small_model: 'scripted/one',
    enabled_providers: ['scripted'],
    provider: { scripted: provider },
  });
}

/** OpenCode would fetch a package for plugins at each start. Port 9 refuses the connection. */
const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_offline: 'true',
  npm_config_registry: 'http://127.0.0.1:9',
  ...Object.fromEntries(
    ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD', 'SHARE', 'CLAUDE_CODE'].map((name) => [
      `OPENCODE_DISABLE_${name}`,
      '1',
    ]),
  ),
};

export interface OpenCodeWorld extends AsyncDisposable {
  readonly world: World;
  readonly api: ScriptedChat;
  /** Adds a worker and waits for its agent; a start takes most of a minute on an overloaded machine. */
  add(worker: string): Promise<void>;
  becomes(worker: string, status: string): Promise<void>;
}

/** The declaration of the page, except that OpenCode asks before each command, as an untrusted agent would. */
function declaration(): string {
  const env = inline({ ...OFFLINE, OPENCODE_PERMISSION: '{"bash":"ask"}' });
  return DECLARATION.replace('"opencode"', JSON.stringify(program)).replace(/^env = .*$/m, `env = ${env}`);
}

function inline(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return `{ ${pairs.join(', ')} }`;
}

export async function openCodeWorld(): Promise<OpenCodeWorld> {
  await using opened = new AsyncDisposableStack();
  const api = opened.use(await ScriptedChat.start());
  const world = opened.use(await llmcWorld({ stage: 'root' }));
  world.write('.config/opencode/opencode.json', settings(api), world.home);
  appendFileSync(join(world.root, 'config.toml'), declaration());
  await world.comeUp();
  const kept = opened.move();
  const waitUntil = (worker: string, what: string, holds: () => Promise<boolean>) =>
    until(`${worker} to be ${what}`, holds, 150_000).catch(async (cause: unknown) => {
      throw new Error(`${String(cause)}\n${(await world.run(['why', worker, '--full'])).stdout}`, { cause });
    });
  return {
    world,
    api,
    async add(worker) {
      await world.ok('add', worker, '--agent', 'opencode');
      await waitUntil(worker, 'ready', async () => (await world.worker(worker)).activity.kind === 'ready');
    },
    becomes: (worker, status) => waitUntil(worker, status, async () => (await world.worker(worker)).status === status),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
