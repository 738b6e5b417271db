/** The device of a peer: hands on bytes at a rate, as a worker that reads a port does. Runs in the browser. */

export interface Load {
  readonly bytes: Uint8Array;
  /** Bytes a second. */
  readonly rate: number;
}

/** Between two messages, in milliseconds. */
const interval = 4;

addEventListener('message', ({ data: { bytes, rate } }: MessageEvent<Load>) => {
  const start = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(bytes.length, Math.floor(((performance.now() - start) * rate) / 1_000));
    if (due > sent) {
      const chunk = bytes.slice(sent, due);
      postMessage(chunk, { transfer: [chunk.buffer] });
      sent = due;
    }
    if (sent === bytes.length) {
      clearInterval(timer);
    }
  }, interval);
});
