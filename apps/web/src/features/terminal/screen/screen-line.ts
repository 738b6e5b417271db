/** The page's end of the line to the ports' Screens in the worker. It is opened with the first Screen. */
import type { PortNumber } from '@wirebench/serial';
import type { ScreenBytes, ToScreenWorker } from '../../../protocol/screen-protocol.ts';
import { openToolLine } from '../../../workbench/bench.ts';

type Receiver = (bytes: ScreenBytes) => void;

export class ScreenLine {
  readonly #channel = openToolLine('screen');
  readonly #receivers = new Map<PortNumber, Receiver>();

  constructor() {
    this.#channel.addEventListener('message', ({ data }: MessageEvent<ScreenBytes>) =>
      this.#receivers.get(data.port)?.(data),
    );
  }

  /** Receives the bytes of the port from now on. @param from as in `ToScreenWorker`. */
  show(port: PortNumber, from: number | null, receive: Receiver): void {
    this.#receivers.set(port, receive);
    this.send({ kind: 'show', port, from });
  }

  hide(port: PortNumber): void {
    this.#receivers.delete(port);
    this.send({ kind: 'hide', port });
  }

  send(message: ToScreenWorker): void {
    this.#channel.postMessage(message, []);
  }
}
