import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/repo/scratch.ts';
import { makeLayout } from '../../store/layout.ts';
import { systemFiles } from '../../system/files/system-files.ts';
import { readOutputs } from './read-outputs.ts';

test('the output of commands is read, the newest first, and no other file, link or worker', () => {
  using scratch = scratchFolder();
  const layout = makeLayout(scratch.path);
  mkdirSync(layout.logs);
  const write = (path: string, text: string, seconds: number) => {
    writeFileSync(path, text);
    utimesSync(path, seconds, seconds);
  };
  write(layout.output('adam', 'validate'), '$ npm test\nparser failed\n', 10);
  write(layout.output('eve', 'after_accept'), 'deployed\n', 20);
  write(layout.log('adam'), '{"summary":"parser"}\n', 30);
  write(layout.lastScreen('adam', 'now'), 'parser\n', 30);
  symlinkSync(layout.log('adam'), layout.output('adam', 'setup'));
  expect(readOutputs(layout, systemFiles)).toEqual([
    { worker: 'eve', at: 20_000, text: 'deployed\n' },
    { worker: 'adam', at: 10_000, text: '$ npm test\nparser failed\n' },
  ]);
  expect(readOutputs(layout, systemFiles, 'adam').map(({ worker }) => worker)).toEqual(['adam']);
});

test('of a long output the end is read, and of many files the newest', () => {
  using scratch = scratchFolder();
  const layout = makeLayout(scratch.path);
  mkdirSync(layout.logs);
  for (let at = 1; at <= 60; at += 1) {
    const path = layout.output(`w${at}`, 'validate');
    writeFileSync(path, at === 60 ? `first\n${'x'.repeat(1_000_000)}\nlast\n` : '');
    utimesSync(path, at, at);
  }
  const outputs = readOutputs(layout, systemFiles);
  expect(outputs.map(({ worker }) => worker)).toEqual(Array.from({ length: 50 }, (_, index) => `w${60 - index}`));
  expect(outputs[0]?.text).toBe('last\n');
  expect(readOutputs({ logs: join(scratch.path, 'missing') }, systemFiles)).toEqual([]);
});
