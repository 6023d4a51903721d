/** A process that answers: bytes with the same bytes, requests with a short answer. It tells its parent the two ports. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\nhello world\n';

async function serve(talk: (socket: Socket) => void): Promise<number> {
  const server = createServer({ noDelay: true }, socket => {
    socket.on('error', () => {});
    talk(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const tcp = await serve(socket => socket.on('data', chunk => socket.write(chunk)));
// A request of the load is one segment: that is enough here, and leaves the processor to who is measured.
const http = await serve(socket => socket.on('data', () => socket.write(answer)));
process.send?.({ tcp, http });
process.once('disconnect', () => process.exit());
