/** A value as TOML text. Several lines stay readable as several lines where the file's line ends allow it. */
export function tomlValue(value: string | boolean | number | readonly string[], lineEnd: '\n' | '\r\n'): string {
  if (typeof value === 'string') return value.includes('\n') && lineEnd === '\n' ? multiLine(value) : oneLine(value);
  if (typeof value === 'object') return `[${value.map(oneLine).join(', ')}]`;
  return String(value);
}

// JSON's escapes are all TOML escapes too. TOML also wants DEL escaped and has no room for half a surrogate pair.
function oneLine(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007F');
}

/** In a CRLF file the line ends inside would turn into CRLF too, so this is for LF files only. */
function multiLine(text: string): string {
  const body = oneLine(text).slice(1, -1);
  // Undo only what may stand as itself; two quotes in a row, or one before the closing three, may not.
  const readable = body.replace(/\\(.)/g, (whole, letter: string) => (letter === 'n' ? '\n' : letter === '"' ? '"' : whole));
  return `"""\n${readable.replace(/"(?="|$)/g, '\\"')}"""`;
}
