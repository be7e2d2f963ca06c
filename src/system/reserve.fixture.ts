import { closeSync, openSync } from 'node:fs';
import { openReserve } from './reserve.ts';

/** Run with a low limit of open files: prints what the reserve does when the system grants no more. */
const reserve = openReserve();
reserve.hold();
const opened: number[] = [];
const openAll = () => {
  const before = opened.length;
  try {
    for (;;) opened.push(openSync('/dev/null', 'r'));
  } catch (error) {
    return `${error instanceof Error && 'code' in error ? error.code : 'opened'} ${opened.length - before}`;
  }
};
const holds = () => {
  try {
    reserve.hold();
    return 'holds';
  } catch {
    return 'refused';
  }
};
const rest = openAll().split(' ')[0];
const full = holds();
reserve.release();
const released = openAll();
const still = holds();
for (const fd of opened) closeSync(fd);
console.log(JSON.stringify([rest, full, released, still, holds()]));
