import { existsSync } from 'node:fs';
import { LlmcError, messageOf } from '../base/error.ts';
import { damageIn, isDamage, openReadOnly } from './database.ts';

export type DatabaseRead =
  | { readonly kind: 'ok' | 'missing' }
  /** Damaged: no reader will ever get anything out of it. Unreadable: perhaps only this one, or only now. */
  | { readonly kind: 'damaged' | 'unreadable'; readonly problem: string };

/** A look at the whole file, for one who owns nothing. */
export function inspectDatabase(path: string): DatabaseRead {
  if (!existsSync(path)) return { kind: 'missing' };
  try {
    using database = openReadOnly(path);
    const problem = damageIn(database);
    return problem === undefined ? { kind: 'ok' } : { kind: 'damaged', problem };
  } catch (error) {
    const cause = error instanceof LlmcError ? error.cause : error;
    return { kind: isDamage(cause) ? 'damaged' : 'unreadable', problem: messageOf(cause) };
  }
}
