import type { Entry } from './model.ts';
import type { AskedFile } from './results/asked-files.ts';

/** An entry of the conversation file, one JSON line each. */
export type Fact =
  | { readonly type: 'start'; readonly id: string; readonly used: readonly number[] }
  | { readonly type: 'entry'; readonly entry: Entry }
  | {
      readonly type: 'turn';
      readonly turn: number | null;
      readonly prompt: string;
      readonly at: number;
      readonly files: readonly AskedFile[];
    }
  /** A prompt that continues the turn before it. */
  | { readonly type: 'go_on'; readonly prompt: string; readonly at: number }
  | { readonly type: 'answer'; readonly step: number; readonly answer: string }
  /** The agent left a verdict that asks for changes. */
  | { readonly type: 'remarks' }
  | { readonly type: 'done'; readonly steps: number }
  | { readonly type: 'end' };

type Fields = Readonly<Record<string, unknown>>;

/** The fact in a line; none if the line is incomplete or foreign. */
export function parseFact(line: string): Fact[] {
  const fields = fieldsOf(parseJson(line));
  const { type } = fields;
  if (type === 'start' && typeof fields.id === 'string' && Array.isArray(fields.used)) {
    return [{ type, id: fields.id, used: fields.used.filter((turn) => typeof turn === 'number') }];
  }
  if (type === 'entry') return parseEntry(fieldsOf(fields.entry)).map((entry) => ({ type, entry }));
  if (type === 'turn' && typeof fields.prompt === 'string' && typeof fields.at === 'number') {
    const { turn, prompt, at, files } = fields;
    const asked = Array.isArray(files) ? files.flatMap((file) => parseFile(fieldsOf(file))) : [];
    return [{ type, turn: typeof turn === 'number' ? turn : null, prompt, at, files: asked }];
  }
  if (type === 'go_on' && typeof fields.prompt === 'string' && typeof fields.at === 'number')
    return [{ type, prompt: fields.prompt, at: fields.at }];
  if (type === 'answer' && typeof fields.step === 'number' && typeof fields.answer === 'string') {
    return [{ type, step: fields.step, answer: fields.answer }];
  }
  if (type === 'done' && typeof fields.steps === 'number') return [{ type, steps: fields.steps }];
  return type === 'end' || type === 'remarks' ? [{ type }] : [];
}

function parseFile({ path, schema }: Fields): AskedFile[] {
  return typeof path === 'string' ? [{ path, ...(schema !== undefined && { schema }) }] : [];
}

function parseEntry(fields: Fields): Entry[] {
  const { kind, text, title, output, ms, message } = fields;
  if ((kind === 'prompt' || kind === 'said' || kind === 'note') && typeof text === 'string') return [{ kind, text }];
  if (kind === 'tool' && typeof title === 'string' && typeof output === 'string') return [{ kind, title, output }];
  if (kind === 'finished' && typeof ms === 'number') return [{ kind, ms }];
  if (kind === 'failed' && typeof fields.type === 'string' && typeof message === 'string') return [{ kind, type: fields.type, message }];
  return kind === 'interrupted' ? [{ kind }] : [];
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
