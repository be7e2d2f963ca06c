import type { Content } from '../../proof/tree-file.ts';
import type { ObjectView } from '../object-view.ts';
import { type Git, type GitCall, gitFailed } from '../run.ts';

/** Above this size a file is a build product or data: comparing its lines would block the supervisor for seconds. */
const LARGEST = 2 * 1024 * 1024;
/** Less than the output that llmc reads of one process. */
const LARGEST_TOTAL = 48 * 1024 * 1024;

const lines = (ids: Iterable<string>): string => [...ids].map((id) => `${id}\n`).join('');
const sizesCall = (view: ObjectView, ids: Iterable<string>): GitCall => ({ ...view.call('cat-file', '--batch-check'), stdin: lines(ids) });
const contentsCall = (view: ObjectView, ids: Iterable<string>): GitCall => ({
  ...view.call('cat-file', '--batch', '--buffer'),
  stdin: lines(ids),
});

/** Reads the lines of blobs. One too many or too large is `large`, a binary one `opaque`. */
export async function readContents(git: Git, view: ObjectView, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Content>> {
  const contents = new Map<string, Content>([...ids].map((id) => [id, { kind: 'large' }]));
  if (ids.size === 0) return contents;
  let room = LARGEST_TOTAL;
  const small = parseSizes(await git.ok(sizesCall(view, ids))).filter(({ size }) => {
    const fits = size <= LARGEST && size <= room;
    if (fits) room -= size;
    return fits;
  });
  if (small.length === 0) return contents;
  const call = contentsCall(
    view,
    small.map(({ id }) => id),
  );
  const answer = await git.run(call, { encoding: 'latin1' });
  if (answer.status !== 0) throw gitFailed(call, answer);
  for (const [id, bytes] of parseBlobs(answer.stdout)) contents.set(id, parseContent(bytes));
  return contents;
}

/** `<hash> blob <size>`; another type, or `missing`, has no lines. */
function parseSizes(output: string): readonly { readonly id: string; readonly size: number }[] {
  return output.split('\n').flatMap((line) => {
    const [id = '', type, size] = line.split(' ');
    return type === 'blob' ? [{ id, size: Number(size) }] : [];
  });
}

/** Each content follows a line with its size in bytes, so no content can pass for another one. */
export function* parseBlobs(output: string): Generator<readonly [id: string, bytes: string]> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const [id = '', type, size] = output.slice(at, end).split(' ');
    if (end === -1 || type !== 'blob') return;
    const start = end + 1;
    at = start + Number(size) + 1;
    yield [id, output.slice(start, at - 1)];
  }
}

/** As git decides: a file with a zero byte in its first 8,000 is binary. */
const isBinary = (bytes: string): boolean => bytes.slice(0, 8_000).includes('\0');

function parseContent(bytes: string): Content {
  if (isBinary(bytes)) return { kind: 'opaque' };
  const all = decodeText(bytes).split('\n');
  if (all.at(-1) === '') all.pop();
  return { kind: 'lines', lines: all };
}

/** A file in another encoding than UTF-8 keeps its bytes, so that two of its letters stay different. */
function decodeText(bytes: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes;
  }
}
