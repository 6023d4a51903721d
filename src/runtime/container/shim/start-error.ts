/** In the words of the container runtimes of a cluster, which people look for. */
export function executableNotFound(program: string): string {
  return `exec: "${program}": executable file not found in $PATH`;
}

/**
 * Why a program could not be run, from what the shell, or a program that leads to it, said. What is not known is handed on as it is.
 */
export function startErrorMessage(said: string, program: string): string {
  const text = said.trim();
  const line = text.split('\n')[0] ?? '';
  const start = 'unable to start container process: ';
  if (line.startsWith('exec: ') || line.startsWith('chdir ')) return start + line;
  const known = line.startsWith('failed to execute ');
  if (known && /not found|No such file/.test(line)) {
    return program.includes('/')
      ? `${start}exec: "${program}": stat ${program}: no such file or directory`
      : start + executableNotFound(program);
  }
  if (known && /Permission denied|Is a directory/i.test(line))
    return `${start}exec: "${program}": permission denied`;
  const chdir = /^cannot chdir to '(.*)': (.*)/.exec(line);
  if (chdir) {
    const [, folder = '', why = ''] = chdir;
    return `${start}chdir to cwd ("${folder}") set in config.json failed: ${why.toLowerCase()}`;
  }
  return start + text;
}
