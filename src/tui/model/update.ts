import { makeField } from '../screen/text-field.ts';
import { goOnIfBegun, keepMessage, sendRejection } from './actions.ts';
import { browseKey, openTab } from './browse.ts';
import { afterEnter, noteTyped } from './burst.ts';
import { completed } from './complete.ts';
import { draftsAtEnd, draftsInTime, unstored } from './drafts.ts';
import type { Effect } from './effect.ts';
import { type Event, quiet, type Updated } from './event.ts';
import { find, findNext, foundIn } from './find.ts';
import { listRowItems } from './item.ts';
import { confirmKey, scrolledKey } from './overlay.ts';
import { scrollPane } from './pane.ts';
import { afterChange, queueKey, withQueue } from './queue.ts';
import { rootsKey, withKnown, withoutRoot, withRoot } from './roots.ts';
import { beginEffect, done, effectFailed, progressed } from './running.ts';
import { isReported, withReport } from './seen-report.ts';
import { inRoot, inRootOfSelected, moveSelection, select } from './select.ts';
import { beginTyping, holdEnter, isOfQueue, makeEffect, type Typing, takenBack, typingKey, withPart } from './typing.ts';
import { isAboutOther, rowsIn, selectedIn, UNREAD_QUEUE, type View, type ViewNotice } from './view.ts';
import { commented, diffKey, diffMouse, markShown, withPane, withWork } from './work.ts';

/** Work that was on the screen this long has been seen. */
const SEEN_MS = 1_000;
/** A view may be open on a screen that nobody looks at: without a key for this long, nothing counts as seen. */
const PRESENT_MS = 30_000;
const WHEEL_LINES = 3;

/** The view after an event, and what is to be done. */
export function update(before: View, event: Event, now: number): Updated {
  const { view, effects } = after(before, event, now);
  return { view: inRootOfSelected(view), effects };
}

function after(view: View, event: Event, now: number): Updated {
  const current = { ...view, now };
  switch (event.kind) {
    case 'pressed':
      return noteTyped(current, event.pressed, pressedEach({ ...current, touchedAt: now }, event.pressed));
    case 'mouse':
      return mouse({ ...current, touchedAt: now }, event);
    case 'status':
    case 'runs':
    case 'lost':
      return quiet(withRoot(current, event));
    case 'gone':
      return quiet(withoutRoot(current, event));
    case 'known':
      return quiet(withKnown(current, event));
    case 'pane':
      return quiet(withPane(current, event));
    case 'work':
      return quiet(withWork(current, event));
    case 'progress':
      return quiet(progressed(current, event));
    case 'done':
      return leftNow(afterChange(done(back(current, event), event), event.effect), event.effect.kind);
    case 'failed':
      return afterChange(effectFailed(current, event), event.effect);
    case 'queue':
      return quiet(withQueue(current, event));
    case 'completed':
      return quiet(completed(current, event));
    case 'edited':
      return event.edited.kind === 'commit'
        ? keepMessage(current, event.root, event.edited, event.text)
        : quiet(beginTyping(inRoot(current, event.root), event.edited, makeField(event.text)));
    case 'agents': {
      const isWanted = current.root === event.root && current.mode.kind === 'typing' && current.mode.asked.kind === 'task';
      return quiet(isWanted ? withPart(current, event.choices, event.part) : current);
    }
    case 'taken-back':
      return quiet(takenBack(current, event.root, event.text, event.like));
    case 'resized':
      return quiet({ ...current, size: event.size });
    case 'shown':
      return quiet(markShown(current));
    case 'tick':
      return inTime(current);
    case 'closing':
      return draftsAtEnd(current);
  }
}

/** A person wanted to leave while a draft was on its way to the disk: there it is. */
function leftNow(updated: Updated, stored: Effect['kind']): Updated {
  const { mode, running } = updated.view;
  const isWanted = mode.kind === 'confirm' && mode.effect.kind === 'quit' && stored === 'draft';
  if (!isWanted || running.length > 0 || unstored(updated.view) !== undefined) return updated;
  const { view, effects } = beginEffect({ ...updated.view, mode: mode.below }, mode.effect);
  return { view, effects: [...updated.effects, ...effects] };
}

/** What happens without an event. */
function inTime(view: View): Updated {
  const drafts = draftsInTime(view);
  const { view: after, effects } = seen(drafts.view);
  return { view: after, effects: [...drafts.effects, ...effects] };
}

/** Who typed into another program that has ended may not have noticed it yet. */
function back(view: View, event: Extract<Event, { kind: 'done' }>): View {
  const { kind } = event.effect;
  const hadTerminal = kind === 'attach' || (kind === 'command' && event.opens === undefined);
  return hadTerminal ? { ...view, typedAt: view.now } : view;
}

/** Reports work that a person has had on the screen for a while: once, unless that fails. */
function seen(view: View): Updated {
  const { pane, tab, now, touchedAt } = view;
  if (now - touchedAt > PRESENT_MS) return quiet(view);
  const item = selectedIn(view);
  if (item?.kind !== 'worker' || item.group !== 'to review' || item.worker.reviewed || tab !== 'diff') return quiet(view);
  if (pane?.content.kind !== 'diff' || pane.content.seen === undefined || pane.content.diff.focus === 'head') return quiet(view);
  if (pane.shownAt === undefined || now - pane.shownAt < SEEN_MS) return quiet(view);
  const effect = { kind: 'mark-seen', root: item.root, worker: item.worker.name, seen: pane.content.seen } as const;
  return isReported(view, effect) ? quiet(view) : beginEffect(withReport(view, effect), effect);
}

/** With alt, a text field knows only these keys. */
const ALT_KEYS: readonly string[] = ['alt+b', 'alt+f', 'alt+enter', 'alt+backspace'];

/** A terminal sends escape and a key that follows at once like alt and that key. */
function pressedEach(view: View, pressed: Extract<Event, { kind: 'pressed' }>['pressed']): Updated {
  const [, key] = pressed.kind === 'key' ? (/^alt\+(.+)$/su.exec(pressed.key) ?? []) : [];
  if (key === undefined || (pressed.kind === 'key' && view.mode.kind === 'typing' && ALT_KEYS.includes(pressed.key)))
    return pressedKey(view, pressed);
  const left = pressedKey(view, { kind: 'key', key: 'escape' });
  const then = pressedKey(inRootOfSelected(left.view), { kind: 'key', key });
  return { view: then.view, effects: [...left.effects, ...then.effects] };
}

function pressedKey(view: View, pressed: Extract<Event, { kind: 'pressed' }>['pressed']): Updated {
  const { mode } = view;
  const isEnter = pressed.kind === 'key' && pressed.key === 'enter';
  if (mode.kind === 'typing' && isEnter && 'work' in mode.asked && isAboutOther(view, view.root, mode.asked))
    return quiet({ ...view, notice: ofOtherWork(mode.asked.worker) });
  if (mode.kind === 'typing' && mode.asked.kind === 'comment' && isEnter)
    return commented({ ...view, mode: { kind: 'browse' } }, mode.asked, mode.field.text);
  if (mode.kind === 'typing') return isEnter ? sendTyped(view, mode) : typingKey(view, mode, pressed);
  if (pressed.kind === 'paste') return mode.kind === 'browse' ? quiet(pasted(view, pressed.text)) : quiet(view);
  if (mode.kind !== 'browse') return overlayKey(view, pressed.key);
  return findKey(view, pressed.key) ?? diffKey(view, pressed) ?? browseKey(view, pressed.key);
}

/** The text stays in its field, so that it can be copied. */
const ofOtherWork = (worker: string): ViewNotice => ({
  tone: 'bad',
  text: `${worker} has other work now. What you typed is about work that is over, and was not sent.`,
  hint: 'copy it if you need it; esc leaves it',
});

/** While something is searched in the pane, these keys are about the matches. */
function findKey(view: View, key: string): Updated | undefined {
  if (view.focus !== 'pane' || foundIn(view) === undefined) return undefined;
  if (key === 'escape') return quiet({ ...view, found: undefined, notice: undefined });
  return key === 'n' || key === 'N' ? quiet(findNext(view, key === 'n' ? 1 : -1)) : undefined;
}

function overlayKey(view: View, key: string): Updated {
  const { mode } = view;
  switch (mode.kind) {
    case 'browse':
    case 'typing':
      return browseKey(view, key);
    case 'confirm':
      return confirmKey(view, mode, key);
    case 'queue':
      return queueKey(view, mode, key);
    case 'roots':
      return rootsKey(view, mode, key);
    default:
      return scrolledKey(view, mode, key);
  }
}

/** A text that is pasted while nothing is typed becomes a task. It waits for two enters: the first one may be meant for another terminal. */
function pasted(view: View, text: string): View {
  const typing = beginTyping(view, { kind: 'task' }, makeField(view.task.text + text));
  return holdEnter(typing, Number.POSITIVE_INFINITY);
}

function sendTyped(view: View, typing: Typing): Updated {
  const { kind } = typing.asked;
  if (view.now < typing.sendsFrom && kind !== 'filter' && kind !== 'find') {
    const text = 'You typed this before its field was open. Press enter again to send it.';
    return quiet({ ...holdEnter(view, afterEnter(view.now)), notice: { tone: 'plain', text, hint: 'esc leaves it' } });
  }
  const browsing: View = { ...view, mode: isOfQueue(typing.asked) ? UNREAD_QUEUE : { kind: 'browse' } };
  const cleared: View = kind === 'task' ? { ...browsing, task: makeField(''), like: {}, choices: undefined } : browsing;
  if (typing.asked.kind === 'find') return quiet(find(browsing, typing.field.text));
  if (typing.asked.kind === 'reject') return sendRejection(browsing, typing.asked, typing.field.text);
  const effect = makeEffect(typing, view.like);
  if (effect === undefined) return quiet(cleared);
  const begun = beginEffect(cleared, effect);
  return effect.kind === 'answer' || effect.kind === 'decide' ? goOnIfBegun(begun) : begun;
}

function mouse(view: View, { action, hit }: Extract<Event, { kind: 'mouse' }>): Updated {
  if (view.mode.kind !== 'browse') return action === 'press' || view.mode.kind === 'typing' ? quiet(view) : overlayKey(view, action);
  if (action !== 'press') {
    const by = action === 'wheel-down' ? 1 : -1;
    if (hit.kind === 'pane') return diffMouse(view, action, hit) ?? quiet(scrollPane(view, by * WHEEL_LINES));
    return quiet(hit.kind === 'item' || hit.kind === 'list' ? moveSelection(view, by) : view);
  }
  switch (hit.kind) {
    case 'item':
      return quiet({
        ...select(
          view,
          listRowItems(rowsIn(view)).find(({ key }) => key === hit.key),
        ),
        focus: 'list',
      });
    case 'tab':
      return quiet(openTab(view, hit.tab));
    case 'pane':
      return diffMouse({ ...view, focus: 'pane' }, action, hit) ?? quiet({ ...view, focus: 'pane' });
    case 'task':
      return quiet(beginTyping(view, { kind: 'task' }, view.task));
    default:
      return quiet(view);
  }
}
