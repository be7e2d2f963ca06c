import { createHash, randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Instant } from '../../base/ports.ts';
import { createOnce, makeDirectory, namesIn, readTextIfThere, removeTree, writePrivate } from '../../system/files/files.ts';

/** Without letters and digits that look alike. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 8;
/** Long enough to switch to another window. */
export const CODE_LIFE_MS = 10 * 60_000;

const locateCodes = (run: string): string => join(run, 'codes');
const hashCode = (code: string): string =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^0-9a-z]/g, ''))
    .digest('hex');

/** Makes a code that permits one command to decide. Only its hash is kept. */
export function makeCode(run: string, now: Instant): string {
  const folder = locateCodes(run);
  forgetOld(folder, now);
  makeDirectory(folder);
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  writePrivate(join(folder, hashCode(letters)), String(now + CODE_LIFE_MS));
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

/** Whether a code permits this caller to decide. The first caller that uses a code has it alone; its command may ask more than once. */
export function spendCode(run: string, code: string, caller: string, now: Instant): boolean {
  const file = join(locateCodes(run), hashCode(code));
  const until = Number(readTextIfThere(file) ?? Number.NaN);
  if (!(now <= until && until <= now + CODE_LIFE_MS)) return false;
  return createOnce(`${file}.used`, caller) || readTextIfThere(`${file}.used`) === caller;
}

function forgetOld(folder: string, now: Instant): void {
  for (const name of namesIn(folder).filter((each) => !each.endsWith('.used'))) {
    const file = join(folder, name);
    if (!(Number(readTextIfThere(file)) < now)) continue;
    for (const each of [file, `${file}.used`]) removeTree(each);
  }
}
