import { describe, expect, test } from 'vitest';
import type { StartLineProcess } from '../base/ports.ts';
import { systemClock } from '../system/clock.ts';
import { ControlClient } from './control-client.ts';
import { capturePane, LIST_PANES } from './tmux-commands.ts';

interface Talk {
  /** Whether the attach itself is answered: tmux 3.3a does so most of the time, not always. */
  readonly greets?: boolean;
  /** Answers this many commands, then it ends. */
  readonly diesAfter?: number;
}

/** A tmux that speaks the control protocol. A real one is not used here: 3.3a crashes when clients come and go (tmux/tmux#4980). */
function speakingTmux({ greets = true, diesAfter = Number.POSITIVE_INFINITY }: Talk = {}) {
  const starts: string[][] = [];
  const start: StartLineProcess = (command, onLine, onEnd) => {
    starts.push([...command.args]);
    let commands = 0;
    let number = 0;
    const block = (...lines: readonly string[]) => {
      number += 1;
      for (const line of [`%begin 1 ${number} 1`, ...lines, `%end 1 ${number} 1`]) onLine(line);
    };
    if (greets) queueMicrotask(() => block());
    return {
      send: (text) => {
        queueMicrotask(() => {
          for (const line of text.split('\n').filter(Boolean)) {
            const greeting = /^display-message -p (\S+)$/.exec(line);
            if (greeting === null) commands += 1;
            if (commands > diesAfter) return onEnd();
            onLine('%session-changed $1 x');
            block(greeting?.[1] ?? `answer to ${line}`);
          }
        });
      },
      stop: () => onEnd(),
    };
  };
  return { start, starts };
}

const clientOf = (talk?: Talk) => {
  const { start, starts } = speakingTmux(talk);
  return { client: new ControlClient('/socket', start, systemClock), starts };
};

describe('a control client', () => {
  test.each([true, false])('gives every command its own reply, with and without a reply to the attach (%s)', async (greets) => {
    const { client, starts } = clientOf({ greets });
    const ask = () => client.ask([capturePane('llmc-a'), capturePane('llmc-b')]);
    for (const replies of [await ask(), await ask()]) {
      expect(replies.map((reply) => reply?.lines)).toEqual([
        ['answer to capture-pane -p -t =llmc-a:'],
        ['answer to capture-pane -p -t =llmc-b:'],
      ]);
    }
    expect(starts).toHaveLength(1);
    expect(starts[0]).toContain('-N');
  });

  test('that dies leaves no command open, and the next command starts another client', async () => {
    const { client, starts } = clientOf({ diesAfter: 1 });
    const replies = await client.ask([LIST_PANES, LIST_PANES, LIST_PANES]);
    expect(replies.map((reply) => reply?.ok)).toEqual([true, undefined, undefined]);
    expect((await client.ask([LIST_PANES]))[0]?.ok).toBe(true);
    expect(starts).toHaveLength(2);
  });

  test('that is stopped leaves no command open', async () => {
    const { client } = clientOf();
    const asked = client.ask([LIST_PANES]);
    client.stop();
    expect(await asked).toEqual([undefined]);
  });

  test('that prints garbage gives no reply', async () => {
    const nonsense: StartLineProcess = (_command, onLine, onEnd) => ({
      send: () => {
        onLine('%%% what?');
        onEnd();
      },
      stop: () => undefined,
    });
    const client = new ControlClient('/socket', nonsense, systemClock);
    expect(await client.ask([LIST_PANES, LIST_PANES])).toEqual([undefined, undefined]);
  });
});
