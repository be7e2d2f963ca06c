import { closeSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../../src/base/error.ts';
import { findRefusal } from '../../src/base/refusal.ts';
import { makeLayout } from '../../src/store/layout.ts';
import { Store } from '../../src/store/store.ts';
import { systemClock } from '../../src/system/clock.ts';
import { tryLock } from '../../src/system/lock.ts';

/** Opens the lock and the store of a root while so many files can still be opened, and prints what each attempt says. */
const root = process.argv[2] ?? '';

function openAll(): number[] {
  const opened: number[] = [];
  for (;;)
    try {
      opened.push(openSync('/dev/null', 'r'));
    } catch {
      return opened;
    }
}

function attempt(free: number, what: () => Disposable | undefined): string {
  const opened = openAll();
  for (const each of opened.splice(0, free)) closeSync(each);
  try {
    using _ = what();
    return 'ok';
  } catch (error) {
    return findRefusal(error) ?? describeError(error);
  } finally {
    for (const each of opened) closeSync(each);
  }
}

const free = Array.from({ length: 13 }, (_, index) => index);
const lock = free.map((count) => attempt(count, () => tryLock(join(root, 'run', 'lock'))));
const store = free.map((count) => attempt(count, () => new Store(makeLayout(root), systemClock)));
process.stdout.write(JSON.stringify({ lock, store, files: readdirSync(root).filter((name) => name.includes('broken')) }));
