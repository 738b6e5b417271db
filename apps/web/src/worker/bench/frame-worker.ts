/** Decoders of ports. Their code is loaded when the first one is chosen. */
import { type Bench, byPort, type PortNumber } from '@wirebench/serial';
import type { FrameCalls, ReadyDecoder } from '../../protocol/bench/frame-part.ts';
import type { CallHandlers } from '../../protocol/calls/call-server.ts';

export class FrameWorker {
  readonly #bench: Bench;
  readonly #onProgress: () => void;
  readonly #chosen = byPort((): ReadyDecoder | null => null) as Record<PortNumber, ReadyDecoder | null>;

  constructor(bench: Bench, onProgress: () => void) {
    this.#bench = bench;
    this.#onProgress = onProgress;
  }

  readonly handlers: CallHandlers<FrameCalls> = {
    setDecoder: (port, decoder) => this.choose(port, decoder),
  };

  /** Does the same as `FrameCalls.setDecoder`. The same decoder again changes nothing, so an open frame goes on. */
  async choose(port: PortNumber, decoder: ReadyDecoder | null): Promise<void> {
    if (this.#chosen[port] === decoder) {
      return;
    }
    this.#chosen[port] = decoder;
    if (decoder === null) {
      this.#bench.setDecoder(port, null);
    } else {
      const { readyReader } = await import('./ready-reader.ts');
      const { reader, isText } = await readyReader(decoder);
      if (this.#chosen[port] !== decoder) {
        return;
      }
      this.#bench.setDecoder(port, reader, isText);
    }
    this.#onProgress();
  }
}
