import { ChattyBoard, demoUsbIds, SimulatedSerial } from '@wirebench/devices';
import { defaultPortSettings, type SignalChange } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { connected, notices, received, stateOf, testRig } from '../testing/test-rig.ts';
import type { ResetMode } from './reset-board.ts';

/** Returns a started board with the auto-reset circuit, which listens in its shell. */
async function runningBoard() {
  const test = testRig();
  const board = new ChattyBoard();
  const bridge = new SimulatedSerial().plugIn({ device: board, clock: test.clock, ...demoUsbIds });
  const { port } = bridge;
  if (port === null) {
    throw new Error('plugged in');
  }
  await test.bench.connect(1, port, defaultPortSettings);
  await test.clock.advance(1_000);
  expect(board.state).toBe('running');
  test.bench.clear();
  return { ...test, board, bridge };
}

/** Returns the calls of a fake port, with the milliseconds since the first one. */
async function played(mode: ResetMode, info?: SerialPortInfo, lines?: SignalChange): Promise<string[]> {
  const test = testRig();
  const device = await connected(test, 1, new FakeSerialPort(info));
  await test.bench.setSignals(1, lines ?? {});
  const begun = test.clock.now();
  const calls: string[] = [];
  device.calls.length = 0;
  const set = device.setSignals.bind(device);
  device.setSignals = async ({ dataTerminalReady, requestToSend }) => {
    calls.push(`${test.clock.now() - begun}: DTR ${Number(dataTerminalReady)} RTS ${Number(requestToSend)}`);
    await set({});
  };
  const done = test.bench.jobs.resetBoard(1, mode);
  await test.clock.advance(1_000);
  await done;
  return calls;
}

describe('resetting a board', () => {
  it('restarts its program, and leaves the lines as they were', async () => {
    const { bench, clock, board } = await runningBoard();
    const done = bench.jobs.resetBoard(1, 'run');
    await clock.advance(50);
    expect(board.state).toBe('held');
    await clock.advance(1_000);
    await done;
    expect(board.state).toBe('running');
    expect(received(bench).join('\n')).toContain('rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)');
    expect(bench.status().ports[1].signals).toEqual({ dtr: true, rts: false });
    expect(notices(bench)).toEqual(['Asked the board on Port 1 to restart, using its control lines']);
  });

  it('tells when the board leaves its reset, before its program prints', async () => {
    const { bench, clock, board } = await runningBoard();
    const before = received(bench).length;
    const seen: [state: string, lines: number][] = [];
    const done = bench.jobs.resetBoard(1, 'run', {
      released: () => seen.push([board.state, received(bench).length - before]),
    });
    await clock.advance(1_000);
    await done;
    expect(seen).toEqual([['held', 0]]);
    expect(received(bench).length).toBeGreaterThan(before);
  });

  it('tells so only when late output of the program before has arrived', async () => {
    const test = testRig();
    const device = await connected(test);
    const seen: string[][] = [];
    const released = (wasHeld: boolean) => seen.push([String(wasHeld), ...received(test.bench)]);
    const done = test.bench.jobs.resetBoard(1, 'run', { released });
    await test.clock.advance(110);
    device.receive('READY\n');
    await test.clock.advance(1_000);
    await done;
    expect(seen).toEqual([['true', 'READY']]);
    expect(notices(test.bench)).toEqual([
      'Port 1 connected (115200 8N1)',
      'Asked the board on Port 1 to restart, using its control lines',
    ]);
  });

  it('tells so after DTR rose, and warns, when the board prints on', async () => {
    const test = testRig();
    const device = await connected(test);
    const seen: string[] = [];
    let last = '';
    const set = device.setSignals.bind(device);
    device.setSignals = async (signals) => {
      last = `DTR ${Number(signals.dataTerminalReady)} RTS ${Number(signals.requestToSend)}`;
      await set(signals);
    };
    const released = (wasHeld: boolean) => seen.push(`${last}, held: ${wasHeld}`);
    const done = test.bench.jobs.resetBoard(1, 'run', { released });
    for (let at = 0; at < 60; at++) {
      device.receive('old\n');
      await test.clock.advance(10);
    }
    await done;
    expect(seen).toEqual(['DTR 1 RTS 0, held: false']);
    expect(last).toBe('DTR 1 RTS 0');
    expect(notices(test.bench)).toContain(
      'Port 1 went on receiving while the reset was held: its output shows whether the board restarts',
    );
  });

  it('takes what adapters pass on right after DTR rose for output of the program before', async () => {
    const test = testRig();
    const device = await connected(test);
    const seen: string[] = [];
    const set = device.setSignals.bind(device);
    device.setSignals = async (signals) => {
      await set(signals);
      if (signals.dataTerminalReady === true) {
        test.clock.schedule(16, () => device.receive('late\n'));
        test.clock.schedule(65, () => device.receive('new\n'));
      }
    };
    const released = () => seen.push(received(test.bench).at(-1) ?? '');
    const done = test.bench.jobs.resetBoard(1, 'run', { released });
    for (let at = 0; at < 45; at++) {
      device.receive('old\n');
      await test.clock.advance(10);
    }
    await test.clock.advance(1_000);
    await done;
    expect(seen).toEqual(['late']);
    expect(received(test.bench).at(-1)).toBe('new');
  });

  it('tells of a restart when the board is unplugged while it is held', async () => {
    const { bench, clock, bridge } = await runningBoard();
    const seen: boolean[] = [];
    const done = bench.jobs.resetBoard(1, 'run', { released: (wasHeld) => seen.push(wasHeld) });
    await clock.advance(50);
    bridge.unplug();
    await clock.advance(1_000);
    await done;
    expect(seen).toEqual([true]);
  });

  it('brings it into its bootloader', async () => {
    const { bench, clock, board } = await runningBoard();
    const done = bench.jobs.resetBoard(1, 'boot');
    await clock.advance(1_000);
    await done;
    expect(board.state).toBe('download');
    expect(received(bench)).toContain('waiting for download');
    expect(bench.status().ports[1].signals).toEqual({ dtr: true, rts: false });
    expect(notices(bench)).toEqual(['Asked the board on Port 1 to wait in its bootloader, using its control lines']);
    const again = bench.jobs.resetBoard(1, 'run');
    await clock.advance(1_000);
    await again;
    expect(board.state).toBe('running');
  });

  it.each<ResetMode>(['run', 'boot'])('lets the program start when it is cancelled on the way to %s', async (mode) => {
    for (let after = 10; after <= 90; after += 40) {
      const { bench, clock, board } = await runningBoard();
      const abort = new AbortController();
      const done = bench.jobs.resetBoard(1, mode, { signal: abort.signal });
      done.catch(() => 'looked at below');
      await clock.advance(after);
      abort.abort(new Error('changed my mind'));
      await clock.advance(1_000);
      await expect(done).rejects.toThrow('changed my mind');
      expect(board.state).toBe('running');
      expect(bench.status().ports[1].signals).toEqual({ dtr: true, rts: false });
      expect(notices(bench)).toEqual([]);
    }
  });

  it('plays the sequences of the auto-reset circuit', async () => {
    const circuit = ['0: DTR 0 RTS 1', '100: DTR 0 RTS 0', '150: DTR 1 RTS 0'];
    expect(await played('run')).toEqual(circuit);
    expect(await played('boot')).toEqual([
      '0: DTR 0 RTS 1',
      '100: DTR 1 RTS 0',
      '150: DTR 0 RTS 0',
      '150: DTR 1 RTS 0',
    ]);
  });

  it.each([0x1002, 0x8166, undefined])(
    'plays those of the circuit behind a bridge of the same vendor, product %o',
    async (usbProductId) => {
      const bridge = { usbVendorId: 0x303a, ...(usbProductId !== undefined && { usbProductId }) };
      expect(await played('boot', bridge)).toEqual(await played('boot'));
      expect(await played('run', bridge)).toEqual(await played('run'));
    },
  );

  it('plays the sequences of chips that are on USB themselves', async () => {
    const usb = { usbVendorId: 0x303a, usbProductId: 0x1001 };
    expect(await played('run', usb)).toEqual([
      '0: DTR 0 RTS 0',
      '100: DTR 0 RTS 1',
      '200: DTR 0 RTS 0',
      '400: DTR 1 RTS 0',
    ]);
    expect(await played('boot', usb)).toEqual([
      '0: DTR 0 RTS 0',
      '100: DTR 1 RTS 0',
      '200: DTR 1 RTS 1',
      '200: DTR 0 RTS 1',
      '300: DTR 0 RTS 0',
      '500: DTR 1 RTS 0',
    ]);
  });

  it('releases RTS first where both lines are raised: the other way round is a reset to a chip on USB', async () => {
    const usb = { usbVendorId: 0x303a, usbProductId: 0x1001 };
    const [first, ...rest] = await played('boot', usb, { dtr: true, rts: true });
    expect(first).toBe('0: DTR 1 RTS 0');
    expect(rest.slice(0, -1)).toEqual((await played('boot', usb)).slice(0, -1));
    expect(rest.at(-1)).toBe('500: DTR 1 RTS 1');
  });

  it.each([0x0002, 0x0009, 0x0012])(
    'raises both on the way to the bootloader of a chip on USB OTG, product %o',
    async (usbProductId) => {
      const otg = { usbVendorId: 0x303a, usbProductId };
      expect(await played('boot', otg)).toEqual([
        '0: DTR 0 RTS 1',
        '100: DTR 1 RTS 1',
        '100: DTR 1 RTS 0',
        '150: DTR 0 RTS 0',
        '150: DTR 1 RTS 0',
      ]);
      expect(await played('run', otg)).toEqual(['0: DTR 0 RTS 1', '200: DTR 0 RTS 0', '400: DTR 1 RTS 0']);
    },
  );

  it('is refused while the port is disconnecting, when it is not connected, and a second time', async () => {
    const test = testRig();
    const device = await connected(test);
    const resetting = test.bench.jobs.resetBoard(1, 'run');
    await expect(test.bench.jobs.resetBoard(1, 'boot')).rejects.toMatchObject({ code: 'already-resetting' });
    await test.clock.advance(1_000);
    await resetting;
    device.hold('close');
    const closing = test.bench.disconnect(1);
    await expect(test.bench.jobs.resetBoard(1, 'run')).rejects.toMatchObject({ code: 'signals-while-disconnecting' });
    device.release('close');
    await test.clock.advance(1_000);
    await closing;
    await expect(test.bench.jobs.resetBoard(1, 'run')).rejects.toMatchObject({ code: 'not-connected' });
  });

  it('ends without a notice when the board is unplugged during it', async () => {
    const { bench, clock, bridge } = await runningBoard();
    const done = bench.jobs.resetBoard(1, 'run');
    await clock.advance(50);
    bridge.unplug();
    await clock.advance(1_000);
    await done;
    expect(stateOf(bench)).toBe('reconnecting');
    expect(notices(bench)).toEqual(['Device disconnected from Port 1']);
  });

  it('reports that the lines cannot be set', async () => {
    const test = testRig();
    const device = await connected(test);
    device.signalsError = new Error('no such line');
    await expect(test.bench.jobs.resetBoard(1, 'run')).rejects.toMatchObject({ code: 'signals-failed' });
    expect(notices(test.bench)).toContain('The control lines of Port 1 could not be changed: no such line');
    expect(notices(test.bench).join()).not.toContain('Asked');
  });
});
