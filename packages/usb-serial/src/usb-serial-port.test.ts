import { VirtualClock } from '@wirebench/clock';
import { EspDevice } from '@wirebench/devices';
import {
  bootloaderSteps,
  type ControlLines,
  defaultPortSettings,
  linesRaised,
  openPort,
  playSteps,
  setControlLines,
} from '@wirebench/port';
import { randomNumber } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { pattern } from '../../devices/src/testing/contract-rig.ts';
import { FollowingDevice, SilentDevice } from '../../devices/src/testing/port-fixture.ts';
import { adapterNames, devices } from './testing/adapters.ts';
import { portOn, readOn } from './testing/port-fixture.ts';
import { WiredAdapter } from './testing/wired-adapter.ts';
import { portsOf } from './usb-serial.ts';

const at115200 = { baudRate: 115_200 };
const onlyPort = (wired: WiredAdapter, clock: VirtualClock) => {
  const port = portsOf(wired.adapter.device, { clock })[wired.adapter.uart];
  if (port === undefined) {
    throw new Error('there is no port');
  }
  return port;
};

describe('opening', () => {
  it.each(adapterNames)('opens, reads, writes and closes %s', async (name) => {
    const { port, run, device, chip, endpoints, clock, uart } = portOn(name);
    const got: number[] = [];
    chip.onBytes = (_uart, bytes) => {
      got.push(...bytes);
      return bytes.length;
    };
    await run(port.open(at115200));
    const reading = readOn(port);
    for (const packet of chip.packets(uart, Uint8Array.of(1, 2, 3), 32)) {
      device.packet(endpoints.in, packet);
    }
    await clock.advance(1);
    expect(reading.bytes()).toEqual([1, 2, 3]);
    const writer = port.writable?.getWriter();
    await run(writer?.write(Uint8Array.of(4, 5)) ?? Promise.reject());
    writer?.releaseLock();
    expect(got).toEqual([4, 5]);
    device.unplug();
    await run(reading.ended);
    await run(port.close());
    expect(port.readable).toBeNull();
  });

  it('names every device of the recorded list in some adapter', () => {
    const used = new Set(adapterNames.map((name) => portOn(name).device.productId));
    expect(Object.keys(devices)).toHaveLength(15);
    expect(Object.values(devices).every(({ productId }) => used.has(productId))).toBe(true);
  });

  it('names the cause when no interface can be claimed, closes the device, and opens at the second try', async () => {
    const { port, run, failure, device } = portOn('cp2102');
    device.held.add(0);
    expect(await failure(port.open(at115200))).toMatch(
      /^NetworkError: .*Another program or a driver of the system holds interface 0 of the adapter\. .*: Unable to claim/,
    );
    expect(device.opened).toBe(false);
    device.held.clear();
    await run(port.open(at115200));
    expect(port.readable).not.toBeNull();
  });

  it('gives back the first interface of a board whose second one is held', async () => {
    const { port, failure, device } = portOn('cdc-pico');
    device.held.add(1);
    expect(await failure(port.open(at115200))).toMatch(/^NetworkError: .*holds interface 1/);
    expect(device.claimedInterfaces).toEqual([]);
    expect(device.opened).toBe(false);
  });

  it('tries again after 100 ms when Android does not let the page in yet, and no third time', async () => {
    const { port, run, failure, device } = portOn('cdc-pico');
    device.openFailures.push('SecurityError');
    await run(port.open(at115200));
    await run(port.close());
    device.openFailures.push('SecurityError', 'SecurityError');
    expect(await failure(port.open(at115200))).toMatch(
      /^NetworkError: .*The USB device did not open: Access denied\.$/,
    );
    expect(device.openFailures).toEqual([]);
  });

  it('gives up after five seconds when the adapter does not answer, and can be opened afterwards', async () => {
    const { port, run, failure, device } = portOn('cp2102');
    const answer = device.controlTransferIn.bind(device);
    device.controlTransferIn = () => new Promise<never>(() => undefined);
    expect(await failure(port.open(at115200))).toMatch(
      /^NetworkError: .*The adapter does not answer\. Unplug it and plug it in again\.$/,
    );
    expect(device.opened).toBe(false);
    device.controlTransferIn = answer;
    await run(port.open(at115200));
  });

  it('opens two ports of a device at once, and closes the device with the last one', async () => {
    const { ports, run, device } = portOn('ft2232h-a', () => 3);
    const [first, second] = ports;
    await run(Promise.all([first?.open(at115200), second?.open({ baudRate: 9_600 })]));
    expect([...device.claimedInterfaces].sort()).toEqual([0, 1]);
    await run(first?.close() ?? Promise.reject());
    expect(device.opened).toBe(true);
    await run(second?.close() ?? Promise.reject());
    expect(device.opened).toBe(false);
    await run(Promise.all([second?.open(at115200), first?.open(at115200)]));
    expect(device.opened).toBe(true);
  });

  it('claims the two interfaces of its function and no other', async () => {
    const { port, run, device } = portOn('cdc-esp-usb-jtag');
    await run(port.open(at115200));
    expect(device.claimedInterfaces).toEqual([0, 1]);
  });

  it('takes a PL2303 with the version of a TA for a G when it refuses the register of a TA', async () => {
    const { port, run, chip, requests } = portOn('pl2303-gt');
    await run(port.open({ baudRate: 250_000 }));
    expect(chip.state()).toMatchObject({ rate: 250_000, isEnabled: true, dtr: true, rts: true });
    expect(requests().filter(({ request, requestType }) => requestType === 'vendor' && request === 0x80)).not.toEqual(
      [],
    );
  });

  it.each([
    ['cp2102', 100_000, 115_200],
    ['cp2102', 31_250, 28_800],
    ['cp2102', 1_000_000, 921_600],
    ['cp2105-standard', 1_200, 2_400],
    ['ft232r', 2_500_000, 3_000_000],
    ['ch340-v31', 4_000_000, 3_000_000],
    ['pl2303-hx', 12_000_000, 6_000_000],
  ] as const)('refuses %s at %i baud and offers %i', async (name, wanted, offered) => {
    const { port, failure, device } = portOn(name);
    expect(await failure(port.open({ baudRate: wanted }))).toBe(
      "NetworkError: Failed to execute 'open' on 'SerialPort': Failed to open serial port. " +
        `This adapter cannot send at ${wanted} baud. The nearest rate that it has is ${offered}.`,
    );
    expect(device.opened).toBe(false);
  });

  it('is opened once, and classified as bad settings, when the product asks for a rate that an adapter lacks', async () => {
    const { port, run, clock, device } = portOn('cp2102');
    const settings = { ...defaultPortSettings, baudRate: 100_000 };
    const opening = openPort(clock, { device: port, settings, onOpen: () => 'open' }).catch((error: unknown) => error);
    const error = await run(opening);
    expect(error).toMatchObject({
      code: 'bad-settings',
      cause: { message: 'This adapter cannot send at 100000 baud. The nearest rate that it has is 115200.' },
    });
    expect(device.calls.filter(({ method }) => method === 'open')).toHaveLength(1);
  });

  it.each([
    ['ch340-v31', 75_000],
    ['ft232r', 74_766],
    ['pl2303-hx', 75_000],
    ['cp2102', 76_800],
  ] as const)('makes of 74,880 baud on %s %i', async (name, made) => {
    const { port, run, chip } = portOn(name);
    await run(port.open({ baudRate: 74_880 }));
    expect(Math.round(chip.state().rate)).toBe(made);
  });

  it.each(adapterNames)('never lowers DTR while RTS is high when %s opens and closes', async (name) => {
    const { port, run, chip, uart } = portOn(name);
    const lines: string[] = [];
    chip.onChange = (changed, { dtr, rts }) => {
      if (changed === uart && lines.at(-1) !== `${dtr} ${rts}`) {
        lines.push(`${dtr} ${rts}`);
      }
    };
    for (let turn = 0; turn < 2; turn++) {
      await run(port.open(at115200));
      await run(port.close());
    }
    expect(lines).toEqual(['false false', 'true true', 'false false', 'true true', 'false false']);
  });
});

describe('reading', () => {
  it('gives 500 bytes of full packets of an FT232R without their status', async () => {
    const { port, run, device, chip, endpoints, clock } = portOn('ft232r');
    await run(port.open(at115200));
    const reading = readOn(port);
    const sent = pattern(500);
    for (const packet of chip.packets(0, sent, 64)) {
      device.packet(endpoints.in, packet);
    }
    await clock.advance(1);
    expect(reading.bytes()).toEqual([...sent]);
  });

  it('does not wake a reader for the status that an idle FT232R sends', async () => {
    const { port, run, device, endpoints, clock } = portOn('ft232r');
    await run(port.open(at115200));
    const reading = readOn(port);
    for (let tick = 0; tick < 100; tick++) {
      device.packet(endpoints.in, Uint8Array.of(1, 0x60));
      await clock.advance(1);
    }
    expect(reading.chunks).toEqual([]);
  });

  it('gives three bytes of a CH340 at once', async () => {
    const clock = new VirtualClock();
    const device = new SilentDevice();
    const wired = new WiredAdapter({ clock, name: 'ch340-v31', device });
    const port = onlyPort(wired, clock);
    await Promise.all([port.open(at115200), clock.advance(10)]);
    const reading = readOn(port);
    device.sends(1, 2, 3);
    await clock.advance(6);
    expect(reading.bytes()).toEqual([1, 2, 3]);
  });

  it.each(['cp2102', 'cdc-pico', 'ft232r', 'ch340-v31'] as const)(
    'holds little of 400 kB from %s while there is no reader, and loses nothing',
    async (name) => {
      const { port, run, device, chip, endpoints, clock, packetSize } = portOn(name);
      await run(port.open(at115200));
      const sent = pattern(400_000);
      const packets = chip.packets(0, sent, packetSize);
      for (const packet of packets) {
        device.packet(endpoints.in, packet);
      }
      await clock.advance(1_000);
      expect((packets.length - device.queued(endpoints.in)) * packetSize).toBeLessThanOrEqual(16 * 1_024 + packetSize);
      const reading = readOn(port);
      device.packet(endpoints.in, new Uint8Array());
      for (let turn = 0; turn < 200; turn++) {
        await clock.advance(1);
      }
      expect(Buffer.from(reading.bytes()).equals(sent)).toBe(true);
    },
  );

  it.each(['cp2102', 'cp2104', 'ft232r', 'ft2232h-a', 'ch340-v31', 'pl2303-hx', 'cdc-pico'] as const)(
    'loses none of 200 kB from %s at 921,600 baud with 8 ms a transfer',
    async (name) => {
      const clock = new VirtualClock();
      const device = new FollowingDevice();
      const wired = new WiredAdapter({ clock, name, device, latency: () => 8, isLossy: true });
      const port = onlyPort(wired, clock);
      await Promise.all([port.open({ baudRate: 921_600, bufferSize: 65_536 }), clock.advance(300)]);
      const reading = readOn(port);
      const sent = pattern(200_000);
      device.line?.write(sent);
      await clock.advance(3_000);
      expect(wired.lost).toBe(0);
      expect(Buffer.from(reading.bytes()).equals(sent)).toBe(true);
      // The wire gives bytes every 4 ms, in 2.2 s.
      expect(reading.chunks.length).toBeLessThan(1_200);
    },
  );

  it('keeps a transfer waiting when a chip sends a short packet each millisecond and a transfer takes 8', async () => {
    const { port, run, device, endpoints, clock } = portOn('cp2104', () => 8);
    await run(port.open({ baudRate: 921_600, bufferSize: 65_536 }));
    const reading = readOn(port);
    let most = 0;
    for (let at = 0; at < 2_000; at++) {
      device.packet(endpoints.in, new Uint8Array(64));
      device.packet(endpoints.in, new Uint8Array(28));
      most = Math.max(most, device.queued(endpoints.in));
      await clock.advance(1);
    }
    await clock.advance(100);
    expect(most).toBe(0);
    expect(reading.bytes().length).toBe(2_000 * 92);
  });

  it('ends a stall of the endpoint, and reads on', async () => {
    const { port, run, device, endpoints, clock } = portOn('cdc-pico');
    await run(port.open(at115200));
    const reading = readOn(port);
    device.halt('in', endpoints.in);
    await clock.advance(5);
    device.packet(endpoints.in, Uint8Array.of(7));
    await clock.advance(5);
    expect(reading.bytes()).toEqual([7]);
    expect(reading.errors).toEqual([]);
  });

  it('fails with a NetworkError when the endpoint stays halted', async () => {
    const { port, run, device, endpoints, clock } = portOn('cdc-pico');
    await run(port.open(at115200));
    const reading = readOn(port);
    const clear = device.clearHalt.bind(device);
    device.clearHalt = async (direction, number) => {
      await clear(direction, number);
      device.halt(direction, number);
    };
    device.halt('in', endpoints.in);
    await clock.advance(1_000);
    expect(reading.errors).toEqual(['NetworkError']);
    expect(port.readable).toBeNull();
    await run(port.close());
  });

  it('gives errors in order between the bytes, each with a new stream, and keeps transfers that wait', async () => {
    const { port, run, device, endpoints, clock } = portOn('cp2104');
    await run(port.open(at115200));
    // Bytes, framing error of 55, parity error of 66, bytes with the escape, a break.
    device.packet(endpoints.in, Uint8Array.of(1, 2, 0xec, 1, 0x68, 0x55, 0xec, 1, 0x64, 0x66, 3, 0xec, 0, 0xec, 1));
    device.packet(endpoints.in, Uint8Array.of(0x70, 0, 4));
    await clock.advance(5);
    const reading = readOn(port);
    await clock.advance(5);
    expect(reading.chunks).toEqual([[1, 2], [3, 0xec], [4]]);
    expect(reading.errors).toEqual(['FramingError', 'ParityError', 'BreakError']);
  });

  it('reports overruns and damage of a CDC board, also when its notification comes in two packets', async () => {
    const { port, run, device, endpoints, clock } = portOn('cdc-pico');
    await run(port.open(at115200));
    const reading = readOn(port);
    device.packet(endpoints.interrupt ?? 0, Uint8Array.of(0xa1, 0x20, 0, 0, 0, 0, 2, 0, 0x42, 0));
    await clock.advance(5);
    expect(reading.errors).toEqual(['BufferOverrunError']);
    expect(await run(port.getSignals())).toMatchObject({ dataSetReady: true, ringIndicator: false });
  });
});

describe('writing', () => {
  it('completes short writes', async () => {
    const { port, run, chip } = portOn('cdc-pico');
    const got: number[] = [];
    chip.onBytes = (_uart, bytes) => {
      const taken = bytes.subarray(0, 7);
      got.push(...taken);
      return taken.length;
    };
    await run(port.open(at115200));
    const sent = pattern(100);
    await run(port.writable?.getWriter().write(sent) ?? Promise.reject());
    expect(got).toEqual([...sent]);
  });

  it('ends a stall of the endpoint, and sends the rest', async () => {
    const { port, run, chip } = portOn('cp2102');
    const got: number[] = [];
    let calls = 0;
    chip.onBytes = (_uart, bytes) => {
      if (calls++ === 0) {
        return 'stall';
      }
      got.push(...bytes);
      return bytes.length;
    };
    await run(port.open(at115200));
    await run(port.writable?.getWriter().write(Uint8Array.of(1, 2, 3)) ?? Promise.reject());
    expect(got).toEqual([1, 2, 3]);
  });

  it('sends a copy: the caller may use its array again', async () => {
    const { port, run, chip } = portOn('cp2102');
    const got: number[] = [];
    chip.onBytes = (_uart, bytes) => {
      got.push(...bytes.subarray(0, 1));
      return 1;
    };
    await run(port.open(at115200));
    const bytes = Uint8Array.of(1, 2, 3);
    const writing = port.writable?.getWriter().write(bytes) ?? Promise.reject();
    await Promise.resolve();
    bytes.fill(9);
    await run(writing);
    expect(got).toEqual([1, 2, 3]);
  });

  it('aborts a write that the device does not take, empties its buffer, and gives a new stream', async () => {
    const { port, run, failure, chip } = portOn('cp2102');
    chip.onBytes = () => new Promise<never>(() => undefined);
    await run(port.open(at115200));
    const first = port.writable;
    const writer = first?.getWriter();
    const writing = failure(writer?.write(pattern(100)) ?? Promise.reject());
    await run(writer?.abort(new Error('enough')) ?? Promise.reject());
    expect(await writing).toBe('Error: enough');
    expect(chip.discarded).toEqual(['unsent']);
    chip.onBytes = (_uart, { length }) => length;
    expect(port.writable).not.toBe(first);
    await run(port.writable?.getWriter().write(pattern(10)) ?? Promise.reject());
  });

  it('closes while a write hangs', async () => {
    const { port, run, failure, chip, device } = portOn('ft232r');
    chip.onBytes = () => new Promise<never>(() => undefined);
    await run(port.open(at115200));
    const writer = port.writable?.getWriter();
    const writing = failure(writer?.write(pattern(100)) ?? Promise.reject());
    writer?.releaseLock();
    await run(port.close());
    expect(await writing).toMatch(/^InvalidStateError/);
    expect(device.opened).toBe(false);
  });

  it('waits at the close of a writer until the chip has sent its bytes', async () => {
    const { port, run, clock } = portOn('cp2102');
    await run(port.open({ baudRate: 9_600 }));
    const writer = port.writable?.getWriter();
    await run(writer?.write(new Uint8Array(96)) ?? Promise.reject());
    const from = clock.now();
    await run(writer?.close() ?? Promise.reject());
    // 96 bytes of ten bits.
    expect(clock.now() - from).toBeGreaterThanOrEqual(98);
    expect(clock.now() - from).toBeLessThanOrEqual(102);
  });
});

describe('control lines', () => {
  it.each(adapterNames)('takes one request a change on %s, held for 85 to 160 ms while bytes flow', async (name) => {
    for (let turn = 0; turn < 5; turn++) {
      const { port, run, device, chip, endpoints, clock, requests, uart } = portOn(name, () => 1 + randomNumber() * 9);
      await run(port.open(at115200));
      const reading = readOn(port);
      const writer = port.writable?.getWriter();
      const flow = setFlow(clock, () => {
        for (const packet of chip.packets(uart, pattern(40), 32)) {
          device.packet(endpoints.in, packet);
        }
        void writer?.write(pattern(400)).catch(() => 'the port was closed');
      });
      await clock.advance(50);
      const before = requests().length;
      await run(port.setSignals({ dataTerminalReady: false, requestToSend: true }));
      expect(chip.state(uart)).toMatchObject({ dtr: false, rts: true });
      await run(clock.sleep(100));
      await run(port.setSignals({ dataTerminalReady: true, requestToSend: false }));
      const [down, up, ...more] = requests().slice(before);
      expect(more).toEqual([]);
      expect((up?.at ?? 0) - (down?.at ?? 0)).toBeGreaterThanOrEqual(85);
      expect((up?.at ?? 0) - (down?.at ?? 0)).toBeLessThanOrEqual(160);
      flow();
      expect(reading.bytes().length).toBeGreaterThan(1_000);
    }
  });

  it.each(['cp2102', 'ch340-v31', 'ft232r'] as const)(
    'brings an ESP32 behind %s into its boot loader 100 times of 100, with 1 to 10 ms a request',
    async (name) => {
      let reached = 0;
      for (let turn = 0; turn < 100; turn++) {
        const clock = new VirtualClock();
        const device = new EspDevice({ chip: 'esp32' });
        const wired = new WiredAdapter({ clock, name, device, latency: () => 1 + randomNumber() * 9 });
        const port = onlyPort(wired, clock);
        await Promise.all([port.open(at115200), clock.advance(300)]);
        void readOn(port);
        const set = (lines: ControlLines) => setControlLines(port, lines);
        const reset = playSteps(clock, bootloaderSteps('uart', linesRaised), set, new AbortController().signal);
        await Promise.all([reset, clock.advance(1_000)]);
        reached += device.state === 'download' ? 1 : 0;
        wired.wired.detach();
      }
      expect(reached).toBe(100);
    },
  );

  it('ends a break at the close', async () => {
    const { port, run, chip } = portOn('ch340-v31');
    await run(port.open(at115200));
    await run(port.setSignals({ break: true }));
    expect(chip.state().break).toBe(true);
    await run(port.close());
    expect(chip.state()).toMatchObject({ break: false, dtr: false, rts: false });
  });

  it('reports inputs on after a cleared halt has cancelled the wait for a notification', async () => {
    const { port, run, device, endpoints, clock } = portOn('cdc-pico');
    await run(port.open(at115200));
    void device.clearHalt('in', endpoints.interrupt ?? 0);
    await clock.advance(1);
    device.packet(endpoints.interrupt ?? 0, Uint8Array.of(0xa1, 0x20, 0, 0, 0, 0, 2, 0, 3, 0));
    await clock.advance(1);
    expect(await run(port.getSignals())).toMatchObject({ dataCarrierDetect: true, dataSetReady: true });
  });

  it('asks a CH340 for its inputs again when its notifications have ended', async () => {
    const { port, run, device, chip, endpoints, clock } = portOn('ch340-v31');
    await run(port.open(at115200));
    device.packet(endpoints.interrupt ?? 0, Uint8Array.of(8, 0x3f, 0xff, 0xee));
    await clock.advance(1);
    chip.setInputs(0, { cts: true });
    expect(await run(port.getSignals())).toMatchObject({ clearToSend: false });
    const clear = device.clearHalt.bind(device);
    device.clearHalt = async (direction, number) => {
      await clear(direction, number);
      device.halt(direction, number);
    };
    device.halt('in', endpoints.interrupt ?? 0);
    await clock.advance(100);
    expect(await run(port.getSignals())).toMatchObject({ clearToSend: true });
  });

  it('reports a refused request as a NetworkError', async () => {
    const { port, run, failure, chip } = portOn('cp2102');
    await run(port.open(at115200));
    chip.refused.add(7);
    expect(await failure(port.setSignals({ requestToSend: false }))).toMatch(
      /^NetworkError: .*Failed to set control signals\. The adapter refused request 7/,
    );
  });
});

describe('the end of a port', () => {
  it('fails a read, has no streams and fires disconnect when the device is unplugged', async () => {
    const { port, usb, run, device, clock } = portOn('cp2102');
    const fired: string[] = [];
    port.ondisconnect = () => fired.push('disconnect');
    await run(port.open(at115200));
    const reading = readOn(port);
    usb.unplug(device);
    await clock.advance(1);
    expect(reading.errors).toEqual(['NetworkError']);
    expect([port.readable, port.writable, port.connected]).toEqual([null, null, false]);
    expect(fired).toEqual(['disconnect']);
    await run(port.close());
  });

  it('has no streams after an unplug without a reader', async () => {
    const { port, usb, run, device, clock } = portOn('cp2102');
    await run(port.open(at115200));
    const stream = port.readable;
    usb.unplug(device);
    await clock.advance(1);
    expect([port.readable, port.writable]).toEqual([null, null]);
    await expect(stream?.getReader().read()).rejects.toMatchObject({ name: 'NetworkError' });
  });

  it('closes within its limits when the device answers nothing any more', async () => {
    const { port, run, clock, device } = portOn('cp2102');
    await run(port.open(at115200));
    device.controlTransferOut = () => new Promise<never>(() => undefined);
    device.releaseInterface = () => new Promise<never>(() => undefined);
    const from = clock.now();
    await run(port.close());
    expect(clock.now() - from).toBeLessThanOrEqual(5_000);
    expect(port.readable).toBeNull();
  });

  it('can be opened again after an error of a transfer on a device that stays', async () => {
    const { port, run, device, clock } = portOn('cp2102');
    await run(port.open(at115200));
    const reading = readOn(port);
    const transfer = device.transferIn.bind(device);
    device.transferIn = async () => {
      throw new DOMException('A transfer error has occurred.', 'NetworkError');
    };
    void device.clearHalt('in', 1);
    await clock.advance(5);
    expect(reading.errors).toEqual(['NetworkError']);
    device.transferIn = transfer;
    await run(port.close());
    await run(port.open(at115200));
    expect(port.readable).not.toBeNull();
  });
});

/** Calls `send` each 4 ms until the returned function is called. */
function setFlow(clock: VirtualClock, send: () => void): () => void {
  let cancel: () => void = () => undefined;
  const next = () => {
    cancel = clock.schedule(4, () => {
      send();
      next();
    });
  };
  next();
  return () => cancel();
}
