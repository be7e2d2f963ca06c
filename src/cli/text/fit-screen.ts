/** A page for a terminal of this size: remarks are broken between words, other lines end at the edge, and what does not fit below is counted. */
export function fitScreen(text: string, columns: number, rows: number): string {
  const lines = text.split('\n').flatMap((line) => (line.trimStart().startsWith('↳') ? brokenUp(line, columns) : [cut(line, columns)]));
  if (lines.length < rows) return lines.join('\n');
  const shown = lines.slice(0, Math.max(1, rows - 2));
  return [...shown, `… ${lines.length - shown.length} more lines: llmc status`].join('\n');
}

function brokenUp(line: string, columns: number): readonly string[] {
  const start = line.indexOf('↳');
  const indent = ' '.repeat(start + 2);
  const lines: string[] = [];
  let current = line.slice(0, start + 1);
  for (const word of line
    .slice(start + 1)
    .split(' ')
    .filter(Boolean)) {
    const longer = `${current} ${word}`;
    if (longer.length <= columns || current.trim() === '↳') current = longer;
    else {
      lines.push(current);
      current = `${indent}${word}`;
    }
  }
  return [...lines, current];
}

/** Colours take no room, and the last of them is kept: it ends the others. */
function cut(line: string, columns: number): string {
  let room = columns;
  return line.replace(/\u001b\[[0-9;]*m|./gu, (sign) => {
    if (sign.startsWith('\u001b')) return sign;
    room -= 1;
    return room >= 0 ? sign : '';
  });
}
