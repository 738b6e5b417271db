/** What every `SerialPort` must do, whoever made it: the demo device's, a test's, the browser's own. */
import {
  type ContractCase,
  ensure,
  ensureEqual,
  pattern,
  readBytes,
  rejects,
  settled,
  until,
} from './contract-bench.ts';

const atOnce: SerialOptions = { baudRate: 921_600, bufferSize: 65_536 };

const opening: readonly ContractCase[] = [
  {
    name: 'has streams while it is open, and only then',
    async run(bench) {
      const { port } = bench;
      ensure(port.readable === null && port.writable === null, 'no streams before open');
      for (let turn = 0; turn < 2; turn++) {
        await settled(bench, 'open', port.open(atOnce));
        const readable: unknown = port.readable;
        const writable: unknown = port.writable;
        ensure(readable !== null && readable === port.readable, 'one readable while open');
        ensure(writable !== null && writable === port.writable, 'one writable while open');
        await settled(bench, 'close', port.close());
        ensure(port.readable === null && port.writable === null, 'no streams after close');
      }
    },
  },
  {
    name: 'is opened once at a time, and closed only when open',
    async run(bench) {
      const { port } = bench;
      await rejects(bench, 'close before open', port.close(), 'InvalidStateError');
      await settled(bench, 'open', port.open(atOnce));
      await rejects(bench, 'second open', port.open(atOnce), 'InvalidStateError');
      await settled(bench, 'close', port.close());
      await rejects(bench, 'second close', port.close(), 'InvalidStateError');
    },
  },
  {
    name: 'refuses options that cannot be, and stays closed',
    async run(bench) {
      const wrong: Record<string, unknown>[] = [
        {},
        { baudRate: 0 },
        { baudRate: -1 },
        { baudRate: 9600, dataBits: 6 },
        { baudRate: 9600, stopBits: 3 },
        { baudRate: 9600, parity: 'mark' },
        { baudRate: 9600, bufferSize: 0 },
        { baudRate: 9600, bufferSize: 16 * 1024 * 1024 + 1 },
        { baudRate: 9600, flowControl: 'software' },
      ];
      for (const options of wrong) {
        const opened = async () => bench.port.open(options as unknown as SerialOptions);
        await rejects(bench, JSON.stringify(options), opened(), 'TypeError');
      }
      await settled(bench, 'open', bench.port.open(atOnce));
      await settled(bench, 'close', bench.port.close());
    },
  },
  {
    name: 'is listed while it is permitted, and no more once it is forgotten',
    async run(bench) {
      const { port, serial } = bench;
      ensure((await settled(bench, 'getPorts', serial.getPorts())).includes(port), 'listed at first');
      await settled(bench, 'forget', port.forget());
      ensure(!(await settled(bench, 'getPorts', serial.getPorts())).includes(port), 'not listed after forget');
      await rejects(bench, 'open after forget', port.open(atOnce), 'NetworkError');
    },
  },
];

const reading: readonly ContractCase[] = [
  {
    name: 'gives what the device sends, in order, however it falls into reads',
    async run(bench) {
      const sent = pattern(5_000);
      await settled(bench, 'open', bench.port.open(atOnce));
      for (let at = 0, size = 1; at < sent.length; at += size, size = (size * 7) % 501) {
        bench.deviceSends(sent.subarray(at, at + size));
      }
      ensureEqual(await readBytes(bench, bench.port, sent.length), sent, 'received');
      await settled(bench, 'close', bench.port.close());
    },
  },
  {
    name: 'holds the device back while nobody reads, and loses nothing',
    async run(bench) {
      const sent = pattern(12_000);
      await settled(bench, 'open', bench.port.open({ baudRate: 921_600, bufferSize: 255 }));
      ensure(bench.port.readable !== null, 'there is a stream');
      bench.deviceSends(sent);
      await bench.elapse(300);
      ensureEqual(await readBytes(bench, bench.port, sent.length), sent, 'received');
      await settled(bench, 'close', bench.port.close());
    },
  },
  {
    name: 'gives a new stream after a reader was cancelled',
    async run(bench) {
      await settled(bench, 'open', bench.port.open(atOnce));
      const first = bench.port.readable;
      ensure(first !== null, 'there is a stream');
      const reader = first.getReader();
      const reading = reader.read();
      await settled(bench, 'cancel', reader.cancel());
      ensure((await settled(bench, 'the read at hand', reading)).done, 'the read at hand ends');
      reader.releaseLock();
      ensure(bench.port.readable !== null && bench.port.readable !== first, 'another stream');
      const reread = readBytes(bench, bench.port, 3);
      bench.deviceSends(Uint8Array.of(1, 2, 3));
      ensureEqual(await reread, Uint8Array.of(1, 2, 3), 'received on the new stream');
      await settled(bench, 'close', bench.port.close());
    },
  },
  {
    name: 'gives what came before a line error, then the error, then a new stream',
    async run(bench) {
      const names = {
        break: 'BreakError',
        framing: 'FramingError',
        parity: 'ParityError',
        overrun: 'BufferOverrunError',
      };
      for (const error of bench.lineErrors) {
        await settled(bench, 'open', bench.port.open({ ...atOnce, parity: error === 'parity' ? 'even' : 'none' }));
        const { readable } = bench.port;
        ensure(readable !== null, 'there is a stream');
        bench.deviceSends(pattern(10));
        ensureEqual(await readBytes(bench, bench.port, 10), pattern(10), `before ${error}`);
        bench.inject(error);
        const reader = readable.getReader();
        await rejects(bench, error, reader.read(), names[error]);
        reader.releaseLock();
        ensure(bench.port.readable !== null && bench.port.readable !== readable, `another stream after ${error}`);
        const after = readBytes(bench, bench.port, 10);
        bench.deviceSends(pattern(10));
        ensureEqual(await after, pattern(10), `after ${error}`);
        await settled(bench, 'close', bench.port.close());
      }
    },
  },
];

const writing: readonly ContractCase[] = [
  {
    name: 'sends what is written, in order, also more than fits its buffer',
    async run(bench) {
      const sent = pattern(3_000);
      await settled(bench, 'open', bench.port.open({ baudRate: 921_600, bufferSize: 255 }));
      const { writable } = bench.port;
      ensure(writable !== null, 'there is a stream');
      const writer = writable.getWriter();
      const writes = [sent.subarray(0, 1), sent.subarray(1, 900), sent.subarray(900)].map((part) => writer.write(part));
      await settled(bench, 'writes', Promise.all(writes));
      writer.releaseLock();
      await until(bench, 'all has arrived', () => bench.deviceGot().length >= sent.length);
      ensureEqual(bench.deviceGot(), sent, 'sent');
      await settled(bench, 'close', bench.port.close());
    },
  },
  {
    name: 'gives a new stream after a writer was closed',
    async run(bench) {
      await settled(bench, 'open', bench.port.open(atOnce));
      for (let turn = 0; turn < 2; turn++) {
        const { writable } = bench.port;
        ensure(writable !== null, 'there is a stream');
        const writer = writable.getWriter();
        await settled(bench, 'write', writer.write(pattern(10)));
        await until(bench, 'it has arrived', () => bench.deviceGot().length === 10 * (turn + 1));
        await settled(bench, 'close of the writer', writer.close());
        writer.releaseLock();
        ensure(bench.port.writable !== writable, 'another stream');
      }
      await settled(bench, 'close', bench.port.close());
    },
  },
  {
    name: 'does not close while a stream is locked',
    async run(bench) {
      await settled(bench, 'open', bench.port.open(atOnce));
      const reader = bench.port.readable?.getReader();
      await rejects(bench, 'close with a reader', bench.port.close(), 'TypeError');
      reader?.releaseLock();
      const writer = bench.port.writable?.getWriter();
      await rejects(bench, 'close with a writer', bench.port.close(), 'TypeError');
      writer?.releaseLock();
      await settled(bench, 'close', bench.port.close());
    },
  },
];

const lines: readonly ContractCase[] = [
  {
    name: 'raises DTR and RTS at open, sets them as told, and lowers them at close',
    async run(bench) {
      const { port } = bench;
      const see = (dtr: boolean, rts: boolean) =>
        until(bench, `DTR ${dtr}, RTS ${rts}`, () => bench.lines().dtr === dtr && bench.lines().rts === rts);
      await settled(bench, 'open', port.open(atOnce));
      await see(true, true);
      await settled(bench, 'setSignals', port.setSignals({ requestToSend: false }));
      await see(true, false);
      await settled(bench, 'setSignals', port.setSignals({ dataTerminalReady: false, requestToSend: true }));
      await see(false, true);
      await settled(bench, 'close', port.close());
      await see(false, false);
    },
  },
  {
    name: 'tells the device’s lines, and refuses signals that name none or come while it is closed',
    async run(bench) {
      const { port } = bench;
      await rejects(bench, 'setSignals while closed', port.setSignals({ break: true }), 'InvalidStateError');
      await rejects(bench, 'getSignals while closed', port.getSignals(), 'InvalidStateError');
      await settled(bench, 'open', port.open(atOnce));
      await rejects(bench, 'setSignals with none', port.setSignals({}), 'TypeError');
      const signals = await settled(bench, 'getSignals', port.getSignals());
      for (const name of ['clearToSend', 'dataCarrierDetect', 'dataSetReady', 'ringIndicator'] as const) {
        ensure(typeof signals[name] === 'boolean', `${name} is told`);
      }
      await settled(bench, 'close', port.close());
    },
  },
];

const unplugging: readonly ContractCase[] = [
  {
    name: 'keeps what was read when the device vanishes, tells both listeners, and can be closed',
    async run(bench) {
      const { port, serial } = bench;
      const told: string[] = [];
      port.addEventListener('disconnect', () => told.push('port'));
      serial.addEventListener('disconnect', (event) => told.push(event.target === port ? 'serial' : 'a stranger'));
      await settled(bench, 'open', port.open(atOnce));
      bench.deviceSends(pattern(100));
      ensureEqual(await readBytes(bench, port, 100), pattern(100), 'before the unplug');
      const reader = port.readable?.getReader();
      ensure(reader !== undefined, 'there is a stream');
      const reading = reader.read();
      reading.catch(() => 'looked at below');
      bench.unplug();
      await rejects(bench, 'the read at hand', reading, 'NetworkError');
      reader.releaseLock();
      ensure(port.readable === null, 'no further stream');
      await until(bench, 'both are told', () => told.length === 2);
      ensure(told.join() === 'port,serial', `the port is told first, then the registry: ${told.join()}`);
      ensure(!port.connected, 'not connected');
      await settled(bench, 'close', port.close());
      ensure((await settled(bench, 'getPorts', serial.getPorts())).length === 0, 'not listed');
      await rejects(bench, 'open without a device', port.open(atOnce), 'NetworkError');
    },
  },
  {
    name: 'fails a write when the device vanishes',
    async run(bench) {
      await settled(bench, 'open', bench.port.open({ baudRate: 921_600, bufferSize: 255 }));
      const writer = bench.port.writable?.getWriter();
      ensure(writer !== undefined, 'there is a stream');
      const writeOn = async () => {
        for (;;) {
          await writer.write(pattern(65_536));
        }
      };
      const writing = writeOn();
      writing.catch(() => 'looked at below');
      await bench.elapse(20);
      bench.unplug();
      await rejects(bench, 'the write at hand', writing, 'NetworkError');
      writer.releaseLock();
      await settled(bench, 'close', bench.port.close());
    },
  },
  {
    name: 'comes back as a new port that can be opened',
    async run(bench) {
      const { port, serial } = bench;
      const came: (EventTarget | null)[] = [];
      serial.addEventListener('connect', (event) => came.push(event.target));
      bench.unplug();
      await until(bench, 'it is gone', () => !port.connected);
      bench.replug();
      await until(bench, 'it is told', () => came.length === 1);
      const [back] = await settled(bench, 'getPorts', serial.getPorts());
      ensure(back !== undefined && back !== port && back === came[0], 'another port');
      ensure(back.connected && !port.connected, 'the new one is connected');
      ensure(back.getInfo().usbProductId === port.getInfo().usbProductId, 'the same identity');
      await settled(bench, 'open', back.open(atOnce));
      const reading = readBytes(bench, back, 5);
      bench.deviceSends(pattern(5));
      ensureEqual(await reading, pattern(5), 'received');
      await settled(bench, 'close', back.close());
    },
  },
];

export const serialPortContract: readonly ContractCase[] = [
  ...opening,
  ...reading,
  ...writing,
  ...lines,
  ...unplugging,
];
