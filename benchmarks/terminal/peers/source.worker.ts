/** A peer's device: delivers bytes at a rate, like a worker that reads a port. Runs in the browser. */

export interface Load {
  readonly bytes: Uint8Array;
  /** Bytes a second. */
  readonly rate: number;
}

/** Milliseconds between messages. */
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
