import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codexAgent } from '../../src/agents/codex/adapter.ts';
import { IsolatedCodex } from '../codex/isolated.ts';
import { ScriptedResponses } from '../codex/scripted-responses.ts';
import { type Pane, type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { CODEX_SITUATIONS, type CodexSituation } from './codex-situations.ts';
import type { Driver } from './driver.ts';
import { forgetAtExit } from './forget.ts';
import { neutralise } from './neutral.ts';
import type { Session, Size } from './situation.ts';

const DEADLINE_MS = 30_000;
/** Else a dialog about a newer model comes first. */
const NO_NEWS = '[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"';

/** The real Codex of any version, typed to, against the scripted API of the tests. */
export async function codexDriver(program: string): Promise<Driver> {
  const tmux = await scratchTmux();
  const leaving = forgetAtExit(tmux.directory);
  const api = await ScriptedResponses.start();
  let count = 0;
  return {
    agent: codexAgent,
    titled: true,
    situations: CODEX_SITUATIONS,
    async open(wanted, size) {
      const situation = CODEX_SITUATIONS.find(({ name }) => name === wanted);
      if (situation === undefined) throw new Error(`Codex has no situation "${wanted}"`);
      count += 1;
      const name = `${wanted}-${count}`;
      api.script(name, ...(situation.start.answers ?? []));
      const provider = `${situation.start.provider ?? ''}\n${NO_NEWS}`;
      const isolated = await IsolatedCodex.create({ baseUrl: api.urlFor(name), provider });
      const folder = forgetAtExit(isolated.folder);
      const pane = await launch(situation, size, { program, tmux, isolated, name });
      return sessionOf({ tmux, pane, isolated, leaving: folder, requests: () => api.requests(name).length });
    },
    async [Symbol.asyncDispose]() {
      await tmux[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      leaving[Symbol.dispose]();
    },
  };
}

async function launch(
  { start }: CodexSituation,
  size: Size,
  { program, tmux, isolated, name }: { program: string; tmux: ScratchTmux; isolated: IsolatedCodex; name: string },
): Promise<Pane> {
  const [spool, scratch] = [join(isolated.folder, 'events'), join(isolated.folder, 'scratch')];
  const plan = codexAgent.launch({
    worker: name,
    root: isolated.folder,
    worktree: isolated.project,
    repository: join(isolated.project, '.git'),
    spool,
    scratch,
    incarnation: 1,
    command: program,
    args: [],
    model: '',
    rolePrompt: '',
    skipPermissions: true,
    allowedTools: [],
    conversation: { kind: 'fresh', id: '' },
    ...start.request,
  });
  for (const folder of [spool, scratch]) await mkdir(folder, { recursive: true });
  for (const [file, content] of Object.entries(plan.files)) await writeFile(join(scratch, file), content, { mode: 0o600 });
  const env = { ...isolated.env, ...plan.env, TMUX: `${tmux.socket},1,0` };
  return await tmux.start({ name, argv: plan.argv, cwd: isolated.project, env, ...size });
}

interface Live {
  readonly tmux: ScratchTmux;
  readonly pane: Pane;
  readonly isolated: IsolatedCodex;
  readonly leaving: Disposable;
  readonly requests: () => number;
}

function sessionOf({ tmux, pane, isolated, leaving, requests }: Live): Session {
  const title = async () => (await tmux.tmux(['display-message', '-p', '-t', `=${pane.name}:`, '#{pane_title}'])).trimEnd();
  return {
    screen: async () => ({ ...(await pane.screen()), title: await title() }),
    paste: (text) => pane.paste(text),
    keys: (keys) => pane.keys(...keys),
    requests,
    // The conversation's id comes into the title when it is open; before, it is the name of the machine.
    takesInput: () => until('a conversation', async () => (await title()).includes(' | '), DEADLINE_MS).catch(() => undefined),
    kill: () => process.kill(pane.pid, 'SIGKILL'),
    ended: async () => {
      await pane.exit(DEADLINE_MS);
    },
    neutral: (line) =>
      neutralise(line, { [isolated.folder]: '/tmp/some-scratch-place' }).replace(
        /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{4,17}/g,
        (id) => id.replace(/[0-9a-f]/g, '0'),
      ),
    async [Symbol.asyncDispose]() {
      await tmux.tmux(['kill-session', '-t', `=${pane.name}`]).catch(() => '');
      await isolated[Symbol.asyncDispose]();
      leaving[Symbol.dispose]();
    },
  };
}
