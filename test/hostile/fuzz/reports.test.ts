import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/adapter.ts';
import { codexAgent } from '../../../src/agents/codex/adapter.ts';
import { CodexDialogue } from '../../../src/agents/codex/protocol/dialogue.ts';
import { demoAgent } from '../../../src/agents/demo/adapter.ts';
import { LlmcError } from '../../../src/base/error.ts';
import { parseSpoolName, readSpool } from '../../../src/store/spool.ts';
import { checkArgs } from '../../../src/supervisor/api/check-args.ts';
import { OPERATIONS } from '../../../src/supervisor/api/operations.ts';
import { QUERIES } from '../../../src/supervisor/api/queries.ts';
import { readRequest } from '../../../src/supervisor/api/read-request.ts';
import { showable } from '../../../src/supervisor/observe/ingest.ts';
import { addReport, NOTHING_REPORTED } from '../../../src/supervisor/observe/reported.ts';
import { readLines } from '../../../src/system/lines.ts';
import { aRequest, NOW, recorded, sentBy } from '../../codex/replay.ts';
import { memoryFiles } from '../../support/memory-files.ts';
import { hostileText, jsonText } from './input.ts';
import { LONGEST_MS, withstands } from './withstands.ts';

vi.setConfig({ testTimeout: LONGEST_MS });

const AGENTS = [claudeAgent, codexAgent, demoAgent];

describe('a report in the spool', () => {
  const payloads = [
    { session_id: 'c1', source: 'startup', prompt: 'x', tool_name: 'Bash', tool_input: { command: 'ls' }, reason: 'exit', message: 'x' },
    { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which?', options: [{ label: 'one' }] }] } },
    { error: 'rate_limit', last_assistant_message: 'limit reached, resets 3pm (UTC)', background_tasks: [{ status: 'running' }] },
    { question: 'Which?', choices: ['one'], tool: 'Bash', command: 'ls', message: 'done', queued: 1, type: 'rate_limit', resets_at: 5 },
  ];
  const words = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PermissionRequest', 'Elicitation', 'Notification'];
  const more = ['Stop', 'StopFailure', 'SessionEnd', 'Interrupt', 'session_start', 'prompt_submit', 'question', 'permission', 'stop'];
  const event = fc.constantFrom(...words, ...more, 'stop_failure', 'tool_start', '__proto__', 'constructor', 'toString');
  const names = fc.oneof(
    { weight: 5, arbitrary: event.map((word) => `1~${word}~x.json`) },
    hostileText.map((text) => text.replaceAll('/', '').slice(0, 200)),
  );
  const files = fc.tuple(
    names,
    fc.oneof(
      jsonText(payloads),
      jsonText(payloads).map((text) => `0123456789abcdef\n${text}`),
    ),
  );

  test('is an event or garbage, and no event breaks what is known of the agent', () => {
    withstands(files, ([name, text]) => {
      const spool = memoryFiles();
      spool.writePrivate(`/spool/${name}`, text);
      for (const { event: found } of readSpool(spool, '/spool', 'adam').read) {
        if (found === undefined) continue;
        for (const agent of AGENTS) {
          const shown = showable(agent.translate(found));
          const row = { seq: 1, worker: 'adam', incarnation: 1, name: found.name, at: 1, fate: 'applied' as const, event: shown };
          expect(JSON.stringify(addReport(NOTHING_REPORTED, row))).not.toContain('\u001b');
        }
      }
    });
  });

  test('has a name of ours, or none', () => {
    withstands(hostileText, (name) => expect(parseSpoolName(name)?.event ?? 'x').toMatch(/^[A-Za-z_]+$/));
  });
});

describe('a line on the socket', () => {
  const requests = [
    { version: '1', name: 'start', args: { worker: 'adam', prompt: 'x', expects: 'commit', queue: true, timeoutMs: 1 } },
    { version: '1', name: 'status', args: {} },
    { version: '1', name: 'add', args: { name: 'adam', overrides: { agent: 'demo', excluded_from_pool: true } } },
    { version: '1', name: 'reject', args: { worker: 'adam', notes: [{ file: 'a', line: 1, text: 'x' }], feedback: 'x', timeoutMs: 1 } },
    { version: '1', name: 'answer', args: { worker: 'adam', choice: '1' } },
  ];
  const schemas = Object.values({ ...OPERATIONS, ...QUERIES }).map(({ args }) => args);

  test('is a request with arguments of the right shape, or a mistake of the caller', () => {
    withstands(jsonText(requests), (line) => {
      const attempts = [() => readRequest(line), ...schemas.map((schema) => () => checkArgs<unknown>(schema, readRequest(line).args))];
      for (const attempt of attempts) {
        try {
          attempt();
        } catch (error) {
          if (!(error instanceof LlmcError) || error.code !== 'INVALID_ARGUMENT') throw error;
        }
      }
    });
  });

  test('arrives whole however its bytes are cut', async () => {
    const bytes = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(bytes, async (chunks) => {
        const whole = Buffer.concat(chunks);
        const lines: string[] = [];
        for await (const line of readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), 2_000)) lines.push(line);
        const expected = whole.toString('latin1').split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(lines).toEqual(expected.map((line) => Buffer.from(line, 'latin1').toString('utf8').replace(/\r$/, '')));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a message of Codex', () => {
  const folder = join(import.meta.dirname, '../../fixtures/codex-protocol');
  const connections = readdirSync(folder).map((name) => recorded(name.replace('.jsonl', '')));
  const heard = connections.flat().flatMap((line) => ('hear' in line ? [line.hear] : []));
  const message = jsonText(heard);

  test('never ends the dialogue with an exception, whatever came before it', () => {
    const opening = connections[0]?.flatMap((line) => ('hear' in line ? [JSON.stringify(line.hear)] : [])) ?? [];
    const talks = fc.tuple(fc.nat(opening.length), fc.array(message, { maxLength: 8 }));
    withstands(talks, ([begun, messages]) => {
      const dialogue = new CodexDialogue(aRequest({ kind: 'fresh', id: '' }));
      dialogue.hello();
      for (const text of [...opening.slice(0, begun), ...messages]) {
        const { events, send } = dialogue.receive(text, NOW);
        for (const { event } of events) JSON.stringify(showable(event));
        for (const each of send) JSON.parse(each);
      }
      for (const each of [
        dialogue.prompt('1', 'x'),
        sentBy(dialogue.answer('1')),
        dialogue.interrupt(),
        dialogue.readAgain(),
        dialogue.startOver(),
      ])
        JSON.parse(each ?? 'null');
    });
  });
});
