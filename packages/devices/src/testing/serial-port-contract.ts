/** The rules that every `SerialPort` must follow: the demo device's, a test's and the browser's own. */
import { type ContractCase, ensure, ensureEqual, pattern, readBytes, rejects, settled, until } from './contract-rig.ts';

const atOnce: SerialOptions = { baudRate: 921_600, bufferSize: 65_536 };

const opening: readonly ContractCase[] = [
  {
    name: 'has streams while it is open, and only then',
    async run(rig) {
      const { port } = rig;
      ensure(port.readable === null && port.writable === null, 'no streams before open');
      for (let turn = 0; turn < 2; turn++) {
        await settled(rig, 'open', port.open(atOnce));
        const readable: unknown = port.readable;
        const writable: unknown = port.writable;
        ensure(readable !== null && readable === port.readable, 'one readable while open');
        ensure(writable !== null && writable === port.writable, 'one writable while open');
        await settled(rig, 'close', port.close());
        ensure(port.readable === null && port.writable === null, 'no streams after close');
      }
    },
  },
  {
    name: 'is opened once at a time, and closed only when open',
    async run(rig) {
      const { port } = rig;
      await rejects(rig, 'close before open', port.close(), 'InvalidStateError');
      await settled(rig, 'open', port.open(atOnce));
      await rejects(rig, 'second open', port.open(atOnce), 'InvalidStateError');
      await settled(rig, 'close', port.close());
      await rejects(rig, 'second close', port.close(), 'InvalidStateError');
    },
  },
  {
    name: 'refuses options that cannot be, and stays closed',
    async run(rig) {
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
        const opened = async () => rig.port.open(options as unknown as SerialOptions);
        await rejects(rig, JSON.stringify(options), opened(), 'TypeError');
      }
      await settled(rig, 'open', rig.port.open(atOnce));
      await settled(rig, 'close', rig.port.close());
    },
  },
  {
    name: 'is listed while it is permitted, and no more once it is forgotten',
    async run(rig) {
      const { port, serial } = rig;
      ensure((await settled(rig, 'getPorts', serial.getPorts())).includes(port), 'listed at first');
      await settled(rig, 'forget', port.forget());
      ensure(!(await settled(rig, 'getPorts', serial.getPorts())).includes(port), 'not listed after forget');
      await rejects(rig, 'open after forget', port.open(atOnce), 'NetworkError');
    },
  },
];

const reading: readonly ContractCase[] = [
  {
    name: 'gives what the device sends, in order, however it falls into reads',
    async run(rig) {
      const sent = pattern(5_000);
      await settled(rig, 'open', rig.port.open(atOnce));
      for (let at = 0, size = 1; at < sent.length; at += size, size = (size * 7) % 501) {
        rig.deviceSends(sent.subarray(at, at + size));
      }
      ensureEqual(await readBytes(rig, rig.port, sent.length), sent, 'received');
      await settled(rig, 'close', rig.port.close());
    },
  },
  {
    name: 'holds the device back while nobody reads, and loses nothing',
    async run(rig) {
      const sent = pattern(12_000);
      await settled(rig, 'open', rig.port.open({ baudRate: 921_600, bufferSize: 255 }));
      ensure(rig.port.readable !== null, 'there is a stream');
      rig.deviceSends(sent);
      await rig.elapse(300);
      ensureEqual(await readBytes(rig, rig.port, sent.length), sent, 'received');
      await settled(rig, 'close', rig.port.close());
    },
  },
  {
    name: 'gives a new stream after a reader was cancelled',
    async run(rig) {
      await settled(rig, 'open', rig.port.open(atOnce));
      const first = rig.port.readable;
      ensure(first !== null, 'there is a stream');
      const reader = first.getReader();
      const reading = reader.read();
      await settled(rig, 'cancel', reader.cancel());
      ensure((await settled(rig, 'the read at hand', reading)).done, 'the read at hand ends');
      reader.releaseLock();
      ensure(rig.port.readable !== null && rig.port.readable !== first, 'another stream');
      const reread = readBytes(rig, rig.port, 3);
      rig.deviceSends(Uint8Array.of(1, 2, 3));
      ensureEqual(await reread, Uint8Array.of(1, 2, 3), 'received on the new stream');
      await settled(rig, 'close', rig.port.close());
    },
  },
  {
    name: 'gives what came before a line error, then the error, then a new stream',
    async run(rig) {
      const names = {
        break: 'BreakError',
        framing: 'FramingError',
        parity: 'ParityError',
        overrun: 'BufferOverrunError',
      };
      for (const error of rig.lineErrors) {
        await settled(rig, 'open', rig.port.open({ ...atOnce, parity: error === 'parity' ? 'even' : 'none' }));
        const { readable } = rig.port;
        ensure(readable !== null, 'there is a stream');
        rig.deviceSends(pattern(10));
        ensureEqual(await readBytes(rig, rig.port, 10), pattern(10), `before ${error}`);
        rig.inject(error);
        const reader = readable.getReader();
        await rejects(rig, error, reader.read(), names[error]);
        reader.releaseLock();
        ensure(rig.port.readable !== null && rig.port.readable !== readable, `another stream after ${error}`);
        const after = readBytes(rig, rig.port, 10);
        rig.deviceSends(pattern(10));
        ensureEqual(await after, pattern(10), `after ${error}`);
        await settled(rig, 'close', rig.port.close());
      }
    },
  },
];

const writing: readonly ContractCase[] = [
  {
    name: 'sends what is written, in order, also more than fits its buffer',
    async run(rig) {
      const sent = pattern(3_000);
      await settled(rig, 'open', rig.port.open({ baudRate: 921_600, bufferSize: 255 }));
      const { writable } = rig.port;
      ensure(writable !== null, 'there is a stream');
      const writer = writable.getWriter();
      const writes = [sent.subarray(0, 1), sent.subarray(1, 900), sent.subarray(900)].map((part) => writer.write(part));
      await settled(rig, 'writes', Promise.all(writes));
      writer.releaseLock();
      await until(rig, 'all has arrived', () => rig.deviceGot().length >= sent.length);
      ensureEqual(rig.deviceGot(), sent, 'sent');
      await settled(rig, 'close', rig.port.close());
    },
  },
  {
    name: 'gives a new stream after a writer was closed',
    async run(rig) {
      await settled(rig, 'open', rig.port.open(atOnce));
      for (let turn = 0; turn < 2; turn++) {
        const { writable } = rig.port;
        ensure(writable !== null, 'there is a stream');
        const writer = writable.getWriter();
        await settled(rig, 'write', writer.write(pattern(10)));
        await until(rig, 'it has arrived', () => rig.deviceGot().length === 10 * (turn + 1));
        await settled(rig, 'close of the writer', writer.close());
        writer.releaseLock();
        ensure(rig.port.writable !== writable, 'another stream');
      }
      await settled(rig, 'close', rig.port.close());
    },
  },
  {
    name: 'does not close while a stream is locked',
    async run(rig) {
      await settled(rig, 'open', rig.port.open(atOnce));
      const reader = rig.port.readable?.getReader();
      await rejects(rig, 'close with a reader', rig.port.close(), 'TypeError');
      reader?.releaseLock();
      const writer = rig.port.writable?.getWriter();
      await rejects(rig, 'close with a writer', rig.port.close(), 'TypeError');
      writer?.releaseLock();
      await settled(rig, 'close', rig.port.close());
    },
  },
];

const lines: readonly ContractCase[] = [
  {
    name: 'raises DTR and RTS at open, sets them as asked, and lowers them at close',
    async run(rig) {
      const { port } = rig;
      const see = (dtr: boolean, rts: boolean) =>
        until(rig, `DTR ${dtr}, RTS ${rts}`, () => rig.lines().dtr === dtr && rig.lines().rts === rts);
      await settled(rig, 'open', port.open(atOnce));
      await see(true, true);
      await settled(rig, 'setSignals', port.setSignals({ requestToSend: false }));
      await see(true, false);
      await settled(rig, 'setSignals', port.setSignals({ dataTerminalReady: false, requestToSend: true }));
      await see(false, true);
      await settled(rig, 'close', port.close());
      await see(false, false);
    },
  },
  {
    name: 'reports the device’s lines, and refuses signals that name none or come while it is closed',
    async run(rig) {
      const { port } = rig;
      await rejects(rig, 'setSignals while closed', port.setSignals({ break: true }), 'InvalidStateError');
      await rejects(rig, 'getSignals while closed', port.getSignals(), 'InvalidStateError');
      await settled(rig, 'open', port.open(atOnce));
      await rejects(rig, 'setSignals with none', port.setSignals({}), 'TypeError');
      const signals = await settled(rig, 'getSignals', port.getSignals());
      for (const name of ['clearToSend', 'dataCarrierDetect', 'dataSetReady', 'ringIndicator'] as const) {
        ensure(typeof signals[name] === 'boolean', `${name} is reported`);
      }
      await settled(rig, 'close', port.close());
    },
  },
];

const unplugging: readonly ContractCase[] = [
  {
    name: 'keeps what was read when the device vanishes, calls both listeners, and can be closed',
    async run(rig) {
      const { port, serial } = rig;
      const called: string[] = [];
      port.addEventListener('disconnect', () => called.push('port'));
      serial.addEventListener('disconnect', (event) => called.push(event.target === port ? 'serial' : 'a stranger'));
      await settled(rig, 'open', port.open(atOnce));
      rig.deviceSends(pattern(100));
      ensureEqual(await readBytes(rig, port, 100), pattern(100), 'before the unplug');
      const reader = port.readable?.getReader();
      ensure(reader !== undefined, 'there is a stream');
      const reading = reader.read();
      reading.catch(() => 'looked at below');
      rig.unplug();
      await rejects(rig, 'the read at hand', reading, 'NetworkError');
      reader.releaseLock();
      ensure(port.readable === null, 'no further stream');
      await until(rig, 'both are called', () => called.length === 2);
      ensure(called.join() === 'port,serial', `the port is called first, then the registry: ${called.join()}`);
      ensure(!port.connected, 'not connected');
      await settled(rig, 'close', port.close());
      ensure((await settled(rig, 'getPorts', serial.getPorts())).length === 0, 'not listed');
      await rejects(rig, 'open without a device', port.open(atOnce), 'NetworkError');
    },
  },
  {
    name: 'fails a write when the device vanishes',
    async run(rig) {
      await settled(rig, 'open', rig.port.open({ baudRate: 921_600, bufferSize: 255 }));
      const writer = rig.port.writable?.getWriter();
      ensure(writer !== undefined, 'there is a stream');
      const writeOn = async () => {
        for (;;) {
          await writer.write(pattern(65_536));
        }
      };
      const writing = writeOn();
      writing.catch(() => 'looked at below');
      await rig.elapse(20);
      rig.unplug();
      await rejects(rig, 'the write at hand', writing, 'NetworkError');
      writer.releaseLock();
      await settled(rig, 'close', rig.port.close());
    },
  },
  {
    name: 'comes back as a new port that can be opened',
    async run(rig) {
      const { port, serial } = rig;
      const came: (EventTarget | null)[] = [];
      serial.addEventListener('connect', (event) => came.push(event.target));
      rig.unplug();
      await until(rig, 'it is gone', () => !port.connected);
      rig.replug();
      await until(rig, 'it is announced', () => came.length === 1);
      const [back] = await settled(rig, 'getPorts', serial.getPorts());
      ensure(back !== undefined && back !== port && back === came[0], 'another port');
      ensure(back.connected && !port.connected, 'the new one is connected');
      ensure(back.getInfo().usbProductId === port.getInfo().usbProductId, 'the same identity');
      await settled(rig, 'open', back.open(atOnce));
      const reading = readBytes(rig, back, 5);
      rig.deviceSends(pattern(5));
      ensureEqual(await reading, pattern(5), 'received');
      await settled(rig, 'close', back.close());
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
