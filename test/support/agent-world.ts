import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeLayout } from '../../src/store/layout.ts';
import { systemProcesses } from '../../src/system/processes/processes.ts';
import { type Screen, screenFromText } from '../../src/terminal/screen.ts';
import { isAlive, until } from './scratch-tmux.ts';
import { World } from './world.ts';

// Generous: the suite shares two cores with other programs.
const DEADLINE_MS = 120_000;

const deliveryRow = z.object({
  id: z.string(),
  worker: z.string(),
  purpose: z.string(),
  text: z.string(),
  sent_text: z.string().nullable(),
  changes: z.string().transform((json) => z.array(z.string()).parse(JSON.parse(json))),
  state: z.string(),
  reason: z.string().nullable(),
  attempt: z.number(),
  ack_source: z.string().nullable(),
});

/** Lines for config.toml that make llmc wait longer for the agent's report: on a slow machine it may be late, but not lost. */
export const PATIENT = '[delivery]\nack_timeout_ms = 20000';

export type DeliveryRow = z.output<typeof deliveryRow>;

/** A world whose workers run a real agent CLI, with access to their screens and deliveries. */
/** Which window is on the screen, and whether its program lives. */
const WINDOW_FACTS = '#{window_name} active=#{window_active} dead=#{pane_dead} pid=#{pane_pid} #{pane_current_command}';

export class AgentWorld extends World {
  async up(fault?: string): Promise<void> {
    const { status, stdout, stderr } = await this.run(['up', '--detach'], { env: { LLMC_FAULT: fault } });
    if (status !== 0) throw new Error(`llmc up --detach: ${stdout}${stderr}`);
  }

  async supervisor(): Promise<number | null> {
    return (await this.status()).supervisor.pid;
  }

  async untilDead(pid: number | null): Promise<void> {
    await this.until('the supervisor to die', () => pid === null || !isAlive(pid));
  }

  /** Kills the supervisor, starts another one that dies at this fault point, and returns its process id. The agents keep running. */
  async arm(fault: string): Promise<number | null> {
    const before = await this.supervisor();
    if (before !== null) process.kill(before, 'SIGKILL');
    await this.untilDead(before);
    await this.up(fault);
    return await this.supervisor();
  }

  async accepts(worker: string): Promise<void> {
    await this.reaches(worker, 'needs_review');
    await this.ok('accept', worker);
  }

  deliveries(worker: string): readonly DeliveryRow[] {
    return this.rows(deliveryRow, 'SELECT * FROM deliveries WHERE worker = ? ORDER BY seq', worker);
  }

  /** The number of starts of its agent. */
  incarnation(worker: string): number {
    const state = z.object({ workers: z.record(z.string(), z.object({ incarnation: z.number() })) });
    return state.parse(JSON.parse(readFileSync(join(this.root, 'state.json'), 'utf8'))).workers[worker]?.incarnation ?? 0;
  }

  async reaches(worker: string, ...statuses: readonly string[]): Promise<void> {
    await this.ok('wait', worker, '--for', statuses.join(','), '--timeout', `${DEADLINE_MS}ms`);
  }

  async tmux(...args: readonly string[]): Promise<string> {
    const command = { file: 'tmux', args: ['-S', makeLayout(this.root).tmuxSocket, ...args] };
    const { outcome, stdout, stderr } = await systemProcesses.run(command);
    if (outcome.kind !== 'exited' || outcome.status !== 0) throw new Error(`tmux ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Presses keys as a person in that terminal would. */
  async keys(worker: string, ...keys: readonly string[]): Promise<void> {
    await this.tmux('send-keys', '-t', `=llmc-${worker}:`, ...keys);
  }

  async type(worker: string, text: string): Promise<void> {
    await this.tmux('send-keys', '-t', `=llmc-${worker}:`, '-l', '--', text);
  }

  async screen(worker: string): Promise<Screen> {
    return screenFromText(await this.tmux('capture-pane', '-p', '-t', `=llmc-${worker}:`));
  }

  async until(what: string, holds: () => Promise<boolean> | boolean, deadlineMs = DEADLINE_MS): Promise<void> {
    await until(what, async () => await holds(), deadlineMs);
  }

  async shows(worker: string, text: string): Promise<void> {
    let last = '';
    const shown = async () => {
      last = (await this.screen(worker)).lines.join('\n');
      return last.includes(text);
    };
    await this.until(`the screen of ${worker} to show "${text}"`, shown).catch(async (cause: unknown) => {
      const windows = await this.tmux('list-panes', '-s', '-t', `=llmc-${worker}:`, '-F', WINDOW_FACTS);
      throw new Error(`the screen of ${worker} never showed "${text}"; its windows:\n${windows}\nthe screen:\n${last}`, { cause });
    });
  }

  /** The output of `llmc why` and the screen, for the message of a failed test. */
  async story(worker: string): Promise<string> {
    const why = await this.run(['why', worker, '--full']);
    const { lines } = await this.screen(worker).catch(() => screenFromText('(no screen)'));
    return `${why.stdout}${why.stderr}\n${lines.join('\n')}`;
  }
}
