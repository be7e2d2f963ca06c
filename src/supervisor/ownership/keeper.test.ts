import { expect, test } from 'vitest';
import { programs } from '../../doctor/doubles.ts';
import { makeKeeper } from './keeper.ts';

function kept(environment: NodeJS.ProcessEnv) {
  let now = 1_000_000;
  let fed = 0;
  const feedOnce = () => {
    fed += 1;
  };
  const later = (ms: number) => {
    now += ms;
  };
  const processes = programs({});
  const keeper = makeKeeper(environment, { processes, clock: { now: () => now, sleep: async () => undefined }, feed: feedOnce });
  const sent = () => processes.calls.map(({ file, args, env }) => [file, ...args, env?.NOTIFY_SOCKET].join(' '));
  return { keeper, sent, fed: () => fed, later };
}

test('a supervisor that a person started has no keeper', () => {
  expect(kept({ NOTIFY_SOCKET: '/run/notify' }).keeper).toBeUndefined();
});

test('the variables of the service do not reach the agents', () => {
  const environment = { LLMC_SERVICE: 'llmc', NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '1', WATCHDOG_PID: '2', PATH: '/bin' };
  expect(kept(environment).keeper?.name).toBe('llmc');
  expect(environment).toEqual({ PATH: '/bin' });
});

test('systemd hears that the supervisor is ready, once a minute that it lives, and that it stops; the watchdog hears each beat', () => {
  const { keeper, sent, fed, later } = kept({ LLMC_SERVICE: 'llmc', NOTIFY_SOCKET: '/run/notify' });
  keeper?.ready();
  for (let beats = 0; beats < 8; beats += 1) {
    later(15_000);
    keeper?.beat();
  }
  keeper?.stopping();
  expect(sent()).toEqual([
    'systemd-notify --ready --status=observing the agents /run/notify',
    'systemd-notify WATCHDOG=1 /run/notify',
    'systemd-notify WATCHDOG=1 /run/notify',
    'systemd-notify STOPPING=1 /run/notify',
  ]);
  expect(fed()).toBe(8);
});

test('a service without a socket, such as one of launchd, is told nothing', () => {
  const { keeper, sent, fed } = kept({ LLMC_SERVICE: 'local.llmc' });
  keeper?.ready();
  keeper?.beat();
  expect(sent()).toEqual([]);
  expect(fed()).toBe(1);
});
