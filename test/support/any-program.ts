/**
 * Programs of different kinds, as llmc may meet them without knowing anything about them: node any-program.ts <kind>.
 * Each appends what it was given to ~/given-<worker>, one JSON string per line, and commits a file.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [kind = 'line'] = process.argv.slice(2);
const PROMPT = 'any> ';
const ANSWER = 'The cache is cold.\nIt warms up after a minute.\n';
const worker = process.env['LLMC_WORKER'] ?? 'nobody';
const say = (text: string) => process.stdout.write(text);
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

function take(text: string): void {
  appendFileSync(join(homedir(), `given-${worker}`), `${JSON.stringify(text)}\n`);
}

function commit(): void {
  appendFileSync('work.txt', 'A line\n');
  execFileSync('git', ['add', 'work.txt']);
  execFileSync('git', ['commit', '--quiet', '-m', `Work of ${worker}`]);
}

/** A program that reads lines from its terminal, which echoes them. */
async function byLine(work: () => void | Promise<void>): Promise<void> {
  say(PROMPT);
  for await (const line of createInterface({ input: process.stdin, terminal: false })) {
    if (line === '') continue;
    take(line);
    await work();
    say(PROMPT);
  }
}

/** A program that reads keys and draws them itself. `draw` gets the text of its input. */
function byKey(draw: (text: string) => void, work: () => void | Promise<void>, lose = 0): void {
  let text = '';
  let lost = 0;
  let pasting = false;
  let busy = Promise.resolve();
  process.stdin.setRawMode(true).setEncoding('utf8');
  const key = (each: string) => {
    if (lost < lose) lost += 1;
    else if (each === '\u0015') text = '';
    else if (each === '\r' && !pasting) {
      const given = text;
      text = '';
      if (given.trim() !== '') take(given);
      busy = busy.then(work).then(() => draw(text));
    } else text += each === '\r' ? '\n' : each;
  };
  process.stdin.on('data', (data) => {
    for (const part of String(data).split(/(\u001b\[20[01]~)/)) {
      if (part === '\u001b[200~') pasting = true;
      else if (part === '\u001b[201~') pasting = false;
      else for (const each of part) key(each);
    }
    draw(text);
  });
  draw(text);
}

const KINDS: Readonly<Record<string, () => void | Promise<void>>> = {
  line: () => byLine(commit),

  async bell() {
    await byLine(async () => {
      await pause(300);
      commit();
      say('done\u0007\n');
    });
  },

  async forever() {
    await byLine(async () => {
      commit();
      setInterval(() => say(`${Date.now()} still here\n`), 100);
    });
  },

  async once() {
    await byLine(async () => {
      commit();
      process.exit(0);
    });
  },

  /** Answers on its screen, and changes no file. */
  async says() {
    await byLine(() => {
      say(ANSWER);
    });
  },

  /** The same, and ends. */
  async 'says-once'() {
    await byLine(() => {
      say(ANSWER);
      process.exit(0);
    });
  },

  /** Takes its prompt as an argument. */
  argument() {
    take(process.argv[3] ?? '');
    commit();
  },

  async asks() {
    const lines = createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();
    const line = async () => String((await lines.next()).value);
    for (;;) {
      say(PROMPT);
      take(await line());
      say('Change work.txt? [y/N] ');
      const answer = await line();
      take(`answer: ${answer}`);
      if (answer === 'y') commit();
    }
  },

  async slow() {
    await pause(6_000);
    await byLine(commit);
  },

  /** Ends with an error after its first prompt, and works after that. */
  async crash() {
    const mark = join(homedir(), `crashed-${worker}`);
    await byLine(async () => {
      if (existsSync(mark)) return commit();
      writeFileSync(mark, '');
      process.exit(1);
    });
  },

  /** Shows nothing of what is typed, as for a password. */
  silent() {
    byKey(() => undefined, commit);
    say(PROMPT);
  },

  /** Loses the first keys. It empties its input for the first time a moment after it was asked to, as on a loaded machine. */
  lossy() {
    let before = '';
    let emptied = false;
    byKey(
      (text) => {
        if (before !== '' && text === '' && !emptied) {
          emptied = true;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
        }
        before = text;
        say(`\r\u001b[Kany> ${text}`);
      },
      commit,
      6,
    );
  },

  /** Keeps a paste of several lines together, as prompt_toolkit does. */
  paste() {
    say('\u001b[?2004h');
    let rows = 0;
    byKey((text) => {
      const lines = text.split('\n');
      say(`${rows > 0 ? `\u001b[${rows}A` : ''}\r\u001b[Jany> ${lines.join('\r\n...> ')}`);
      rows = lines.reduce((sum, line) => sum + 1 + Math.floor((line.length + 5) / 200), -1);
    }, commit);
  },

  /** Draws a whole screen with a frame, and a spinner while it works. */
  screen() {
    const frames = '⠋⠙⠹⠸';
    let busy = 0;
    let shown = '';
    const draw = (text = shown) => {
      shown = text;
      const width = 76;
      const rows: string[] = [];
      for (let at = 0; at <= text.length; at += width) rows.push(text.slice(at, at + width).replaceAll('\n', ' '));
      const box = rows.map((row, index) => `│ ${index === 0 ? '>' : ' '} ${row.padEnd(width)} │`);
      const line = '─'.repeat(width + 4);
      say(
        `\u001b[H\u001b[2J  Any program\r\n\r\n${busy === 0 ? '' : `${frames[busy % 4]} Thinking`}\r\n╭${line}╮\r\n${box.join('\r\n')}\r\n╰${line}╯\r\n  ? for help`,
      );
    };
    say('\u001b[?1049h\u001b[?25l\u001b[?2004h');
    byKey(draw, async () => {
      for (busy = 1; busy < 25; busy += 1) {
        draw();
        await pause(80);
      }
      commit();
      busy = 0;
    });
  },
};

await KINDS[kind]?.();
