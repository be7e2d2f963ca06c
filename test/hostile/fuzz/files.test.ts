import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/adapter.ts';
import { codexAgent } from '../../../src/agents/codex/adapter.ts';
import { LlmcError } from '../../../src/base/error.ts';
import { addWorkerTable } from '../../../src/config/edit.ts';
import { initialConfig } from '../../../src/config/initial.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import { readConfigLeniently } from '../../../src/config/read-config-leniently.ts';
import { parseRecord, recordLine } from '../../../src/git/rescue/rescue-record.ts';
import { makeLayout } from '../../../src/store/layout.ts';
import { readStateFileLeniently } from '../../../src/store/read-state-leniently.ts';
import { inOwnPlaces } from '../../../src/store/state.ts';
import { readStateFile } from '../../../src/store/state-file.ts';
import { statusReport } from '../../../src/supervisor/report/status-report.ts';
import { aState, aWorker, ofRun } from '../../../src/workers/samples.ts';
import { scratchFolder } from '../../repo/scratch.ts';
import { hostileText, jsonLines, jsonText } from './input.ts';
import { LONGEST_MS, withstands } from './withstands.ts';

vi.setConfig({ testTimeout: LONGEST_MS });

/** Fails for any error that a caller does not expect. */
function onlyKnown(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof LlmcError)) throw error;
  }
}

describe('state.json', () => {
  const limit = {
    account: 'claude',
    worker: 'adam',
    why: 'x',
    since_ms: 1,
    until_ms: 2,
    named: true,
    continues_by_itself: false,
    jitter: 0.5,
    event: 0,
    ended_ms: null,
    ended_event: 0,
  };
  const states = [
    {
      ...aState(aWorker(), aWorker({ name: 'baker', attention: { kind: 'trouble', message: 'x', hint: null } })),
      limits: { claude: limit },
    },
    aState(aWorker({ conversation_id: 'c1', commit_sha: 'a'.repeat(40), conflicted_files: ['a'] })),
  ];

  test('is valid or broken, and no state in it leaves the root', () => {
    withstands(jsonText(states), (text) => {
      const read = readStateFile('state.json', { readText: () => text });
      if (read.kind !== 'ok') return;
      for (const worker of Object.values(inOwnPlaces(read.state, (name) => `/root/.worktrees/${name}`).workers)) {
        expect(worker.worktree_path).toMatch(/^\/root\/\.worktrees\/[a-z][a-z0-9-]*$/);
        expect(worker.session_id).toMatch(/^llmc-[a-z][a-z0-9-]*$/);
        expect(worker.conversation_id ?? 'x').toMatch(/^\w/);
      }
    });
  });
});

test('state.json is shown by the status, or one error says what is wrong with it', () => {
  using scratch = scratchFolder();
  const layout = makeLayout(scratch.path);
  const limit = { account: 'claude', worker: 'adam', why: 'x', since_ms: 1, until_ms: 2, ended_ms: null };
  const states = [
    aState(aWorker({ current_prompt: 'x', conflicted_files: ['a'] }), aWorker({ name: 'baker', summary: 'Done.', run: ofRun() })),
    { ...aState(aWorker()), limits: { claude: limit } },
  ];
  const supervisor = { running: false, pid: null, since_unix: null, stalled_since_unix: null };
  const facts = { root: '/root', source: '/source', branch: 'main', problems: [], supervisor, now: 1, modelOf: () => '' };
  withstands(jsonText(states), (text) => {
    writeFileSync(layout.state, text);
    onlyKnown(() => {
      const { state } = readStateFileLeniently(layout);
      statusReport({ ...facts, state, deliveryOf: () => null, accountOf: (agent) => agent, watchedOf: () => undefined });
    });
  });
});

describe('config.toml', () => {
  const sound = initialConfig({ source: '/source', branch: 'main', agent: 'demo' });
  const keys = ['repo', 'defaults', 'agents', 'workers', 'budget', 'pane', '__proto__', 'constructor', 'agents.x', 'workers.adam'];
  const value = fc.oneof(
    fc.constantFrom(
      '1e400',
      '-1',
      'nan',
      'inf',
      '{}',
      '[]',
      '"\\u0000"',
      'true',
      "'''\n'''",
      '1979-05-27',
      '{ __proto__ = { polluted = true } }',
    ),
    hostileText.map((text) => JSON.stringify(text)),
    fc.integer({ min: 1, max: 2_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  );
  const line = fc.oneof(
    fc.constantFrom(...keys).map((key) => `[${key}]`),
    fc
      .tuple(fc.constantFrom('source', 'branch', 'agent', 'extends', 'ready', 'box', 'env', 'account', 'model', '__proto__'), value)
      .map((pair) => pair.join(' = ')),
    hostileText,
  );
  const texts = fc
    .tuple(fc.boolean(), fc.array(line, { maxLength: 12 }))
    .map(([begun, lines]) => [begun ? sound : '', ...lines].join('\n'));

  test('is valid, or one error says where it is not', () => {
    withstands(texts, (text) => onlyKnown(() => parseConfig(text, 'config.toml')));
  });

  test('is read for the status whatever it holds', () => {
    withstands(texts, (text) => {
      const { accountOf, modelOf } = readConfigLeniently(text);
      for (const name of ['adam', 'x', '__proto__', 'constructor']) expect(`${accountOf(name)}${modelOf(name, name)}`).toBeTypeOf('string');
    });
  });

  test('is edited, or the edit is refused', () => {
    withstands(texts, (text) => onlyKnown(() => addWorkerTable(text, 'adam', { agent: 'demo' })));
  });
});

describe('the record of a rescue', () => {
  const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
  const inside = [{ path: 'sub', sha: A, head: null, recorded: B, kind: 'repository' as const }];
  const records = [
    { files: 1, commits: 2, task: 'x', inside },
    { files: 0, commits: null, task: null, inside: [], others: [] },
  ];
  const prefix = recordLine({ files: 0, commits: null, task: null, inside: [], others: [] }).split('{')[0] ?? '';
  const messages = fc.oneof(
    fc.tuple(hostileText, jsonText(records)).map(([subject, text]) => `${subject}\n\n${prefix}${text}\n`),
    fc.tuple(hostileText, jsonText(inside)).map(([subject, text]) => `${subject}\n\nInside: ${text}\n`),
    hostileText,
  );

  test('never names an option or a path outside', () => {
    withstands(messages, (message) => {
      for (const { path, sha, head, recorded } of parseRecord(message).inside) {
        expect(path.split('/')).not.toContain('..');
        expect(path).not.toMatch(/^\/|\0/);
        for (const name of [sha, head, recorded]) expect(name ?? A).toMatch(/^[0-9a-f]{40,64}$/);
      }
    });
  });
});

describe('a transcript', () => {
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 };
  const claude = [
    { type: 'user', timestamp: '2026-11-15T00:00:00Z', message: { role: 'user', content: 'hello' } },
    { type: 'user', timestamp: '2026-11-15T00:00:00Z', message: { content: [{ type: 'text', text: 'x' }] } },
    { type: 'queue-operation', operation: 'enqueue', content: 'x', timestamp: '' },
    { type: 'assistant', timestamp: '', message: { id: 'm1', content: [], usage } },
  ];
  const tokens = { input_tokens: 5, cached_input_tokens: 1, cache_write_input_tokens: 0, output_tokens: 2 };
  const info = { total_token_usage: tokens, last_token_usage: tokens, model_context_window: 1_000 };
  const item = { type: 'UserMessage', content: [{ type: 'text', text: 'hello' }] };
  const codex = [
    { timestamp: '2026-11-15T00:00:00Z', payload: { type: 'item_completed', item } },
    { timestamp: '2026-11-15T00:00:00Z', payload: { type: 'token_count', info } },
  ];

  test.each([
    ['Claude Code', claudeAgent, claude],
    ['Codex', codexAgent, codex],
  ])('of %s yields prompts and figures, or nothing', (_, { transcript }, lines) => {
    withstands(jsonLines(lines), (text) => {
      for (const prompt of transcript?.prompts(text) ?? []) expect(`${prompt.text}${prompt.at}`).toBeTypeOf('string');
      const reader = transcript?.usageReader?.();
      reader?.feed(text);
      for (const figure of Object.values(reader?.usage() ?? {})) expect(figure ?? 0).toSatisfy(Number.isFinite);
    });
  });
});

test('the status file of Claude Code shows an activity, or nothing', () => {
  const status = {
    pid: 1,
    sessionId: 's',
    status: 'waiting',
    waitingFor: 'permission',
    cwd: '/',
    version: '2',
    procStart: '1',
    updatedAt: 1,
  };
  withstands(jsonText([status, { ...status, status: 'idle' }]), (text) => {
    const read = claudeAgent.statusFile?.read(text);
    expect(read === undefined || typeof read.activity.kind === 'string').toBe(true);
  });
});
