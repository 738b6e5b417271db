/**
 * Ports in use by a tool beside the bench, such as a flasher, while the bench has no session on them. Guests of a
 * shared bench see this traffic, and cannot get such a port.
 */
import type { Clock } from '@wirebench/clock';
import type { PortNumber } from '@wirebench/serial';
import type { AcquiredPorts } from './acquired-ports.ts';
import type { BenchTap } from './bench-tap.ts';

export interface ToolPortsParts {
  readonly clock: Clock;
  readonly acquired: AcquiredPorts;
  /** Returns the current tap; null without one. */
  readonly tap: () => BenchTap | null;
  /** Called when the device behind a port, or its user, may have changed. */
  readonly onChange: () => void;
}

/** Called before the reader receives the bytes, and after a write. The listener must copy bytes that it keeps. */
type OnBytes = (lane: 'received' | 'sent', bytes: Uint8Array) => void;

type Own<Target> = { readonly [Name in keyof Target]?: () => Target[Name] };

/**
 * Returns a proxy of `target` with some members replaced. Methods are called on the target, because browsers reject
 * other objects.
 */
function standIn<Target extends object>(target: Target, own: Own<Target>): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const replaced = own[name as keyof Target];
      const value: unknown = replaced === undefined ? Reflect.get(target, name, target) : replaced();
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (_, name, value) => Reflect.set(target, name, value, target),
  });
}

/**
 * Wraps a `SerialPort` and reports the bytes read from it and written to it. The board's own port keeps its states,
 * errors and events, and the streams keep their back pressure. Only `getReader` and `getWriter` are observed:
 * `pipeTo` and `tee` bypass the wrapper.
 */
export function tappedPort(port: SerialPort, onBytes: OnBytes): SerialPort {
  const streams = new WeakMap<object, object>();
  const once = <Stream extends object>(stream: Stream | null, tapped: (stream: Stream) => Stream): Stream | null => {
    if (stream === null) {
      return null;
    }
    const known = (streams.get(stream) as Stream | undefined) ?? tapped(stream);
    streams.set(stream, known);
    return known;
  };
  return standIn(port, {
    readable: () => once(port.readable, (stream) => tappedReadable(stream, onBytes)),
    writable: () => once(port.writable, (stream) => tappedWritable(stream, onBytes)),
  });
}

type Readable = ReadableStream<Uint8Array>;

function tappedReadable(stream: Readable, onBytes: OnBytes): Readable {
  const getReader = () => {
    const reader = stream.getReader();
    const read = async () => {
      const result = await reader.read();
      if (result.value !== undefined) {
        onBytes('received', result.value);
      }
      return result;
    };
    return standIn(reader, { read: () => read });
  };
  return standIn(stream, { getReader: () => getReader as Readable['getReader'] });
}

function tappedWritable(stream: WritableStream<Uint8Array>, onBytes: OnBytes): WritableStream<Uint8Array> {
  const getWriter = () => {
    const writer = stream.getWriter();
    const write = (bytes?: Uint8Array) => {
      if (bytes !== undefined) {
        onBytes('sent', bytes);
      }
      return writer.write(bytes);
    };
    return standIn(writer, { write: () => write });
  };
  return standIn(stream, { getWriter: () => getWriter });
}

export class ToolPorts {
  readonly #parts: ToolPortsParts;
  /** Current tool by port. */
  readonly #holders = new Map<PortNumber, object>();
  /** Works in progress by port that the tap must not see. */
  readonly #unseen = new Map<PortNumber, number>();

  constructor(parts: ToolPortsParts) {
    this.#parts = parts;
  }

  isHeld(port: PortNumber): boolean {
    return this.#holders.has(port);
  }

  /** Throws while a tool has the port. */
  check(port: PortNumber): void {
    if (this.isHeld(port)) {
      throw new Error(`The flasher has the board of port ${port}. Disconnect it there first.`);
    }
  }

  /**
   * Reserves the port: no guest receives it from now on. Throws while a guest uses it.
   *
   * @returns Ends the reservation; does nothing after the port has another user.
   */
  hold(port: PortNumber): () => void {
    this.#parts.acquired.check(port);
    const holder = {};
    this.#holders.set(port, holder);
    return () => {
      if (this.#holders.get(port) === holder) {
        this.#holders.delete(port);
        this.#parts.onChange();
      }
    };
  }

  /**
   * Performs work whose bytes the tap does not receive, because they may contain passwords: contents of a board's flash.
   */
  async unseen<Result>(port: PortNumber, act: () => Promise<Result>): Promise<Result> {
    this.#unseen.set(port, this.#unseenAt(port) + 1);
    try {
      return await act();
    } finally {
      this.#unseen.set(port, this.#unseenAt(port) - 1);
    }
  }

  #unseenAt(port: PortNumber): number {
    return this.#unseen.get(port) ?? 0;
  }

  /** Wraps `device`, so that the tap receives the bytes that the tool reads and writes. */
  tapped(port: PortNumber, device: SerialPort): SerialPort {
    const { clock, tap, onChange } = this.#parts;
    onChange();
    return tappedPort(device, (lane, bytes) => {
      if (this.#unseenAt(port) === 0) {
        tap()?.bytes(port, lane, bytes, clock.wallTime());
      }
    });
  }
}
