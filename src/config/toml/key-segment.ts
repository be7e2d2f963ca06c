const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001b' };

/** Decodes a segment of a TOML key: bare, 'literal' or "with escapes". */
export function keySegment(raw: string): string {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  if (!raw.startsWith('"')) return raw;
  return raw.slice(1, -1).replace(/\\(?:u(.{4})|U(.{8})|x(.{2})|(.))/g, (_, four?: string, eight?: string, two?: string, plain = '') => {
    const code = four ?? eight ?? two;
    return code === undefined ? (ESCAPES[plain] ?? plain) : String.fromCodePoint(Number.parseInt(code, 16));
  });
}
