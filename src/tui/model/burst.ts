import type { Pressed } from '../screen/key.ts';
import type { Updated } from './event.ts';
import type { View } from './view.ts';

type Typed = Exclude<Pressed, { kind: 'mouse' }>;

const LINE_ENDS: readonly string[] = ['enter', 'ctrl+j'];
/** Characters that only move: a person presses them fast, holds them down, or types them ahead on a slow connection. */
const MOVES = /^[jkhlgGJKNP[\]?]$/;
/** Characters that open a field. Refused once, they are pressed again. */
const OPENS = /^[nrm :/S]$/;
const LINE_FIELDS = /^[:/][^\n]+\n?$/;

/**
 * What one read of the terminal brought. Nobody presses the keys of a sentence at once: it was pasted by a terminal that does not mark
 * that, or typed into something that has gone. It is text then, which waits for enter; as keys, its letters would decide on work.
 */
export function readTogether(view: View, read: readonly Pressed[]): readonly Pressed[] {
  const characters = read.map(toCharacter);
  if (!characters.every((each) => each !== undefined)) return read;
  const text = characters.join('');
  if (view.mode.kind === 'typing') return text.trimEnd().includes('\n') ? [{ kind: 'paste', text }] : read;
  if (!isSentence(text)) return read;
  const [first] = read;
  // No sentence begins with these two. What follows one belongs in its field, and waits there for an enter of its own.
  if (first !== undefined && LINE_FIELDS.test(text)) return [first, { kind: 'paste', text: text.slice(1).trimEnd() }];
  return [{ kind: 'paste', text }];
}

function toCharacter(pressed: Pressed): string | undefined {
  if (pressed.kind !== 'key') return undefined;
  if (LINE_ENDS.includes(pressed.key)) return '\n';
  if (pressed.key === 'tab') return '\t';
  return Array.from(pressed.key).length === 1 ? pressed.key : undefined;
}

/** At least three characters, or two and the end of a line, behind moves to a place; not one key that is held down. */
function isSentence(text: string): boolean {
  const signs = Array.from(text.replace(/\s/g, ''));
  const from = signs.findIndex((sign) => !MOVES.test(sign));
  const rest = from === -1 ? [] : signs.slice(from);
  return rest.length >= (text.includes('\n') ? 2 : 3) && new Set(rest).size > 1;
}

/** A key that comes so soon after another one belongs to the same words. */
const FLOW_MS = 1_000;
/** An enter that comes sooner was on its way before. */
const AHEAD_MS = 250;

/** Notes a character that was typed while no field was open, unless it moves, opens one, or is a key that does something outside. */
export function noteTyped(before: View, pressed: Typed, updated: Updated): Updated {
  if (updated.view.mode.kind === 'browse' && (before.mode.kind === 'confirm' || isSent(before, pressed)))
    return { ...updated, view: { ...updated.view, answeredAt: before.now } };
  if (before.mode.kind !== 'browse' || updated.view.mode.kind !== 'browse' || pressed.kind !== 'key') return updated;
  const isKey = MOVES.test(pressed.key) || OPENS.test(pressed.key) || updated.effects.length > 0;
  if (isKey) return updated;
  // Escape, an arrow or tab is not part of a word.
  const typedAt = Array.from(pressed.key).length === 1 ? before.now : Number.NEGATIVE_INFINITY;
  return { ...updated, view: { ...updated.view, typedAt } };
}

/** A filter or a search is only looked at: the next enter may open what it has found. */
function isSent({ mode }: View, pressed: Typed): boolean {
  return mode.kind === 'typing' && !['filter', 'find'].includes(mode.asked.kind) && pressed.kind === 'key' && pressed.key === 'enter';
}

/** Whether a person is typing words: a key that comes now is one of them. */
export function isTyping({ now, typedAt }: View): boolean {
  return now - typedAt < FLOW_MS;
}

/** Whether an enter that comes now belongs to the key before it: many people type `y` and enter, or enter twice. */
export function isEndOfAnswer({ now, answeredAt }: View): boolean {
  return now - answeredAt < FLOW_MS;
}

/** When enter sends the text of a field that opens now: not before a second enter, if a person was typing already. */
export function firstSend(view: View): number {
  return isTyping(view) ? Number.POSITIVE_INFINITY : view.now;
}

export const afterEnter = (now: number): number => now + AHEAD_MS;
