import { LlmcError, messageOf } from '../base/error.ts';
import { exists } from '../system/files/files.ts';
import { damageIn, isDamage, openReadOnly } from './database.ts';

export type DatabaseRead =
  | { readonly kind: 'ok' | 'missing' }
  /** `damaged`: no process can read it. `unreadable`: this process cannot read it now. */
  | { readonly kind: 'damaged' | 'unreadable'; readonly problem: string };

/** Checks the whole file without the root's lock. */
export function inspectDatabase(path: string): DatabaseRead {
  if (!exists(path)) return { kind: 'missing' };
  try {
    using database = openReadOnly(path);
    const problem = damageIn(database);
    return problem === undefined ? { kind: 'ok' } : { kind: 'damaged', problem };
  } catch (error) {
    const cause = error instanceof LlmcError ? error.cause : error;
    return { kind: isDamage(cause) ? 'damaged' : 'unreadable', problem: messageOf(cause) };
  }
}
