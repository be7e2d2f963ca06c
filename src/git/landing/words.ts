import { createHash } from 'node:crypto';
import type { Author, Commit } from '../commits.ts';
import { type Attribution, composeMessage } from './message.ts';
import type { Reviewed } from './remarks.ts';

/** What one commit in place of several says: its message and its author. */
export interface Words {
  readonly message: string;
  readonly author: Pick<Author, 'name' | 'email'>;
}

/** Hashes of words: an agent chooses how long they are. */
export interface WordsId {
  readonly message: string;
  readonly author: string;
}

/** Leaves out the messages of merges: a rebase drops them, and must not change the message. */
export function messageOfAll(commits: readonly Commit[], attribution: Attribution, reviewed: Reviewed): string {
  const plain = commits.filter(({ parents }) => parents.length < 2);
  const messages = (plain.length === 0 ? commits : plain).map(({ message }) => message);
  return composeMessage(messages, attribution, reviewed);
}

export function wordsId({ message, author: { name, email } }: Words): WordsId {
  return { message: hash(message.trimEnd()), author: hash(JSON.stringify([name, email])) };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
