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
  return new KeyDecoder();
}

class KeyDecoder implements Decoder {
  readonly #utf8 = new StringDecoder('utf8');
  #pending = '';
  #pasted: string | undefined;

  get waiting(): boolean {
    return this.#pending !== '';
  }

  feed(chunk: Uint8Array): Input[] {
    let text = this.#pending + this.#utf8.write(Buffer.from(chunk));
    this.#pending = '';
    const inputs: Input[] = [];
    // Like Claude Code: text and CR in one read without brackets count as a paste, so that CR is a line break in it.
    if (this.#pasted === undefined && !text.includes(ESC) && (/[^\r\n][\r\n]|[\r\n][^\r\n]/.test(text) || text.length > BURST)) {
      return [{ kind: 'paste', text: lineBreaks(text) }];
    }
    while (text !== '') {
      if (this.#pasted !== undefined) {
        text = this.#takePaste(text, this.#pasted, inputs);
      } else if (text.startsWith(ESC)) {
        const rest = this.#takeSequence(text, inputs);
        if (rest === undefined) {
          this.#pending = text;
          break;
        }
        text = rest;
      } else {
        text = takePlain(text, inputs);
      }
    }
    return inputs;
  }

  flush(): Input[] {
    const lone = this.#pending === ESC;
    this.#pending = '';
    return lone ? [{ kind: 'key', name: 'escape' }] : [];
  }

  // Search the end mark in the joined tail, because two reads may split it.
  #takePaste(text: string, before: string, inputs: Input[]): string {
    const from = Math.max(0, before.length - PASTE_END.length);
    const joined = before + text;
    const end = joined.indexOf(PASTE_END, from);
    if (end === -1) {
      this.#pasted = joined;
      return '';
    }
    inputs.push({ kind: 'paste', text: lineBreaks(joined.slice(0, end)) });
    this.#pasted = undefined;
    return joined.slice(end + PASTE_END.length);
  }

  #takeSequence(text: string, inputs: Input[]): string | undefined {
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
    if (body === '200~') this.#pasted = '';
    const name = SEQUENCE[body];
    if (name !== undefined) inputs.push({ kind: 'key', name });
    return after.slice(found[0].length);
  }
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
