/**
 * Errors, options and events of Web Serial (W3C Web Serial API, sections 3 and 4), with Chromium's messages, for ports
 * that are not the browser's: those of a shared bench and those of the system.
 */

type PortEventHandler = ((event: Event) => void) | null;

/** An event target with the two handler attributes that both `Serial` and `SerialPort` have. */
export class PortEventTarget extends EventTarget {
  onconnect: PortEventHandler = null;
  ondisconnect: PortEventHandler = null;

  constructor() {
    super();
    this.addEventListener('connect', (event) => this.onconnect?.call(this, event));
    this.addEventListener('disconnect', (event) => this.ondisconnect?.call(this, event));
  }
}

/** Fires an event at `port`, then at `registry` with `port` as its target, unless a listener stopped it. */
export function fireAt(port: EventTarget, registry: EventTarget, type: 'connect' | 'disconnect'): void {
  const event = new Event(type, { bubbles: true });
  port.dispatchEvent(event);
  // `cancelBubble` is the only property that shows afterwards whether `stopPropagation` was called.
  if (!event.cancelBubble) {
    announce(port, registry, type);
  }
}

/** Fires an event at `registry` alone, with `port` as its target. */
export function announce(port: EventTarget, registry: EventTarget, type: 'connect' | 'disconnect'): void {
  const bubbled = new Event(type, { bubbles: true });
  Object.defineProperty(bubbled, 'target', { value: port });
  registry.dispatchEvent(bubbled);
}

export function deviceLost(): DOMException {
  return new DOMException('The device has been lost.', 'NetworkError');
}

export function failedCall(method: string, reason: string, name: string): DOMException {
  return new DOMException(`Failed to execute '${method}' on 'SerialPort': ${reason}`, name);
}

export function badArgument(method: string, reason: string): TypeError {
  return new TypeError(`Failed to execute '${method}' on 'SerialPort': ${reason}`);
}

interface OpenOptions {
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: ParityType;
  readonly flowControl: FlowControlType;
  readonly bufferSize: number;
}

/** Largest buffer that Chromium allows, in bytes. */
const largestBuffer = 16 * 1024 * 1024;
const largestRate = 0xffff_ffff;

/**
 * Checks the options of `open` and adds the defaults.
 *
 * @throws TypeError for invalid options.
 */
export function checkOptions(options: SerialOptions): OpenOptions {
  const { dataBits = 8, stopBits = 1, parity = 'none', flowControl = 'none' } = options;
  const baudRate = Math.trunc(Number(options.baudRate));
  const bufferSize = Math.trunc(Number(options.bufferSize ?? 255));
  if (!(baudRate >= 1 && baudRate <= largestRate)) {
    throw badArgument('open', 'Requested baud rate must be greater than zero.');
  }
  if ((dataBits !== 7 && dataBits !== 8) || (stopBits !== 1 && stopBits !== 2)) {
    throw badArgument('open', 'Requested number of data bits must be 7 or 8, of stop bits 1 or 2.');
  }
  if (!['none', 'even', 'odd'].includes(parity) || !['none', 'hardware'].includes(flowControl)) {
    throw badArgument('open', 'Requested parity or flow control is none that there is.');
  }
  if (!(bufferSize >= 1 && bufferSize <= largestBuffer)) {
    throw badArgument('open', `Requested buffer size must be from 1 to ${largestBuffer} bytes.`);
  }
  return { baudRate, dataBits, stopBits, parity, flowControl, bufferSize };
}

/**
 * Returns the bytes of a written chunk, as a view.
 *
 * @throws TypeError if `chunk` is neither an ArrayBuffer nor a view of one.
 */
export function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof ArrayBuffer) {
    return new Uint8Array(chunk);
  }
  if (ArrayBuffer.isView(chunk)) {
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  throw new TypeError("The provided value is not of type '(ArrayBuffer or ArrayBufferView)'.");
}
