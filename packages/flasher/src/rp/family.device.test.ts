/** The family against simulated boards: ways into BOOTSEL, the way back, two boards, the drive, and a plan carried out. */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { ConnectOptions, ConnectStep } from '../family.ts';
import { buildUf2 } from '../images/testing/formats.ts';
import { runOn } from '../testing/run-on.ts';
import type { UsbDevices } from '../usb-device.ts';
import { deadlines } from './deadlines.ts';
import { createRpFamily } from './family.ts';
import { type RpTypes, rpSettings } from './family-types.ts';
import { flashStart } from './files/index.ts';
import { codeOf } from './testing/rp-rig.ts';
import { RpBoard, type RpBoardOptions, rpFirmware } from './testing/simulated-rp.ts';

const RP2040 = 0xe48b_ff56;
const RP2350 = 0xe48b_ff59;

class Rig {
  readonly clock = new VirtualClock(1_000_000);
  readonly device: RpBoard;
  readonly family = createRpFamily();
  readonly steps: ConnectStep[] = [];

  constructor(options: Partial<RpBoardOptions> = {}) {
    this.device = new RpBoard({ pace: 'none', ...options, clock: this.clock });
  }

  run<Result>(work: Promise<Result>): Promise<Result> {
    return runOn(this.clock, work);
  }

  /** The bus, as a page passes it to a family. */
  get usb(): UsbDevices {
    const { usb } = this.device;
    return {
      list: () => usb.getDevices(),
      changed: (signal) =>
        new Promise((resolve, reject) => {
          const end = () => {
            usb.removeEventListener('connect', end);
            usb.removeEventListener('disconnect', end);
            resolve();
          };
          usb.addEventListener('connect', end);
          usb.addEventListener('disconnect', end);
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
      gone: (device) => {
        const gone = new AbortController();
        usb.addEventListener('disconnect', (event) => {
          if ('device' in event && event.device === device) {
            gone.abort();
          }
        });
        return gone.signal;
      },
    };
  }

  options(more: Partial<ConnectOptions<RpTypes>> = {}): ConnectOptions<RpTypes> {
    return {
      clock: this.clock,
      signal: new AbortController().signal,
      settings: rpSettings,
      baudRate: null,
      byHand: false,
      expectedId: null,
      isDemo: true,
      place: 1,
      isSame: false,
      personWait: 0,
      usb: this.usb,
      returned: () => new Promise(() => undefined),
      onStep: (step) => this.steps.push(step),
      ...more,
    };
  }

  get port(): SerialPort {
    const { port } = this.device;
    if (port === null) {
      throw new Error('There is no port.');
    }
    return port as unknown as SerialPort;
  }

  get stepNames(): string[] {
    return this.steps.map(({ name }) => name);
  }
}

const firmware = (kind: 'sdk' | 'arduino' | 'plain' | 'uart') => [
  { offset: 0, data: rpFirmware({ text: 'hello\r\n', kind }) },
];

describe('the way into BOOTSEL without the button', () => {
  it.each([
    ['sdk', ['resetting', 'waiting-for-bootsel']],
    ['arduino', ['resetting', 'touching', 'waiting-for-bootsel']],
  ] as const)('is found for a program of the kind %s', async (kind, first) => {
    const rig = new Rig({ content: firmware(kind) });
    await rig.clock.advance(1_000);
    const start = rig.clock.now();
    const board = await rig.run(rig.family.connect(rig.port, rig.options()));
    expect(rig.stepNames).toEqual([...first, 'opening', 'identifying', 'ready']);
    expect(rig.clock.now() - start).toBeLessThan(2 * deadlines.vanish + deadlines.arrive);
    expect(board.facts).toMatchObject({ family: 'rp', name: 'RP2040', id: null });
    await rig.run(board.restart());
    await rig.run(board.close());
    await rig.clock.advance(2_000);
    expect(rig.device.state).toBe('running');
    expect(rig.device.port).not.toBeNull();
  });

  it('asks MicroPython at its prompt', async () => {
    const clock = new VirtualClock(1_000_000);
    const port = new FakeSerialPort({ usbVendorId: 0x2e8a, usbProductId: 0x0005 });
    const sent: string[] = [];
    port.onWrite = (bytes) => {
      const text = String.fromCharCode(...bytes);
      sent.push(text);
      if (text === '\x01') {
        port.receive(new TextEncoder().encode('raw REPL; CTRL-B to exit\r\n>'));
      }
    };
    const family = createRpFamily();
    const rig = new Rig();
    const work = codeOf(family.connect(port as unknown as SerialPort, { ...rig.options(), clock, usb: emptyBus }));
    expect(await runOn(clock, work)).toBe('not-in-bootsel');
    const code = sent.find((text) => text.includes('machine.bootloader()'));
    expect(code).toMatch(/^try:\r\n import machine\r\n/);
    expect(code?.endsWith('\x04')).toBe(true);
  });

  it.each(['plain', 'uart'] as const)('ends for a program without any, after each limit: %s', async (kind) => {
    const connection = kind === 'uart' ? 'uart' : 'usb';
    const rig = new Rig({ content: firmware(kind), connection });
    await rig.clock.advance(1_000);
    const start = rig.clock.now();
    expect(await rig.run(codeOf(rig.family.connect(rig.port, rig.options())))).toBe('not-in-bootsel');
    expect(rig.clock.now() - start).toBeLessThan(3 * deadlines.vanish + 2_000);
    expect(rig.stepNames).toEqual(['resetting', 'touching', 'asking-micropython']);
  });

  it('then asks a person to press the button, and takes the board that appears', async () => {
    const rig = new Rig({ content: firmware('plain') });
    await rig.clock.advance(1_000);
    const { port } = rig;
    const work = rig.family.connect(port, rig.options({ personWait: 60_000 }));
    rig.clock.schedule(20_000, () => {
      rig.device.holdBootsel(true);
      rig.device.replug();
    });
    const board = await rig.run(work);
    const asking = rig.steps.find(({ name }) => name === 'press-bootsel');
    expect(asking).toMatchObject({ asksPerson: true, text: expect.stringContaining('BOOTSEL button') });
    expect(board.facts.name).toBe('RP2040');
  });

  it('never waits for ever for a person', async () => {
    const rig = new Rig({ content: firmware('plain') });
    await rig.clock.advance(1_000);
    const work = rig.family.connect(rig.port, rig.options({ personWait: 30_000, byHand: true }));
    expect(await rig.run(codeOf(work))).toBe('button-not-pressed');
  });
});

const emptyBus: UsbDevices = {
  list: async () => [],
  changed: (signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  gone: () => new AbortController().signal,
};

describe('a program without access to USB devices', () => {
  const onDrives = (rig: Rig, mounted: () => boolean) => ({
    usb: undefined as never,
    drives: {
      list: async () => (mounted() ? [rig.device.drive] : []),
      changed: (signal: AbortSignal) => rig.clock.sleep(100, signal),
    },
  });

  it('touches the port and takes the drive that is mounted afterwards', async () => {
    const rig = new Rig({ content: firmware('arduino') });
    await rig.clock.advance(1_000);
    const { usb: _usb, ...options } = rig.options();
    const { drives } = onDrives(rig, () => rig.device.state === 'bootsel');
    const board = await rig.run(rig.family.connect(rig.port, { ...options, drives }));
    expect(rig.stepNames).toEqual(['resetting', 'touching', 'waiting-for-bootsel', 'checking-drive', 'ready']);
    expect(board.facts).toMatchObject({ name: 'RP2040', info: { link: 'drive' } });
  });

  it('fails if the board has left its program and no drive is mounted in time', async () => {
    const rig = new Rig({ content: firmware('arduino') });
    await rig.clock.advance(1_000);
    const { usb: _usb, ...options } = rig.options();
    const { drives } = onDrives(rig, () => false);
    const start = rig.clock.now();
    expect(await rig.run(codeOf(rig.family.connect(rig.port, { ...options, drives })))).toBe('button-not-pressed');
    expect(rig.clock.now() - start).toBeLessThan(2 * deadlines.vanish + deadlines.mount + 1_000);
  });
});

describe('two boards', () => {
  it('are told apart by their place: the one that was there before is left alone', async () => {
    const rig = new Rig({ content: firmware('arduino') });
    const other = new RpBoard({ clock: rig.clock, pace: 'none', usb: rig.device.usb, bootsel: true });
    await rig.clock.advance(1_000);
    const before = other.flash.read(0, 65_536);
    const board = await rig.run(rig.family.connect(rig.port, rig.options()));
    const files = await rig.family.readFiles([{ name: 'a.bin', offset: 0, bytes: randomBytes(4_000) }]);
    const request = { files, settings: rpSettings, guard: null };
    const plan = await board.plan(request, new AbortController().signal);
    expect(plan.refusals).toEqual([]);
    await rig.run(
      board.write({ signal: new AbortController().signal, onStage: () => undefined, onEvent: () => undefined }),
    );
    expect(rig.device.device?.serialNumber).toBe(other.device?.serialNumber);
    expect(Buffer.from(other.flash.read(0, 65_536)).equals(before)).toBe(true);
    expect(rig.device.flash.read(0, 4_000)).not.toEqual(before.subarray(0, 4_000));
  });

  it('are not guessed if they start at the same time', async () => {
    const rig = new Rig({ bootsel: true });
    const other = new RpBoard({ clock: rig.clock, pace: 'none', usb: rig.device.usb, bootsel: true });
    await rig.clock.advance(1_000);
    const both = [rig.device, other].flatMap(({ device }) => device ?? []);
    let looks = 0;
    const usb: UsbDevices = {
      list: async () => (looks++ === 0 ? [] : both),
      changed: async () => undefined,
      gone: () => new AbortController().signal,
    };
    const port = new FakeSerialPort() as unknown as SerialPort;
    const work = rig.family.connect(port, rig.options({ usb, personWait: 60_000, byHand: true }));
    expect(await rig.run(codeOf(work))).toBe('several-boards');
    expect(both.length).toBe(2);
  });
});

describe('the drive', () => {
  const never = new AbortController().signal;
  const work = { signal: never, onStage: () => undefined, onEvent: () => undefined };
  const uf2Of = (family: number, bytes: Uint8Array, address = flashStart) =>
    Uint8Array.from(buildUf2({ address, bytes }, family));

  async function connected(options: Partial<RpBoardOptions> = {}) {
    const rig = new Rig({ bootsel: true, ...options });
    await rig.clock.advance(1_000);
    const board = await rig.run(rig.family.connectDrive(rig.device.drive, rig.options()));
    const planOf = async (name: string, bytes: Uint8Array) => {
      const files = await rig.family.readFiles([{ name, offset: 0, bytes }]);
      return rig.run(board.plan({ files, settings: rpSettings, guard: null }, never));
    };
    return { rig, board, planOf };
  }

  it.each(['error', 'ok'] as const)('takes a UF2, and the restart decides: close() ends with %s', async (end) => {
    for (const flush of ['at-once', 'at-close'] as const) {
      const { rig, board, planOf } = await connected({ drive: { end, flush } });
      const image = rpFirmware({ text: 'by drive\r\n', kind: 'sdk', size: 40_000 });
      const plan = await planOf('new.uf2', uf2Of(RP2040, image));
      expect(plan.refusals).toEqual([]);
      expect(plan.warnings.map(({ code }) => code)).toContain('by-drive');
      rig.device.holdBootsel(false);
      const report = await rig.run(board.write(work));
      expect(report).toMatchObject({ state: 'unverified', written: image.length });
      expect(report.regions.every(({ outcome, proof }) => outcome === 'unverified' && proof === null)).toBe(true);
      expect(rig.device.flash.read(0, image.length)).toEqual(image);
      expect(board.over.aborted).toBe(true);
    }
  });

  it('makes a UF2 of a file in another format', async () => {
    const { rig, board, planOf } = await connected();
    const image = rpFirmware({ text: 'from bin\r\n', size: 9_000 });
    const plan = await planOf('new.bin', image);
    expect(plan.refusals).toEqual([]);
    rig.device.holdBootsel(false);
    await rig.run(board.write(work));
    expect(rig.device.flash.read(0, image.length)).toEqual(image);
  });

  it('refuses a program for the other chip before a byte is copied', async () => {
    const { rig, board, planOf } = await connected();
    const before = rig.device.flash.read(0, 65_536);
    const plan = await planOf('pico2.uf2', uf2Of(RP2350, randomBytes(512)));
    expect(plan.refusals).toMatchObject([{ code: 'other-chip' }]);
    expect(await rig.run(codeOf(board.write(work)))).toBe('write-failed');
    expect(rig.device.flash.read(0, 65_536)).toEqual(before);
  });

  it('refuses a file of which it would lose a part, with the forecast', async () => {
    const { planOf } = await connected();
    const plan = await planOf('middle.uf2', uf2Of(RP2040, randomBytes(8_192), flashStart + 0x800));
    expect(plan.refusals).toMatchObject([{ code: 'drive-loses', remedy: expect.stringContaining('over USB') }]);
  });

  it('names what it erases beside a file, unless it is the rest of the last sector of a program', async () => {
    const { planOf } = await connected();
    const warningsOf = async (bytes: Uint8Array, address = flashStart) => {
      const { refusals, warnings } = await planOf('app.uf2', uf2Of(RP2040, bytes, address));
      expect(refusals).toEqual([]);
      return warnings.map(({ code }) => code);
    };
    const program = rpFirmware({ text: 'short\r\n', size: 9_728 });
    expect(await warningsOf(program)).not.toContain('drive-erases');
    // Other data may share the sector of data.
    expect(await warningsOf(randomBytes(512), flashStart + 0x10_0000)).toContain('drive-erases');
    // The files of the new program begin in the last sector.
    const place = { name: 'MicroPython', address: flashStart + 0x2800, size: 0x10_0000 };
    const over = rpFirmware({ text: 'short\r\n', size: 9_728, drive: place });
    expect(await warningsOf(over)).toContain('drive-erases');
  });

  it('refuses a folder without INFO_UF2.TXT by its name, and writes nothing', async () => {
    const rig = new Rig();
    const asked: string[] = [];
    const folder = {
      name: 'CIRCUITPY',
      getFileHandle: async (name: string) => {
        asked.push(name);
        throw new DOMException('Not found.', 'NotFoundError');
      },
    };
    const error = await rig.run(rig.family.connectDrive(folder, rig.options()).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({
      code: 'not-the-drive',
      message: expect.stringMatching(/^"CIRCUITPY" is not the drive/),
    });
    expect(asked).toEqual(['INFO_UF2.TXT']);
  });

  it('reports a copy that ends before its last block, with the bytes written', async () => {
    const { rig, board, planOf } = await connected({ pace: 'wire' });
    await planOf('big.uf2', uf2Of(RP2040, rpFirmware({ text: 'x', size: 200_000 })));
    rig.clock.schedule(200, () => rig.device.unplug());
    const error = await rig.run(board.write(work).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({
      code: 'drive-copy-failed',
      detail: expect.stringMatching(/^[\d,]+ bytes of 40\d,\d+ bytes/),
    });
  });

  it('reports a board that has taken a file and does not restart', async () => {
    const { rig, board, planOf } = await connected({ drive: { end: 'ok', flush: 'at-once' } });
    await planOf('new.uf2', uf2Of(RP2040, rpFirmware({ text: 'x', size: 9_000 })));
    // A board that takes nothing: another page holds it exclusively.
    const held = await rig.run(
      rig.family.connectUsb?.(rig.device.device as never, new AbortController().signal, rig.options()) ??
        Promise.reject(),
    );
    const start = rig.clock.now();
    expect(await rig.run(codeOf(board.write(work)))).toBe('drive-not-taken');
    expect(rig.clock.now() - start).toBeLessThan(deadlines.driveReturn + 1_000);
    await rig.run(held.close());
  });

  it('can neither be read nor erased', async () => {
    const { rig, board } = await connected();
    expect(
      await rig.run(
        codeOf(board.read({ offset: flashStart, length: 256 }, { signal: never, onProgress: () => undefined })),
      ),
    ).toBe('drive-cannot');
    expect(await rig.run(codeOf(board.erase(null, { signal: never, onProgress: () => undefined })))).toBe(
      'drive-cannot',
    );
    expect(await rig.run(codeOf(board.restart()))).toBe('drive-cannot');
  });
});
