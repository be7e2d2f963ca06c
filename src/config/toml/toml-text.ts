/** A value as TOML text. Writes a multi-line text as several lines, if the line endings of the file allow it. */
export function tomlValue(value: string | boolean | number | readonly string[], lineEnd: '\n' | '\r\n'): string {
  if (typeof value === 'string') return value.includes('\n') && lineEnd === '\n' ? multiLine(value) : oneLine(value);
  if (typeof value === 'object') return `[${value.map(oneLine).join(', ')}]`;
  return String(value);
}

// All JSON escapes are TOML escapes. TOML also requires an escaped DEL, and cannot hold half a surrogate pair.
function oneLine(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', '\\u007F');
}

/** For LF files only: in a CRLF file the line breaks of the text would become CRLF too. */
function multiLine(text: string): string {
  const body = oneLine(text).slice(1, -1);
  // Unescape only allowed characters: not two quotes in a row, and not a quote before the closing three.
  const readable = body.replace(/\\(.)/g, (whole, letter: string) => (letter === 'n' ? '\n' : letter === '"' ? '"' : whole));
  return `"""\n${readable.replace(/"(?="|$)/g, '\\"')}"""`;
}
