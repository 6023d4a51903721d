import { systemProgram } from '../program-lead.ts';
import { runProgram } from './run-program.ts';

const needed = ['unshare', 'nsenter', 'mount', 'ip', 'flock', 'setsid'];

/** Everything that is needed, tried in namespaces of its own: the machine is not touched. */
const trial = `
ip -batch - <<END || exit 1
link add aflprobe type bridge
link add aflprobe0 type veth peer name aflprobe1
link set aflprobe0 master aflprobe up
END
mount -t proc afloat-proc /proc
`;

/** Why Pods cannot have namespaces on this machine; undefined when they can. Found out by trying. */
export async function whyNoNamespaces(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'namespaces are there on Linux only';
  if (process.getuid?.() !== 0) return 'namespaces need root';
  const missing = needed.filter(name => !systemProgram(name));
  if (missing.length > 0) return `namespaces need programs that are not there: ${missing.join(', ')}`;
  const { code, stderr } = await runProgram([
    ...['unshare', '--net', '--pid', '--fork', '--kill-child', '--uts', '--mount', '--propagation', 'slave'],
    ...['sh', '-c', trial],
  ]);
  return code === 0 ? undefined : `namespaces cannot be had: ${stderr || `the trial ended with ${code}`}`;
}
