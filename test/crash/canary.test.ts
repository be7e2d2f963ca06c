import { describe, expect, test } from 'vitest';
import { canaryWorld } from '../support/canary-world.ts';

/** What a shell says of a command that SIGKILL ended. */
const KILLED = 137;

describe('a canary killed in the middle', () => {
  test.concurrent.for(['canary:after-folder', 'canary:after-session', 'canary:before-keep'])(
    'at %s leaves no process, socket or folder behind, and the next one passes',
    async (fault) => {
      await using canary = await canaryWorld();
      const { status, stdout } = await canary.world.run(['doctor', '--canary'], { env: { LLMC_FAULT: fault } });
      expect([status, stdout]).toEqual([KILLED, '']);
      await canary.untilNothingIsLeft();
      expect(await canary.doctor('--canary')).toMatchObject({ canaries: [{ outcome: 'passed' }] });
    },
  );
});
