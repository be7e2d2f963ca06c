import { spawn } from 'node:child_process';
import { tryLock } from './lock.ts';

/** Takes the lock, leaves a child behind that outlives this process, says so, and stays until it is killed. */
const [path = ''] = process.argv.slice(2);
const lock = tryLock(path);
const child = spawn('sleep', ['300'], { stdio: 'inherit', detached: true });
process.stdout.write(`${JSON.stringify({ held: lock !== undefined, child: child.pid })}\n`);
process.stdin.resume();
