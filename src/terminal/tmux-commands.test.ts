import { describe, expect, test } from 'vitest';
import * as commands from './tmux-commands.ts';

const SOCKET = '/root/run/tmux.sock';
const SIZE = { width: 200, height: 50 };

/** The words after those every call begins with. */
function wordsOf({ file, args, env }: ReturnType<typeof commands.tmux>): readonly string[] {
  expect({ file, env, begin: args.slice(0, 5) }).toEqual({
    file: 'tmux',
    // Inside a worker or a person's own tmux, these would point at another server.
    env: { TMUX: undefined, TMUX_PANE: undefined },
    begin: ['-u', '-f', '/dev/null', '-S', SOCKET],
  });
  return args.slice(5);
}

describe('each call to tmux is exact', () => {
  test.each([
    [
      'a session of a given size and place',
      commands.newSession(SOCKET, 'llmc-adam', '/w/adam', SIZE, ['sh', 'launch.sh', 'file']),
      'new-session -d -s llmc-adam -x 200 -y 50 -c /w/adam -- sh launch.sh file ; set-option -p -t =llmc-adam: @llmc_mark agent ; set-option -t =llmc-adam: @llmc_mark other ; resize-window -t =llmc-adam: -x 200 -y 50 ; set-option -w -u -t =llmc-adam: window-size',
    ],
    ['the end of one session and of no other', commands.killSession(SOCKET, 'llmc-e'), 'kill-session -t =llmc-e'],
    ['the end of the server', commands.killServer(SOCKET), 'kill-server'],
    ['whether the server is up', commands.hasServer(SOCKET), 'has-session -t =llmc-sentinel'],
    ['keys', commands.sendKeys(SOCKET, 'llmc-e', ['Down', 'Enter']), 'send-keys -t =llmc-e: Down Enter'],
    ['a person’s way in', commands.attachSession(SOCKET, 'llmc-e'), 'attach-session -t =llmc-e'],
    [
      'a person’s way in, with a note',
      commands.attachWithNote(SOCKET, 'llmc-e', '50%#d'),
      'set-option -t =llmc-e: status-right 50%%##d_ ; attach-session -t =llmc-e',
    ],
    ['what a pane was started with', commands.startCommand(SOCKET, '%7'), 'display-message -p -t %7 #{pane_start_command}'],
    ['a word to a person', commands.displayMessage(SOCKET, 'hello'), 'display-message -d 5000 hello'],
  ])('%s', (_, command, words) => {
    expect(wordsOf(command)).toEqual(words.split(' ').map((word) => word.replace(/_$/, ' ')));
  });

  test('the text of a prompt goes through standard input, never through argv', () => {
    const command = commands.loadBuffer(SOCKET, 'llmc-1-1', 'a secret\nof two lines;');
    expect(wordsOf(command)).toEqual(['load-buffer', '-b', 'llmc-1-1', '-']);
    expect(command.stdin).toBe('a secret\nof two lines;');
  });

  test.each([
    ['llmc-e', '=llmc-e:', "'=llmc-e:'"],
    ['%7', '%7', "'%7'"],
    ["llmc-e' ; kill-server", "=llmc-e' ; kill-server:", "'=llmc-e'\\'' ; kill-server:'"],
  ])('a bracketed paste leaves no buffer behind, and a dead pane gets none: %s', (place, target, word) => {
    expect(wordsOf(commands.pasteBuffer(SOCKET, place, 'llmc-1-1'))).toEqual([
      'if-shell',
      '-F',
      '-t',
      target,
      '#{pane_dead}',
      "delete-buffer -b 'llmc-1-1'",
      `paste-buffer -p -r -d -b 'llmc-1-1' -t ${word}`,
    ]);
  });

  test('all screens come in one call, each behind its marker', () => {
    expect(wordsOf(commands.captureWithHistory(SOCKET, 'llmc-a', 20))).toEqual(['capture-pane', '-p', '-S', '-20', '-t', '=llmc-a:']);
    expect(wordsOf(commands.captureAll(SOCKET, ['llmc-a', 'llmc-b'], '==:'))).toEqual([
      'display-message',
      '-p',
      '==:llmc-a',
      ';',
      'capture-pane',
      '-p',
      '-t',
      '=llmc-a:',
      ';',
      'display-message',
      '-p',
      '==:llmc-b',
      ';',
      'capture-pane',
      '-p',
      '-t',
      '=llmc-b:',
    ]);
  });

  test('all panes and some screens come in one call', () => {
    expect(wordsOf(commands.listAndCapture(SOCKET, ['llmc-a'], '==:'))).toEqual([
      ...wordsOf(commands.listPanes(SOCKET)),
      ';',
      'display-message',
      '-p',
      '==:llmc-a',
      ';',
      'capture-pane',
      '-p',
      '-t',
      '=llmc-a:',
    ]);
  });

  test('the fields of panes and clients cannot contain the separator', () => {
    const [verb, all, flag, format] = wordsOf(commands.listPanes(SOCKET));
    expect([verb, all, flag]).toEqual(['list-panes', '-a', '-F']);
    expect(format?.split('\t')).toEqual(commands.PANE_FIELDS.map((field) => `#{${field}}`));
    expect(wordsOf(commands.listClients(SOCKET))).toEqual(['list-clients', '-F', '#{session_name}\t#{client_activity}']);
  });

  test('the server starts with a bare sentinel, keeps the last frame of dead panes, and reads no user configuration', () => {
    const words = wordsOf(commands.startServer(SOCKET)).join(' ').split(' ; ');
    expect(words.at(0)).toBe('start-server');
    expect(words).toContain('set-option -g remain-on-exit on');
    expect(words).toContain('set-option -g exit-empty off');
    expect(words.at(-1)).toBe('new-session -d -s llmc-sentinel -x 20 -y 5 sleep 2147483647');
    expect(words.join(' ')).not.toContain(' -e ');
    expect(words).toContain('set-hook -g alert-bell set-option -w -F @llmc_bells "#{e|+|:0#{@llmc_bells},1}"');
    expect(words.join(' ')).not.toContain('pane-died');
    expect(wordsOf(commands.startServer(SOCKET, '/a b;'))).toEqual(expect.arrayContaining(['LLMC_DEATHS', '/a b\\;', 'pane-died']));
  });
});

describe('words are escaped for tmux', () => {
  test('a semicolon at the end of a word would end the command', () => {
    const command = commands.newSession(SOCKET, 's', '/a;', SIZE, ['agent', 'Be brief;', 'a;b', ';', 'x\\;']);
    const words = wordsOf(command);
    expect(words.slice(words.indexOf('--')).slice(0, 6)).toEqual(['--', 'agent', 'Be brief\\;', 'a;b', '\\;', 'x\\\\;']);
    expect(command.args).toContain('/a\\;');
    expect(wordsOf(commands.sendKeys(SOCKET, 's', [';'])).at(-1)).toBe('\\;');
  });

  test('a hash in a directory would start a format', () => {
    expect(commands.newSession(SOCKET, 's', '/home/me/c#Shop', SIZE, ['agent']).args).toContain('/home/me/c##Shop');
  });
});
