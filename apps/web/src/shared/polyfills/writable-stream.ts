/**
 * The signal of a sink's controller (Chromium 98), which stops a sink when its stream is aborted. The demo boards use
 * it.
 */

const controllers = new WeakMap<WritableStream, WritableStreamDefaultController>();
const streams = new WeakMap<WritableStreamDefaultWriter, WritableStream>();
const aborts = new WeakMap<WritableStreamDefaultController, AbortController>();

export function provideSinkSignal(): void {
  // The controller's class is not a global in some of these browsers, so its prototype is taken from an instance.
  let prototype: object = {};
  const probe = new WritableStream({
    start(controller) {
      prototype = Object.getPrototypeOf(controller);
    },
  });
  if ('signal' in prototype) {
    return;
  }
  Object.defineProperty(prototype, 'signal', {
    configurable: true,
    get(this: WritableStreamDefaultController) {
      return abortOf(this).signal;
    },
  });
  followAborts(Object.getPrototypeOf(probe.getWriter()));
  nameControllers();
}

/** Aborts the signal of the sink before the stream's own abort. */
function followAborts(writer: WritableStreamDefaultWriter): void {
  const { prototype } = WritableStream;
  const { abort, getWriter } = prototype;
  prototype.abort = function abortStream(reason) {
    signalAbort(this, reason);
    return abort.call(this, reason);
  };
  prototype.getWriter = function getKnownWriter() {
    const known = getWriter.call(this);
    streams.set(known, this);
    return known;
  };
  const { abort: abortWriter } = writer;
  writer.abort = function abortStream(reason) {
    signalAbort(streams.get(this), reason);
    return abortWriter.call(this, reason);
  };
}

/** Wraps the constructor, so that each new stream is stored with its controller. */
function nameControllers(): void {
  const Native = WritableStream;
  globalThis.WritableStream = class<W> extends Native<W> {
    constructor(sink: UnderlyingSink<W> = {}, strategy: QueuingStrategy<W> = {}) {
      let own: WritableStreamDefaultController | undefined;
      const start = (controller: WritableStreamDefaultController) => {
        own = controller;
        return sink.start?.(controller);
      };
      super({ ...sink, start }, strategy);
      if (own !== undefined) {
        controllers.set(this, own);
      }
    }
  };
}

function abortOf(controller: WritableStreamDefaultController): AbortController {
  const known = aborts.get(controller) ?? new AbortController();
  aborts.set(controller, known);
  return known;
}

function signalAbort(stream: WritableStream | undefined, reason: unknown): void {
  const controller = stream === undefined ? undefined : controllers.get(stream);
  if (controller !== undefined) {
    abortOf(controller).abort(reason);
  }
}
