import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { trySignal } from '../../src/system/processes/signal.ts';
import { rowsOfThisRun } from '../support/full-run.ts';
import { play, TASK } from './story.ts';
import { type CrashWorld, crashWorld, type Fault } from './world.ts';

const MESSAGE = 'Mention the waves too';
const AGAIN = 'Say it again';

/** The second turn does not end before the file `calm` exists beside the root. */
const SCENARIO = `
turns:
  - when: ${MESSAGE}
    steps:
      - run: until test -e ../../../calm; do sleep 0.1; done
      - edit: { path: waves.txt, content: "waves\\n" }
      - commit: ${MESSAGE}
  - { when: ${AGAIN}, steps: [{ say: It }] }
  - { when: ${AGAIN}, steps: [{ say: It }] }
`;

/** A story without a kill is the same story with fewer steps. */
const isKilled = (fault: Fault | undefined) => fault !== undefined;

const died = { status: 2, out: { error: { code: 'SUPERVISOR_FAILED' } } };

describe('an agent that was killed after it reported a prompt and before it wrote it down', () => {
  test.concurrent.for(rowsOfThisRun<Fault | undefined>([undefined, 'relaunch:before-rows', 'relaunch:after-rows'], isKilled))(
    'gets the prompt again, and nothing else, also after a supervisor killed at %s',
    async (fault, { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      play(world, SCENARIO);
      expect(await world.up('delivery:after-acked-row@2')).toMatchObject({ status: 0 });
      await world.must(['start', '--prompt', TASK, '--wait']);
      expect(await world.llmc(['message', 'adam', MESSAGE])).toMatchObject(died);
      await world.supervisorIsGone();
      expect(lastDelivery(world)).toMatchObject({ text: MESSAGE, state: 'acked' });
      killAgent(world, 'adam');
      forget(world, 'adam', MESSAGE);
      writeFileSync(join(world.repo.dir, 'calm'), '');

      if (fault !== undefined) {
        await world.up(fault);
        await world.supervisorIsGone();
      }
      expect(await world.up()).toMatchObject({ status: 0 });
      await world.reaches('adam', 'needs_review');
      expect(world.promptsTaken('adam')).toEqual([expect.stringContaining(TASK), MESSAGE]);
      expect(world.rows('SELECT purpose, state FROM deliveries ORDER BY seq')).toEqual([
        { purpose: 'task', state: 'done' },
        { purpose: 'message', state: 'done' },
      ]);
    },
  );
});

describe('the same words sent twice, and the supervisor killed in the second delivery', () => {
  const rows: readonly [Fault, string][] = [
    ['delivery:after-typed-row@3', 'typed'],
    ['delivery:after-paste@3', 'typed'],
    ['delivery:after-submitted-row@3', 'submitted'],
  ];
  // test/crash/start.test.ts kills behind the row and before the paste, where nothing was typed yet, in each run.
  test.concurrent.for(rowsOfThisRun(rows, ([fault]) => !fault.includes('typed-row')))(
    'at %s: the agent acts on each once',
    async ([fault, state], { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      play(world, SCENARIO);
      expect(await world.up(fault)).toMatchObject({ status: 0 });
      await world.must(['start', '--prompt', TASK, '--wait']);
      await world.must(['message', 'adam', AGAIN]);
      await world.llmc(['message', 'adam', AGAIN]);
      await world.supervisorIsGone();
      expect(lastDelivery(world)).toMatchObject({ text: AGAIN, state });

      expect(await world.up()).toMatchObject({ status: 0 });
      await world.must(['wait', 'adam', '--for', 'needs_review', '--timeout', '120000ms']);
      await world.reaches('adam', 'needs_review');
      expect(world.promptsTaken('adam')).toEqual([expect.stringContaining(TASK), AGAIN, AGAIN]);
      expect(world.rows("SELECT id FROM deliveries WHERE state = 'done'")).toHaveLength(3);
      const twice = 'SELECT acked_event FROM deliveries WHERE acked_event IS NOT NULL GROUP BY acked_event HAVING count(*) > 1';
      expect(world.rows(twice), 'reports that acknowledge two prompts').toEqual([]);
    },
  );
});

describe('an agent that reads no Enter', () => {
  test.concurrent.for(rowsOfThisRun<Fault | undefined>([undefined, 'respawn:before-launch'], isKilled))(
    'is started again and gets the prompt once, also after a supervisor killed at %s',
    async (fault, { signal }) => {
      await using world = await crashWorld(['adam'], signal);
      const scenario = play(world, 'misbehave: [{ swallow_first_enter: 99 }]');
      expect(await world.up(fault)).toMatchObject({ status: 0 });
      // The program has read its scenario: the next one behaves.
      writeFileSync(scenario, 'turns: []');
      const started = await world.llmc(['start', '--prompt', TASK, '--wait']);
      if (fault !== undefined) {
        expect(started).toMatchObject(died);
        await world.supervisorIsGone();
        expect(await world.up()).toMatchObject({ status: 0 });
      }
      await world.reaches('adam', 'needs_review');
      expect(world.worker('adam')).toMatchObject({ incarnation: 2, crash_count: 0 });
      expect(world.promptsTaken('adam')).toEqual([expect.stringContaining(TASK)]);
      expect(world.rows('SELECT state, attempt FROM deliveries')).toEqual([{ state: 'done', attempt: 3 }]);
      const screens = globSync(world.layout.lastScreen('adam', '*')).map((file) => readFileSync(file, 'utf8'));
      expect(screens, 'the saved screens').toContainEqual(expect.stringContaining('llmc demo agent'));
    },
  );
});

function lastDelivery(world: CrashWorld) {
  return world.rows('SELECT text, state FROM deliveries ORDER BY seq DESC LIMIT 1')[0];
}

function killAgent(world: CrashWorld, name: string): void {
  const args = ['-S', world.layout.tmuxSocket, 'display-message', '-p', '-t', `=llmc-${name}:`, '#{pane_pid}'];
  trySignal(Number(execFileSync('tmux', args, { encoding: 'utf8' })), 'SIGKILL');
}

/** Takes this prompt and everything after it out of the agent's memory, as if it had been killed before it wrote it. */
function forget(world: CrashWorld, name: string, prompt: string): void {
  for (const file of globSync(join(world.layout.scratch(name), 'conversations', '*.jsonl'))) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const first = lines.findIndex((line) => line.includes(prompt));
    writeFileSync(
      file,
      lines
        .slice(0, first)
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
}
