/** An answer of a program, with who gave it. */
export interface Called {
  readonly status: number;
  readonly servedBy: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test asks for
  readonly body: any;
}

/** Calls a program that serves and gives its answer, whatever it is. */
export async function call(
  { address, port }: { readonly address: string; readonly port: number },
  line: string,
  content?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Called> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await fetch(`http://${address}:${port}${path}`, {
    method,
    signal: AbortSignal.timeout(20_000),
    headers: { ...headers, ...(content === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
  return {
    status: response.status,
    servedBy: response.headers.get('x-served-by'),
    body: await response.json(),
  };
}
