import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { systemClock, systemScheduler } from '../../system/clock.ts';
import { readLines } from '../../system/lines.ts';
import { sharedReport, withChanges } from '../follow/changes.ts';
import { Followers } from '../follow/followers.ts';
import { aReport } from '../follow/samples.ts';
import type { StatusReport } from '../report/status-report.ts';
import { serveApi } from './server.ts';
import type { Reply } from './wire.ts';

test('a follower that does not read does not fill the memory of the supervisor, and catches up when it reads', async () => {
  using scratch = scratchFolder();
  const path = join(scratch.path, 'api.sock');
  let report = aReport({ adam: {} });
  const make = async (before: StatusReport | undefined) => (before === undefined ? report : sharedReport(before, report));
  const followers = new Followers({ make }, { clock: systemClock, scheduler: systemScheduler });
  let pushedBytes = 0;
  const server = await serveApi(path, '1', (call) => {
    const push: typeof call.push = (event) => {
      pushedBytes += JSON.stringify(event).length;
      call.push(event);
    };
    return followers.follow({ ...call, push }, call.signal);
  });
  const socket = connect(path);
  socket.pause();
  socket.write(`${JSON.stringify({ version: '1', name: 'follow', args: {} })}\n`);
  await expect.poll(() => pushedBytes, { timeout: 60_000 }).toBeGreaterThan(0);
  // 20 MB of news in all.
  for (let number = 1; number <= 200; number += 1) {
    report = aReport({ adam: { current_prompt: `${number} ${'x'.repeat(100_000)}` } });
    await followers.refresh();
  }
  expect(pushedBytes).toBeLessThan(2_000_000);

  const reading = catchUp(socket, (known) => known.workers[0]?.current_prompt?.startsWith('200 ') === true);
  socket.resume();
  expect(await reading).toEqual(report);
  socket.destroy();
  await server.close();
});

/** The report that the events add up to, once it fits. */
async function catchUp(socket: Socket, fits: (report: StatusReport) => boolean): Promise<StatusReport | undefined> {
  let received: StatusReport | undefined;
  for await (const line of readLines(socket, 1_000_000)) {
    const reply: Reply = JSON.parse(line);
    if (!('event' in reply)) continue;
    if ('report' in reply.event) received = reply.event.report;
    else if ('changes' in reply.event && received !== undefined) received = withChanges(received, reply.event.changes);
    if (received !== undefined && fits(received)) return received;
  }
  return undefined;
}
