import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addWorkerTable, removeWorker } from './edit.ts';
import { initialConfig } from './initial.ts';
import { parseConfig } from './parse.ts';

const START = initialConfig({ source: '/src/a "b"', branch: 'main', agent: 'demo' });

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('the starter file', () => {
  test('is valid and says what it was given', () => {
    const { repo, defaults } = parseConfig(START, 'config.toml');
    expect(repo).toMatchObject({ source: '/src/a "b"', branch: 'main' });
    expect(defaults.agent).toBe('demo');
  });

  test('shows only options that exist', () => {
    const shown = START.replace(/^# (?=(\[|[a-z_]+ = ))/gm, '').replace('[workers.adam]', '[workers.eve]');
    expect(parseConfig(shown, 'config.toml')).toMatchObject({ repo: { validate: ['npm test'] }, workers: { eve: { model: 'sonnet' } } });
  });
});

describe('the starter file for any path', () => {
  test('holds it exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (rest) => {
        const source = `/${rest.replaceAll('\0', '')}`;
        expect(parseConfig(initialConfig({ source, branch: 'main', agent: 'demo' }), 'config.toml').repo.source).toBe(source);
      }),
    );
  });
});

describe('adding a worker', () => {
  test('appends one table and leaves the rest of the file alone', () => {
    expect(addWorkerTable(START, 'adam', { model: 'sonnet', excluded_from_pool: true, allowed_tools: ['Read', 'Edit'] })).toBe(
      `${START}\n[workers.adam]\nmodel = "sonnet"\nexcluded_from_pool = true\nallowed_tools = ["Read", "Edit"]\n`,
    );
  });

  test('writes a role of several lines as several lines', () => {
    expect(addWorkerTable(START, 'adam', { role_prompt: 'You are Adam.\nYou say "hm".\n' })).toBe(
      `${START}\n[workers.adam]\nrole_prompt = """\nYou are Adam.\nYou say "hm".\n"""\n`,
    );
  });

  test('twice is the same as once', () => {
    const once = addWorkerTable(START, 'adam', { model: 'sonnet' });
    expect(addWorkerTable(once, 'adam', { model: 'sonnet' })).toBe(once);
    expect(addWorkerTable(once, 'adam')).toBe(once);
  });

  test('to a table that is there changes only what is given', () => {
    const text = lines(
      '[repo]',
      'source = "/src"',
      '',
      '# ours',
      '[workers.adam] # Adam',
      'model = "opus" # big',
      'agent = "demo"',
      '',
      '# end',
    );
    expect(addWorkerTable(text, 'adam', { model: 'haiku' })).toBe(text.replace('"opus"', '"haiku"'));
  });

  test.each([
    ['an inline table', 'workers = { adam = {} }\n[repo]\nsource = "/src"\n'],
    ['inline tables in a table', '[repo]\nsource = "/src"\n[workers]\nadam = { model = "x" } # hi\n'],
    ['dotted keys', 'workers.adam.model = "x"\n[repo]\nsource = "/src"\n'],
    ['dotted keys in a table', '[repo]\nsource = "/src"\n[workers]\nadam.model = "x"\n[notify]\n'],
    ['CRLF', '[repo]\r\nsource = "/src"\r\n[workers.adam]\r\nmodel = "x"\r\n'],
    ['a byte order mark', '\uFEFF[workers.adam]\nmodel = "x"\n[repo]\nsource = "/src"\n'],
    ['no line end at the end', '[workers.adam]\n[repo]\nsource = "/src" # x'],
  ])('works where workers are written with %s, and back', (_, text) => {
    const added = addWorkerTable(text, 'eve', { role_prompt: 'a\nb', skip_permissions: false });
    expect(parseConfig(added, 'config.toml').workers['eve']).toEqual({ rolePrompt: 'a\nb', skipPermissions: false });
    expect(parseConfig(removeWorker(added, 'eve'), 'config.toml')).toEqual(parseConfig(text, 'config.toml'));
    expect(parseConfig(removeWorker(added, 'adam'), 'config.toml').workers).toEqual({
      eve: { rolePrompt: 'a\nb', skipPermissions: false },
    });
  });

  test('keeps the line ends of a CRLF file', () => {
    const added = addWorkerTable('[repo]\r\nsource = "/src"\r\n', 'eve', { role_prompt: 'a\nb' });
    expect(added).toBe('[repo]\r\nsource = "/src"\r\n\r\n[workers.eve]\r\nrole_prompt = "a\\nb"\r\n');
  });

  test('refuses a bad name, a bad value and a broken file', () => {
    expect(() => addWorkerTable(START, 'a]\nb', {})).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(() => addWorkerTable(START, 'adam', { role_prompt: 'a\0b' })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(() => addWorkerTable('[repo]\n', 'adam', {})).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  const nasty = fc.array(
    fc.oneof(
      fc.constantFrom('"', '"""', "'''", '\\', '\n', '\r\n', '\r', '\t', ' ', '\u007f', '\u001b', '#', ']', '\u2028', '\\u0041'),
      fc.string({ unit: 'binary' }),
    ),
  );
  const role = nasty.map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());

  test('any role prompt comes back as it was, in LF and CRLF files', () => {
    fc.assert(
      fc.property(role, fc.boolean(), (prompt, crlf) => {
        const start = crlf ? START.replaceAll('\n', '\r\n') : START;
        const added = addWorkerTable(start, 'adam', { role_prompt: prompt, allowed_tools: [prompt] });
        expect(parseConfig(added, 'config.toml').workers['adam']).toEqual({ rolePrompt: prompt, allowedTools: [prompt] });
        expect(added.startsWith(start)).toBe(true);
        expect(removeWorker(added, 'adam')).toBe(start);
      }),
    );
  });

  test('any role prompt can replace another', () => {
    fc.assert(
      fc.property(role, role, (before, after) => {
        const added = addWorkerTable(START, 'adam', { role_prompt: before });
        expect(parseConfig(addWorkerTable(added, 'adam', { role_prompt: after }), 'config.toml').workers['adam']).toEqual({
          rolePrompt: after,
        });
      }),
      { numRuns: 50 },
    );
  });

  test('half a surrogate pair, which no file can hold, is replaced', () => {
    expect(parseConfig(addWorkerTable(START, 'adam', { role_prompt: 'a\ud800' }), 'config.toml').workers['adam']?.rolePrompt).toBe(
      'a\ufffd',
    );
  });
});

describe('removing a worker', () => {
  test('takes the comments that touch its table, and no others', () => {
    const text = lines(
      '# file',
      '',
      '[repo]',
      'source = "/src"',
      '',
      '# about Adam',
      '[workers.adam] # him',
      'model = "x"',
      '# agent = "demo"',
      '',
      '# about Eve',
      '[workers.eve]',
      '# tail',
    );
    expect(removeWorker(text, 'adam')).toBe(lines('# file', '', '[repo]', 'source = "/src"', '', '# about Eve', '[workers.eve]', '# tail'));
    expect(removeWorker(removeWorker(text, 'adam'), 'eve')).toBe(lines('# file', '', '[repo]', 'source = "/src"'));
  });

  test('leaves a comment that runs into the next table', () => {
    const text = lines('[repo]', 'source = "/src"', '[workers.adam]', 'model = "x"', '# about Eve', '[workers.eve]');
    expect(removeWorker(text, 'adam')).toBe(lines('[repo]', 'source = "/src"', '# about Eve', '[workers.eve]'));
  });

  test('is not misled by a table-like text in a string', () => {
    const text = lines(
      '[repo]',
      'source = "/src"',
      '[defaults]',
      'role_prompt = """',
      '[workers.adam]',
      '"""',
      '[workers.adam]',
      'model = "x"',
    );
    expect(removeWorker(text, 'adam')).toBe(lines('[repo]', 'source = "/src"', '[defaults]', 'role_prompt = """', '[workers.adam]', '"""'));
  });

  test('that has no table changes nothing', () => {
    expect(removeWorker(START, 'adam')).toBe(START);
    expect(removeWorker(START, 'constructor')).toBe(START);
  });
});
