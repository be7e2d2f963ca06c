/**
 * Writes the seal and the hook's stdin as one file into the spool: first under a dot name, then renamed,
 * so that llmc never reads half a file. The seal is in the file, because `mv` would show a name in `ps`.
 * Agents wait for their hooks and read output and exit status as decisions, so this hook prints nothing, always succeeds and starts only `cat` and `mv` (Node would cost 30-70 ms).
 * The file name has the process id. Process ids repeat, so the hook adds a number if the name already exists.
 */
export const HOOK_SCRIPT = `#!/bin/sh
exec 2>/dev/null
umask 077
name="$LLMC_INCARNATION~$1~$$"
count=0
while [ -e "$LLMC_SPOOL/$name.json" ] || [ -e "$LLMC_SPOOL/.$name" ]; do
  count=$((count + 1))
  name="$LLMC_INCARNATION~$1~$$-$count"
done
if [ -d "$LLMC_SPOOL" ] && { printf '%s\\n' "$LLMC_SEAL" && cat; } >"$LLMC_SPOOL/.$name"; then
  mv "$LLMC_SPOOL/.$name" "$LLMC_SPOOL/$name.json"
else
  rm -f "$LLMC_SPOOL/.$name"
  cat >/dev/null
fi
exit 0
`;
