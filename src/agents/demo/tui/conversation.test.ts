import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { promptsIn } from '../transcript.ts';
import { appendFacts, conversationFile, readConversation, recall } from './conversation.ts';
import type { Fact } from './fact.ts';

const story: Fact[] = [
  { type: 'start', id: 'x', used: [0] },
  { type: 'entry', entry: { kind: 'prompt', text: 'go' } },
  { type: 'turn', turn: 1, prompt: 'go', at: 5, files: [{ path: 'a.md' }, { path: 'b.yaml', schema: { type: 'object' } }] },
  { type: 'done', steps: 1 },
  { type: 'answer', step: 1, answer: 'B' },
  { type: 'done', steps: 2 },
];

describe('a conversation', () => {
  test('remembers an open turn with its progress', () => {
    const files = [{ path: 'a.md' }, { path: 'b.yaml', schema: { type: 'object' } }];
    expect(recall(story)).toEqual({
      entries: [{ kind: 'prompt', text: 'go' }],
      used: [0, 1],
      open: { turn: 1, prompt: 'go', at: 5, files, answers: [{ step: 1, answer: 'B' }], done: 2 },
      files,
      remarks: 0,
    });
    expect(recall([...story, { type: 'end' }]).open).toBeNull();
  });

  test('keeps the files of a task when a later prompt names one of them, until another task', () => {
    const turn = (path: string): Fact => ({ type: 'turn', turn: null, prompt: '', at: 6, files: [{ path }] });
    expect(recall([...story, turn('a.md')]).files.map(({ path }) => path)).toEqual(['a.md', 'b.yaml']);
    expect(recall([...story, turn('c.md')]).files.map(({ path }) => path)).toEqual(['c.md']);
  });

  test('counts the verdicts that asked for changes', () => {
    expect(recall([...story, { type: 'remarks' }, { type: 'end' }, { type: 'remarks' }]).remarks).toBe(2);
  });

  test('survives an incomplete line after a crash, and foreign lines', () => {
    const directory = mkdtempSync(join(tmpdir(), 'llmc-conversation-'));
    try {
      const file = join(directory, 'deep', 'x.jsonl');
      for (const fact of story) appendFacts(file, [fact]);
      writeFileSync(file, `${readFileSync(file, 'utf8')}null\n7\n{"type":"party"}\n{"type":"entry","entry":{"kind":"sai`);
      expect(readConversation(file)).toEqual(story);
      expect(promptsIn(readFileSync(file, 'utf8'))).toEqual([{ text: 'go', at: 5 }]);
      // The next process does not lose its first fact to the line that was cut off.
      appendFacts(file, [{ type: 'end' }, { type: 'remarks' }]);
      expect(readConversation(file)).toEqual([...story, { type: 'end' }, { type: 'remarks' }]);
      expect(readConversation(join(directory, 'other.jsonl'))).toBeUndefined();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test.for([
    [{ LLMC_SCRATCH: '/r/scratch', LLMC_DEMO_HOME: '/h' }, '/r/scratch/conversations/x.jsonl'],
    [{ LLMC_DEMO_HOME: '/h', XDG_STATE_HOME: '/s' }, '/h/llmc-demo-agent/x.jsonl'],
    [{ XDG_STATE_HOME: '/s', HOME: '/home/u' }, '/s/llmc-demo-agent/x.jsonl'],
    [{ HOME: '/home/u' }, '/home/u/.local/state/llmc-demo-agent/x.jsonl'],
  ] as const)('is kept where the environment says: %j', ([env, file]) => {
    expect(conversationFile(env, 'x')).toBe(file);
  });
});
