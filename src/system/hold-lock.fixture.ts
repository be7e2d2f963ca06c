import { spawn } from 'node:child_process';
import { tryLock } from './lock.ts';

/** Takes the lock, leaves a child behind that outlives this process, says so, and stays until it is killed. */
const [path = ''] = process.argv.slice(2);
// Nobody refers to it from here on, and what nobody refers to is collected.
const held = tryLock(path) !== undefined;
globalThis.gc?.();
const child = spawn('sleep', ['300'], { stdio: 'inherit', detached: true });
setImmediate(() => process.stdout.write(`${JSON.stringify({ held, child: child.pid })}\n`));
process.stdin.resume();
