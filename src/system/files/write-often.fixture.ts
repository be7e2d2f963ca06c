import { atomicWrite } from './atomic-write.ts';

/** `die`: is killed between writing and renaming. `fill`: writes more than it is allowed. `loop`: writes a and b in turn until it is killed. */
const [how = '', path = ''] = process.argv.slice(2);
const long = (letter: string): string => letter.repeat(100_000);
if (how === 'die') atomicWrite(path, 'new', { beforeRename: () => process.kill(process.pid, 'SIGKILL') });
if (how === 'fill') {
  try {
    atomicWrite(path, long('x'));
  } catch (error) {
    process.stdout.write(error instanceof Error && 'code' in error ? String(error.code) : String(error));
  }
}
for (let turn = 0; how === 'loop'; turn += 1) {
  atomicWrite(path, long(turn % 2 === 0 ? 'a' : 'b'));
  if (turn === 1) process.stdout.write('both written\n');
}
