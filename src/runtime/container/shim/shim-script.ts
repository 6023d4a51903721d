/**
 * The shim: a script of the system's shell that starts one run, waits for it and writes down how it ended. It is no program of ours
 * in memory, so it costs little, and it outlives the manager.
 *
 * `sh shim <run folder>` with, in the folder, `run.sh` (see run-script.ts). It leaves there:
 *
 * - `claim`: who the shim is. Made by a hard link: of two shims for one run, one finds it there and ends.
 * - `pid`: who the first process of the run is, written by that process before it becomes the program. A second line, `running`,
 *   follows when everything is made ready and only the program is left to start.
 * - `log`: both outputs, appended. What is said on the way to the program is in `enter-messages`, but for what the last step says: it
 *   has the outputs of the program already, and a name of its own, `lead.<random>` (see start-lead.ts).
 * - `start-error`: why the program could not be run.
 * - `exit`: the exit status. A line that was cut off says nothing, so one write is as good as a file that is moved.
 *
 * `stop` in the folder forbids the start. It is looked for after `pid` was written; who ends a run writes `stop` and then looks for
 * `pid`: one of both sees the other. Every change is told by a line in a file of the folder `events`.
 *
 * The child is in the foreground, because a shell lets what it starts in the background ignore SIGINT and SIGQUIT. Names are relative,
 * because mounts may cover the state folder.
 */
export const shimScript = `#!/bin/sh
run=$1
cd "$run" || exit 1
events=../../../../../events
attempt=\${1##*/}
rest=\${1%/*}
name=\${rest##*/}
rest=\${rest%/*/*}
event=$events/\${rest##*/}.$name.$attempt
tell() { echo "$1" >>"$event"; }
# The name in brackets may hold blanks: fields are counted from its end. Field 22 is the start time.
identify() {
  read -r stat <"$1" || exit 1
  read -r boot </proc/sys/kernel/random/boot_id || exit 1
  pid=\${stat%% *}
  set -f
  set -- \${stat##*) }
  set +f
  identity="$pid \${20} $boot"
  mine="claim.$pid.\${20}.$boot"
}
fail() {
  printf '%s\\n' "$1" >start-error
  exit 128
}
# A shell that could not become what leads to the program: only its own words are in the log.
not_led() {
  read -r first <"$1/log"
  printf '%s\\n' "$first" >"$1/start-error"
  : >"$1/log"
}
# What becomes the first process of the run: in a shell of its own behind new namespaces, in a fork of this one where there are none.
inside() {
  identify /proc/self/stat
  exec >>log 2>&1
  umask 022
  echo "$identity" >pid || fail 'no room on the disk of the state folder'
  [ -e stop ] && exit 137
  afloat_prepare
  afloat_program "$1"
}
. ./run.sh
[ "$2" = inside ] && inside "$1"

# A handler, not ignored: what is ignored here would be ignored in the program as well.
trap : HUP INT QUIT TERM
umask 077
identify /proc/$$/stat
echo "$identity" >"$mine" && ln "$mine" claim 2>/dev/null || exit 0
# Who removes a run removes this file before the claim: a claim that could be made behind its back counts for nothing.
[ -e run.sh ] || exit 0
afloat_enter "$1" </dev/null >enter-messages 2>&1
code=$?
{ read -r identity && read -r running; } <pid
if [ "$running" != running ]; then
  # Ended on purpose, or what was to lead to the program says why it did not.
  if [ -e stop ]; then code=137; else [ -e start-error ] || cat enter-messages >start-error; fi
elif [ $code = 1 ] && [ -s enter-messages ]; then
  # unshare (util-linux 2.38) does not manage to end itself as its child ended, by SIGKILL, and says so.
  code=137
fi
case $code in
  1 | 126 | 127)
    # A line in the name of what leads to the program: it is there instead of the program, which does not know the name.
    read -r first <log
    for lead in lead.*; do
      case $first in
        "$lead: "*)
          printf '%s\\n' "\${first#*: }" >start-error
          true >log
          ;;
      esac
    done
    ;;
esac
end=$code
[ -e start-error ] && end='128 StartError'
# Without room on the disk the status waits for some; without its folder nobody waits for it.
until echo "$end" >exit; do
  [ -e claim ] || exit 0
  sleep 1
done
tell ended
`;
