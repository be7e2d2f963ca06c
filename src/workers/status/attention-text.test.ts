import { expect, test } from 'vitest';
import type { Attention } from '../../store/attention.ts';
import { attentionReport, attentionText } from './attention-text.ts';

const CHOICES = { choices: ['Yes', 'No'] };

test.each<[Attention, string]>([
  [{ kind: 'review', uncommitted: false }, 'Review it: llmc review adam'],
  [{ kind: 'review', uncommitted: true }, 'Review it: llmc review adam (there are uncommitted changes besides the commit)'],
  [
    { kind: 'review_without_agent', endings: 3 },
    'Review it: llmc review adam. The agent ended 3 times in a row (llmc why adam) and is restarted after you decide',
  ],
  [
    { kind: 'question', question: 'Go on?', unread: false, ...CHOICES },
    'It asks: Go on? [Yes / No]. Answer, for example: llmc answer adam 1; or open its terminal: llmc attach adam',
  ],
  [{ kind: 'login', question: 'Select login method:' }, 'It is not logged in (Select login method). Log in: llmc attach adam'],
  [{ kind: 'question', question: 'Go on?', choices: [], unread: true }, 'It asks: Go on? Answer it there: llmc attach adam'],
  [
    { kind: 'permission', tool: 'Bash', command: 'rm -rf build', question: 'Do you want to proceed?', ...CHOICES },
    'It wants permission for Bash: rm -rf build – Do you want to proceed? [Yes / No]. Answer, for example: llmc answer adam 2; or open its terminal: llmc attach adam',
  ],
  [
    { kind: 'permission', tool: 'Bash', command: null, question: 'Run rm?', choices: [] },
    'It wants permission for Bash: Run rm? Answer, for example: llmc answer adam "…"; or open its terminal: llmc attach adam',
  ],
  [
    { kind: 'off_branch', branch: 'main', why: 'unborn' },
    "It stopped on a branch without a commit, so there is nothing to review. Send it back to its branch: llmc message adam 'Commit your work on the branch llmc/adam. If it is gone, begin it at origin/main.'; save what it has and start over: llmc reset adam",
  ],
  [
    { kind: 'off_branch', branch: 'main', why: 'unreadable', problem: 'bad object HEAD' },
    'git cannot read its worktree (bad object HEAD). Save what it has and start over: llmc reset adam',
  ],
  [
    { kind: 'commit_unchanged', to_review: true },
    'It stopped without changing its commit after your feedback. Open its terminal (llmc attach adam) or send more instructions: llmc message adam "…"; land it all the same: llmc accept adam',
  ],
  [{ kind: 'agent_stopped', pid: 7 }, "The agent's process is stopped and does nothing. Continue it: kill -CONT 7"],
  [
    { kind: 'prompt_waits', reason: { kind: 'something_open', what: 'menu', title: 'Settings', key: 'Esc' } },
    'A prompt waits: a menu is open in its terminal: Settings. Open its terminal and press Esc until the input box is back: llmc attach adam',
  ],
  [
    { kind: 'prompt_waits', reason: { kind: 'copy_mode' } },
    'A prompt waits: the pane is in copy mode. Open its terminal and press q: llmc attach adam',
  ],
  [
    { kind: 'prompt_waits', reason: { kind: 'no_reaction' } },
    'A prompt waits: the agent does not react to it. Open its terminal: llmc attach adam; details: llmc why adam',
  ],
  [
    { kind: 'turn_failed', error: 'overloaded', message: '529 Overloaded' },
    'The turn failed, the service is overloaded: 529 Overloaded. Continue with: llmc message adam "continue"',
  ],
  [
    { kind: 'agent_blocked', error: 'auth', message: 'Invalid API key' },
    'The agent cannot continue, authentication failed: Invalid API key. Log in: llmc attach adam; or correct its key. Then: llmc message adam "continue"',
  ],
  [{ kind: 'landing', line: 'npm test', seconds: 40 }, 'Landing: npm test, 40s'],
  [
    { kind: 'not_landed', problem: 'edits are in the way', todo: 'Commit them in /src' },
    'Not landed: edits are in the way. Commit them in /src, then: llmc accept adam',
  ],
  [
    { kind: 'conflict', branch: 'main', files: ['a.txt', 'b.txt'] },
    'Its commit conflicts with main in a.txt, b.txt. Let it resolve that: llmc rebase adam; or send it back: llmc reject --worker adam "…"',
  ],
  [
    { kind: 'conflict_given_up', branch: 'main', files: ['a.txt'], why: 'aborted' },
    'It gave up the rebase: its commit is as before and conflicts with main in a.txt. Try again: llmc rebase adam; or send it back: llmc reject --worker adam "…"',
  ],
  [
    { kind: 'resolution_stuck', why: 'loop', files: ['a.txt'] },
    'It does not resolve the conflict in a.txt: several turns ended at the same conflict. Help it: llmc message adam "…" or llmc attach adam; give up: llmc rebase adam --abort',
  ],
  [
    { kind: 'resolved', branch: 'main', lost: 0, uncommitted: false },
    'It resolved its conflict with main, and no line is lost. Review it: llmc review adam',
  ],
  [
    { kind: 'resolved', branch: 'main', lost: 2, uncommitted: false },
    'It resolved its conflict with main, but 2 lines or files of the two sides did not come out right. Review it: llmc review adam',
  ],
  [
    { kind: 'unsettled_landing', commit: '0123456789abcdef', branch: 'main', problem: 'disk full' },
    '0123456789ab is on main, but adam could not be made ready for its next task: disk full. Finish it: llmc accept adam',
  ],
  [
    { kind: 'delivery_failed', reason: { kind: 'not_accepted', attempts: 3 } },
    'A prompt could not be delivered: not accepted after 3 attempts. Details: llmc why adam',
  ],
  [
    { kind: 'memory_exceeded', megabytes: 1_200, limit_mb: 1_000, restarts: 3 },
    'Memory: it uses 1200 MB; the limit is 1000 MB (memory_mb_per_worker); it grew back after 3 restarts. Open its terminal: llmc attach adam; or start over: llmc reset adam',
  ],
  [{ kind: 'trouble', message: 'tmux does not answer', hint: 'llmc doctor' }, 'tmux does not answer. llmc doctor'],
  [{ kind: 'trouble', message: 'disk full', hint: null }, 'Disk full. More: llmc why adam'],
  [{ kind: 'trouble', message: 'adam has no pane', hint: null }, 'adam has no pane. More: llmc why adam'],
])('%j', (attention, text) => {
  expect(attentionText('adam', attention)).toBe(text);
});

test('JSON has the sentence and its kind, or neither', () => {
  expect(attentionReport('adam', { kind: 'no_session' })).toEqual({
    attention: 'Its session does not run: llmc why adam',
    attention_kind: 'no_session',
  });
  expect(attentionReport('adam', null)).toEqual({ attention: null, attention_kind: null });
});
