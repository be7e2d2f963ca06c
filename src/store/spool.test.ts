import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../test/repo/scratch.ts';
import { memoryFiles } from '../../test/support/memory-files.ts';
import type { Files } from '../base/ports.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { announcesReport, MOST_WAITING, parseSpoolName, readSpool, type SpoolFile } from './spool.ts';

test('a change in the spool means a report only if the file exists', () => {
  using spooled = spool();
  expect(announcesReport(systemFiles, spooled.path, '1~stop~x.json')).toBe(false);
  spooled.drop('.1~stop~x');
  expect(announcesReport(systemFiles, spooled.path, '1~stop~x.json')).toBe(false);
  spooled.drop('1~stop~x.json');
  expect(announcesReport(systemFiles, spooled.path, '1~stop~x.json')).toBe(true);
  // One was discarded, the rest waits for the next portion.
  expect(announcesReport(systemFiles, spooled.path, '1~stop~w.json')).toBe(true);
  expect(announcesReport(systemFiles, spooled.path, '.1~stop~y')).toBe(false);
  expect(announcesReport(systemFiles, join(spooled.path, 'gone'), '1~stop~x.json')).toBe(false);
  // Thrown here, in a listener, it would end the supervisor.
  expect(announcesReport(systemFiles, join(spooled.path, '1~stop~x.json'), '1~stop~x.json'), 'a file in place of the spool').toBe(false);
  // Not every system says what it was.
  expect(announcesReport(systemFiles, spooled.path, null)).toBe(true);
});

interface Drop {
  /** Seconds since the epoch. */
  readonly at?: number;
  readonly text?: string;
}

interface Spool extends Disposable {
  readonly path: string;
  drop(name: string, drop?: Drop): void;
  read(): readonly SpoolFile[];
  names(): readonly string[];
}

function spool(): Spool {
  const scratch = scratchFolder();
  const path = join(scratch.path, 'events', 'adam');
  systemFiles.makeFolder(path);
  return {
    path,
    drop(name, { at = 1_700_000_000, text = '{}' } = {}) {
      writeFileSync(join(path, name), text);
      utimesSync(join(path, name), at, at);
    },
    read: () => readSpool(systemFiles, path, 'adam').read,
    names: () => readSpool(systemFiles, path, 'adam').read.map((file) => file.event?.name ?? `garbage ${file.path.slice(path.length + 1)}`),
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

describe('the name of an event file', () => {
  test.for<[string, { incarnation: number; event: string } | undefined]>([
    ['3~stop~123-45.json', { incarnation: 3, event: 'stop' }],
    ['12~UserPromptSubmit~x.json', { incarnation: 12, event: 'UserPromptSubmit' }],
    ['3~stop~.json', undefined],
    ['3~stop~a~b.json', undefined],
    ['-3~stop~1.json', undefined],
    ['~stop~1.json', undefined],
    ['1234567890~stop~1.json', undefined],
    ['3~../x~1.json', undefined],
    ['3~stop~1.json.tmp', undefined],
    ['stop.json', undefined],
  ])('%s means %j', ([name, parsed]) => {
    expect(parseSpoolName(name)).toEqual(parsed);
  });
});

describe('a spool', () => {
  test('is read oldest first, by when a file was written and not by what it is called', () => {
    using spooled = spool();
    spooled.drop('1~ready~a.json', { at: 1_700_000_003 });
    spooled.drop('1~stop~b.json', { at: 1_700_000_001 });
    spooled.drop('2~session_start~c.json', { at: 1_700_000_002.5 });
    expect(spooled.names()).toEqual(['stop', 'session_start', 'ready']);
  });

  test('is read by the unique part of the name where the time is the same', () => {
    using spooled = spool();
    spooled.drop('1~stop~1700-9-000002.json');
    spooled.drop('1~prompt_submit~1700-9-000001.json');
    spooled.drop('1~ready~1700-9-000003.json');
    expect(spooled.names()).toEqual(['prompt_submit', 'stop', 'ready']);
  });

  test('gives each event its worker, life, time and payload, under an id of its own', () => {
    using spooled = spool();
    spooled.drop('4~stop~x.json', { at: 1_700_000_000.25, text: '{"message":"grüße 🌊"}' });
    const [file] = readSpool(systemFiles, spooled.path, 'adam').read;
    expect(file?.event).toEqual({
      id: '4~stop~x.json@1700000000250000000',
      worker: 'adam',
      incarnation: 4,
      name: 'stop',
      at: 1_700_000_000_250,
      payload: { message: 'grüße 🌊' },
    });
    spooled.drop('4~stop~x.json', { at: 1_700_000_001 });
    expect(readSpool(systemFiles, spooled.path, 'adam').read[0]?.event?.id).not.toBe(file?.event?.id);
  });

  test('names what is garbage, so that it can be removed', () => {
    using spooled = spool();
    spooled.drop('1~stop~cut.json', { text: '{"message":"ha', at: 1_700_000_001 });
    spooled.drop('1~stop~empty.json', { text: '', at: 1_700_000_002 });
    spooled.drop('core.1234', { at: 1_700_000_003 });
    spooled.drop('1~stop~large.json', { at: 1_700_000_004 });
    truncateSync(join(spooled.path, '1~stop~large.json'), 9 * 1024 * 1024);
    utimesSync(join(spooled.path, '1~stop~large.json'), 1_700_000_004, 1_700_000_004);
    expect(spooled.names()).toEqual(
      ['1~stop~cut.json', '1~stop~empty.json', 'core.1234', '1~stop~large.json'].map((name) => `garbage ${name}`),
    );
    for (const file of readSpool(systemFiles, spooled.path, 'adam').read) systemFiles.remove(file.path);
    expect(readSpool(systemFiles, spooled.path, 'adam')).toEqual({ read: [], discarded: [] });
  });

  test('leaves alone what is still being written, folders and links', () => {
    using spooled = spool();
    spooled.drop('.1~stop~x.json');
    mkdirSync(join(spooled.path, '1~stop~folder.json'));
    symlinkSync('/etc/passwd', join(spooled.path, '1~stop~link.json'));
    expect(readSpool(systemFiles, spooled.path, 'adam')).toEqual({ read: [], discarded: [] });
  });

  test('that is missing is empty, and a file that is gone already is discarded without a word', () => {
    using spooled = spool();
    expect(readSpool(systemFiles, join(spooled.path, 'none'), 'adam')).toEqual({ read: [], discarded: [] });
    spooled.drop('1~stop~x.json');
    const [file] = readSpool(systemFiles, spooled.path, 'adam').read;
    if (file === undefined) throw new Error('the file was not read');
    systemFiles.remove(file.path);
    systemFiles.remove(file.path);
    systemFiles.makeFolder(spooled.path);
  });

  test('of 5,000 files is worked off in portions, each file once and in order', () => {
    using spooled = spool();
    const count = 5_000;
    // Dropped in an order that is neither by name nor by time.
    for (let index = 0; index < count; index += 1) {
      const number = (index * 2_713) % count;
      spooled.drop(`1~stop~${count - number}.json`, { at: 1_700_000_000 + number, text: String(number) });
    }
    const seen: unknown[] = [];
    let portions = 0;
    for (let files = spooled.read(); files.length > 0; files = spooled.read()) {
      portions += 1;
      for (const file of files) {
        seen.push(file.event?.payload);
        systemFiles.remove(file.path);
      }
    }
    expect(portions).toBe(10);
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => index));
  });

  test('with more files than an agent can have reported loses the oldest, a portion at a time', () => {
    const files = memoryFiles();
    const count = MOST_WAITING + 3_000;
    for (let index = 0; index < count; index += 1) files.writePrivate(`/spool/1~stop~${index}.json`, '{}');
    const { read, discarded } = readSpool(files, '/spool', 'adam');
    expect(discarded).toEqual(Array.from({ length: 5_000 }, (_, index) => `/spool/1~stop~${index}.json`));
    expect(read.map(({ path }) => path)).toEqual(Array.from({ length: 500 }, (_, index) => `/spool/1~stop~${5_000 + index}.json`));
    for (const path of discarded) files.unlink(path);
    expect(readSpool(files, '/spool', 'adam').discarded, 'as many as an agent may report are kept').toEqual([]);
  });

  test('with too many entries loses links and pipes first, and keeps folders', () => {
    using spooled = spool();
    symlinkSync('/dev/zero', join(spooled.path, '1~stop~link.json'));
    mkdirSync(join(spooled.path, '1~stop~folder.json'));
    spooled.drop('1~stop~x.json');
    const crowded: Files = { ...systemFiles, list: (folder) => ({ ...systemFiles.list(folder, 10), more: true }) };
    const { discarded } = readSpool(crowded, spooled.path, 'adam');
    expect(discarded.map((path) => basename(path))).toEqual(['1~stop~link.json', '1~stop~x.json']);
  });

  test('is read up to a number of bytes at a time', () => {
    using spooled = spool();
    const vast = JSON.stringify('x'.repeat(7_000_000));
    for (let index = 0; index < 6; index += 1) spooled.drop(`1~stop~${index}.json`, { text: vast });
    expect(spooled.read()).toHaveLength(4);
  });

  test('that was replaced by a link is not read', () => {
    using spooled = spool();
    spooled.drop('1~stop~x.json');
    symlinkSync(spooled.path, `${spooled.path}-link`);
    expect(readSpool(systemFiles, `${spooled.path}-link`, 'adam')).toEqual({ read: [], discarded: [] });
  });
});
