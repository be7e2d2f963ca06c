import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { claudeAgent } from '../../src/agents/claude/adapter.ts';
import { LiveClaude } from '../claude/live-claude.ts';
import { ScriptedApi } from '../claude/scripted-api.ts';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { CLAUDE_SITUATIONS } from './claude-situations.ts';
import type { Driver } from './driver.ts';
import { forgetAtExit } from './forget.ts';
import { neutralise } from './neutral.ts';
import type { Session } from './situation.ts';

/** The real Claude Code of any version, against the scripted API of the tests. */
export async function claudeDriver(program: string): Promise<Driver> {
  const tmux = await scratchTmux();
  const leaving = forgetAtExit(tmux.directory);
  const api = await ScriptedApi.start();
  let count = 0;
  return {
    agent: claudeAgent,
    titled: false,
    situations: CLAUDE_SITUATIONS,
    async open(wanted, size) {
      const situation = CLAUDE_SITUATIONS.find(({ name }) => name === wanted);
      if (situation === undefined) throw new Error(`Claude Code has no situation "${wanted}"`);
      count += 1;
      const name = `${wanted}-${count}`;
      const { answers = [], files = {}, ...start } = situation.start;
      api.script(name, ...answers);
      let leaving: Disposable | undefined;
      const live = await LiveClaude.start({
        program,
        tmux,
        api,
        name,
        ...size,
        ...start,
        before: async (project) => {
          // Before anything runs there: it may be cut short from now on.
          leaving = forgetAtExit(dirname(project));
          for (const [file, content] of Object.entries(files)) await writeFile(join(project, file), content);
        },
      });
      return sessionOf(live, () => api.requests(name).length, leaving);
    },
    async [Symbol.asyncDispose]() {
      await tmux[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      leaving[Symbol.dispose]();
    },
  };
}

function sessionOf(live: LiveClaude, requests: () => number, leaving: Disposable | undefined): Session {
  const folder = dirname(live.isolated.home);
  return {
    screen: () => live.pane.screen(),
    paste: (text) => live.pane.paste(text),
    keys: (keys) => live.pane.keys(...keys),
    requests,
    // The status file, where this version has one: the box shows before keys are taken.
    takesInput: () => live.waitForLive('ready').catch(() => undefined),
    kill: () => process.kill(live.pane.pid, 'SIGKILL'),
    ended: async () => {
      await live.pane.exit(30_000);
    },
    neutral: (line) => neutralise(line, { [folder]: '/tmp/some-scratch-place', [live.id]: '00000000-0000-4000-8000-000000000000' }),
    async [Symbol.asyncDispose]() {
      await live[Symbol.asyncDispose]();
      leaving?.[Symbol.dispose]();
    },
  };
}
