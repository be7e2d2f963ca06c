import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/scratch-tmux.ts';
import { llmcWorld, type World } from '../support/world.ts';
import { installedOpenCode } from './install.ts';
import { ScriptedChat } from './scripted-chat.ts';

/** Undefined, with a loud word, on a developer's machine that cannot install it. */
export const program = await installedOpenCode();

/** The declaration that docs/agents.md shows, with the program of the tests. */
const DECLARATION = `
[pane]
width = 120

[agents.opencode]
command = "opencode"
ready = ['tab agents +ctrl\\+p commands']
busy = ['esc (?:again to )?interrupt']
dialog = ['△ Permission required', 'enter (?:confirm|submit|toggle)']
box = '^ *┃(?:  (?:Ask anything….*|(?:Build|Plan) · .*|(.*)))?$'
folded = '\\[Pasted ~(\\d+) lines\\]'
`;

/** A home of its own, no network but loopback, a provider that is the scripted API. */
function settings(api: ScriptedChat): string {
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Scripted',
    options: { baseURL: api.url, apiKey: 'dummy' },
    models: { one: { name: 'One' } },
  };
  return JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    ...{ model: 'scripted/one', small_model: 'scripted/one', enabled_providers: ['scripted'] },
    provider: { scripted: provider },
  });
}

const OFFLINE = ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD', 'SHARE', 'CLAUDE_CODE'];

export interface OpenCodeWorld extends AsyncDisposable {
  readonly world: World;
  readonly api: ScriptedChat;
  /** Adds a worker and waits for its agent; a start takes most of a minute on a machine that is overloaded. */
  add(worker: string, agent: 'opencode' | 'asking'): Promise<void>;
}

/** Two agents of one program: one that does as it is told, one that asks before each command. */
export async function openCodeWorld(): Promise<OpenCodeWorld> {
  const api = await ScriptedChat.start();
  const world = await llmcWorld({ stage: 'root' });
  try {
    world.write('.config/opencode/opencode.json', settings(api), world.home);
    const env = OFFLINE.map((name) => `OPENCODE_DISABLE_${name} = "1"`).join(', ');
    const declared = DECLARATION.replace('"opencode"', JSON.stringify(program)).concat(
      `env = { ${env}, OPENCODE_PERMISSION = '{"*":"allow"}' }\n`,
    );
    const asking = '[agents.asking]\nextends = "opencode"\nenv = { OPENCODE_PERMISSION = \'{"bash":"ask"}\' }\n';
    appendFileSync(join(world.root, 'config.toml'), `${declared}\n${asking}`);
    await world.comeUp();
  } catch (error) {
    await world[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
    throw error;
  }
  return {
    world,
    api,
    async add(worker, agent) {
      await world.ok('add', worker, '--agent', agent);
      await until(`${worker} to be ready`, async () => (await world.worker(worker)).activity.kind === 'ready', 150_000);
    },
    async [Symbol.asyncDispose]() {
      await using _api = api;
      await world[Symbol.asyncDispose]();
    },
  };
}
