import { visibleLine } from '../../base/visible-text.ts';
import type { ReportOutput } from '../report/write-report.ts';

/** The list of what an archive holds, and of what is missing in it. */
export function contentsText({ parts, left_out }: ReportOutput): string {
  const width = Math.max(0, ...parts.map(({ name }) => name.length));
  const listed = parts.map(({ name, bytes, redacted }) => {
    const places = redacted === 0 ? '' : `, ${redacted === 1 ? '1 place' : `${redacted} places`} redacted`;
    return `  ${name.padEnd(width)}  ${sizeText(bytes)}${places}`;
  });
  const missing = left_out.map(({ name, reason }) => visibleLine(`  ${name}: ${reason}`));
  return [`${parts.length} files:`, ...listed, ...(missing.length === 0 ? [] : ['Left out:', ...missing])].join('\n');
}

export function writtenText({ file }: ReportOutput): string {
  if (file === null) return 'Nothing was written (--dry-run).';
  return visibleLine(`Wrote ${file}. Look through it before you give it to others.`);
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${Math.ceil(bytes / 1024)} KB`;
}
