/** Clients that keep a connection ask again within this time, or find it closed. */
const longestMs = 3000;

/**
 * Ends a server on SIGTERM, and the process after it, without cutting a request: every answer from then on is the last of its connection,
 * and connections that nobody uses are closed last.
 */
export function endGently(server) {
  let isEnding = false;
  server.prependListener('request', (_, response) => {
    if (isEnding) response.setHeader('connection', 'close');
  });
  process.on('SIGTERM', () => {
    if (isEnding) return;
    isEnding = true;
    const began = performance.now();
    const looks = setInterval(() => {
      server.getConnections((_, count) => {
        if (count > 0 && performance.now() - began < longestMs) return;
        clearInterval(looks);
        server.close(() => process.exit(0));
      });
    }, 100);
  });
}
