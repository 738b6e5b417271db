/**
 * Wraps a `SerialPort` and reports the bytes read from it and written to it. The board's own port keeps its states,
 * errors and events, and the streams keep their back pressure. Only `getReader` and `getWriter` are observed:
 * `pipeTo` and `tee` bypass the wrapper.
 */

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
