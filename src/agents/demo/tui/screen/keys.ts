import { StringDecoder } from 'node:string_decoder';

export type KeyName =
  | 'enter'
  | 'newline'
  | 'backspace'
  | 'delete'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'escape'
  | 'ctrl-c'
  | 'ctrl-u';

export type Input =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly name: KeyName };

export interface Decoder {
  /** The inputs in one read from the terminal. */
  feed(chunk: Uint8Array): Input[];
  /** True while a lone ESC waits: it is either the Escape key or the start of a longer sequence. */
  readonly waiting: boolean;
  /** No more bytes came: the lone ESC was the Escape key. */
  flush(): Input[];
}

const ESC = '\u001b';
const PASTE_END = `${ESC}[201~`;
/** A person never types this much in one read. */
const BURST = 800;

const CONTROL: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0001': 'home',
  '\u0003': 'ctrl-c',
  '\u0005': 'end',
  '\u0015': 'ctrl-u',
};

const SEQUENCE: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  '1~': 'home',
  '3~': 'delete',
  '4~': 'end',
  '7~': 'home',
  '8~': 'end',
  '13;2u': 'newline',
};

export function createDecoder(): Decoder {
  const utf8 = new StringDecoder('utf8');
  let pending = '';
  let pasted: string | undefined;

  function feed(chunk: Uint8Array): Input[] {
    let text = pending + utf8.write(Buffer.from(chunk));
    pending = '';
    const inputs: Input[] = [];
    // Like Claude Code: text and CR in one read without brackets count as a paste, so that CR is a line break in it.
    if (pasted === undefined && !text.includes(ESC) && (/[^\r\n][\r\n]|[\r\n][^\r\n]/.test(text) || text.length > BURST)) {
      return [{ kind: 'paste', text: lineBreaks(text) }];
    }
    while (text !== '') {
      if (pasted !== undefined) {
        text = takePaste(text, inputs);
      } else if (text.startsWith(ESC)) {
        const rest = takeSequence(text, inputs);
        if (rest === undefined) {
          pending = text;
          break;
        }
        text = rest;
      } else {
        text = takePlain(text, inputs);
      }
    }
    return inputs;
  }

  // Search the end mark in the joined tail, because two reads may split it.
  function takePaste(text: string, inputs: Input[]): string {
    const from = Math.max(0, (pasted ?? '').length - PASTE_END.length);
    const joined = (pasted ?? '') + text;
    const end = joined.indexOf(PASTE_END, from);
    if (end === -1) {
      pasted = joined;
      return '';
    }
    inputs.push({ kind: 'paste', text: lineBreaks(joined.slice(0, end)) });
    pasted = undefined;
    return joined.slice(end + PASTE_END.length);
  }

  function takeSequence(text: string, inputs: Input[]): string | undefined {
    if (text.startsWith(`${ESC}\r`)) {
      inputs.push({ kind: 'key', name: 'newline' });
      return text.slice(2);
    }
    const after = text.slice(1);
    if (after === '' || /^[[O][\d;?<>=]*$/.test(after)) return undefined;
    const found = /^[[O]([\d;?<>=]*[\x40-\x7e])/.exec(after);
    const body = found?.[1];
    if (found === null || body === undefined) {
      // Two ESC in a row: the first is the Escape key. ESC with a character is an Alt chord, which is ignored.
      if (after.startsWith(ESC)) inputs.push({ kind: 'key', name: 'escape' });
      return after.startsWith(ESC) ? after : after.slice(1);
    }
    if (body === '200~') pasted = '';
    const name = SEQUENCE[body];
    if (name !== undefined) inputs.push({ kind: 'key', name });
    return after.slice(found[0].length);
  }

  return {
    feed,
    get waiting() {
      return pending !== '';
    },
    flush() {
      const lone = pending === ESC;
      pending = '';
      return lone ? [{ kind: 'key', name: 'escape' }] : [];
    },
  };
}

function takePlain(text: string, inputs: Input[]): string {
  const first = text[0] ?? '';
  const name = CONTROL[first];
  if (name !== undefined) {
    inputs.push({ kind: 'key', name });
    return text.slice(1);
  }
  const run = /^[^\p{Cc}]+/u.exec(text)?.[0];
  if (run === undefined) return text.slice(1);
  inputs.push({ kind: 'text', text: run });
  return text.slice(run.length);
}

// A terminal sends the line breaks of a paste as CR (tmux 3.3a `paste-buffer` without -r does too).
function lineBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
