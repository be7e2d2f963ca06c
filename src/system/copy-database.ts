import { renameSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createPrivate } from './files/access.ts';
import { temporaryFor } from './files/atomic-write.ts';
import { removeFile } from './remove-file.ts';

/** CommonJS, as `eval` of a thread needs it. */
const THREAD = `
const { workerData: { from, to } } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
const { openSync, fsyncSync, closeSync } = require('node:fs');
const source = new DatabaseSync(from, { readOnly: true, timeout: 20_000 });
source.prepare('VACUUM INTO ?').run(to);
source.close();
const copy = new DatabaseSync(to, { readOnly: true });
const found = copy.prepare('PRAGMA quick_check(1)').get().quick_check;
copy.close();
if (found !== 'ok') throw new Error(found);
const file = openSync(to, 'r+');
fsyncSync(file);
closeSync(file);
`;

/** Writes a checked copy of an SQLite database that is in use. A thread does it: it reads the whole file, and the caller has agents to observe. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const draft = temporaryFor(to);
  removeFile(draft);
  try {
    // SQLite writes into an empty file and keeps its mode.
    createPrivate(draft);
    await finished(new Worker(THREAD, { eval: true, workerData: { from, to: draft } }));
    renameSync(draft, to);
  } finally {
    removeFile(draft);
  }
}

function finished(thread: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => resolve());
  });
}
