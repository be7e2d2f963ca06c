import type { Screen } from '../../../terminal/screen.ts';

/**
 * Reads a terminal title made of `activity`, `run-state` and `thread-id`, which llmc's launch configures:
 * `Ready | 01a1ddc3-f792-7961-a133-0dd63...`. Before the conversation is open the title has no id.
 */
export interface Title {
  readonly state: 'ready' | 'working' | 'asking';
  /** The conversation's id, cut after 29 characters by 0.166.0. */
  readonly conversation: string;
}

const SHAPE = /^(.*?)\s*\|\s*([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{12,22})(?:\.\.\.|…)?$/;

export function readTitle(title: string | undefined): Title | undefined {
  const [, words = '', conversation] = SHAPE.exec(title ?? '') ?? [];
  if (conversation === undefined) return undefined;
  if (/\bAction Required\b/.test(words)) return { state: 'asking', conversation };
  return { state: /\bReady$/.test(words) ? 'ready' : 'working', conversation };
}

/** The beginning of the current conversation's id. */
export function conversationOn({ title }: Pick<Screen, 'title'>): string | undefined {
  return readTitle(title)?.conversation;
}
