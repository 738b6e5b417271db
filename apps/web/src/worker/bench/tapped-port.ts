/**
 * A `SerialPort` that tells what is read from it and written to it. The board's own port stays what it is, with its states, errors and events;
 * streams keep their back pressure, as nothing is put between. Seen is what goes through `getReader` and `getWriter` alone: the ways around
 * them, such as `pipeTo` and `tee`, tell nothing.
 */

/** Called before the reader has the bytes, and as soon as they are written; they are not the listener's to keep. */
type OnBytes = (lane: 'received' | 'sent', bytes: Uint8Array) => void;

type Own<Target> = { readonly [Name in keyof Target]?: () => Target[Name] };

/** `target` with some of its members replaced. Browsers refuse calls of their objects' methods on anything else. */
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
