import type { Socket } from 'node:net';

/**
 * Carries bytes both ways until both sides have ended, each for itself; a side that breaks takes the other along. Neither
 * side is read faster than the other takes it. Both sockets must have `allowHalfOpen` and no listeners for data. `done` is
 * called once, when both are closed; broken says whether the upstream side broke off.
 */
export function tunnel(client: Socket, upstream: Socket, done: (broken: boolean) => void): void {
  let open = 2;
  let broken = false;
  const closed = () => {
    open -= 1;
    if (open === 0) done(broken);
  };
  upstream.once('error', () => {
    broken ||= !client.destroyed;
  });
  carry(client, upstream, closed);
  carry(upstream, client, closed);
}

function carry(from: Socket, to: Socket, closed: () => void): void {
  from.on('data', chunk => {
    if (!to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
  from.on('error', () => reset(to));
  from.once('close', () => {
    // Ended well, it has passed on its end; otherwise the other side must not go on waiting.
    if (!from.readableEnded) reset(to);
    else if (!from.writableFinished) to.destroy();
    closed();
  });
  if (from.readableEnded) to.end();
  if (!from.closed) from.resume();
  else {
    reset(to);
    closed();
  }
}

/** Breaks a connection off as its other side was broken off: what is lost must not look like an end. */
function reset(socket: Socket): void {
  if (!socket.destroyed) socket.resetAndDestroy();
}
