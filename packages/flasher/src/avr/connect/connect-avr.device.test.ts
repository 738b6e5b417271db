/** Connecting to simulated boards: resets, rates, buttons, touches, and every failure with its code. */
import { avrBoardNames } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import type { AvrConnectOptions } from '../avr-board.ts';
import type { AvrError } from '../avr-failure.ts';
import { AvrRig, type AvrRigOptions } from '../testing/avr-rig.ts';

async function failureOf(options: AvrRigOptions, connecting: Partial<AvrConnectOptions> = {}): Promise<AvrError> {
  const rig = new AvrRig(options);
  const error = await rig.connect(connecting).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(rig.port.writable).toBeNull();
  return error as AvrError;
}

describe('connecting to a simulated board', () => {
  it('asks an old Nano at 57,600 baud after 115,200', async () => {
    const rig = new AvrRig({ board: 'arduino-nano' });
    const board = await rig.connect();
    expect(board.baudRate).toBe(57_600);
    expect(board.info).toMatchObject({ isOldBootloader: true, bootloaderName: 'ATmegaBOOT', entered: 'lines' });
    await rig.run(board.close());
  });

  it.each(['arduino-uno', 'arduino-nano', 'arduino-mega'] as const)(
    'finds %s behind an unknown adapter',
    async (name) => {
      for (const options of [
        { adapter: 'ch340' },
        { adapter: 'ch340', autoReset: false, resetAtOpen: true },
      ] as const) {
        const rig = new AvrRig({ board: name, ...options });
        const start = rig.clock.now();
        const board = await rig.connect({ resetWindow: 0 });
        expect(rig.clock.now() - start).toBeLessThan(3_500);
        await rig.run(board.close());
      }
    },
  );

  it('asks at one rate alone if it is given', async () => {
    const error = await failureOf({ board: 'arduino-nano', content: 'empty' }, { baudRate: 115_200, resetWindow: 0 });
    expect(error.code).toBe('no-answer');
  });

  it('finds a bootloader although the sketch floods the port', async () => {
    const rig = new AvrRig({ floods: true, factoryBaudRate: 115_200 });
    await rig.clock.advance(2_000);
    const board = await rig.connect();
    expect(board.info.bootloader).toBe('optiboot');
    await rig.run(board.close());
  });

  it('reports a sketch that floods the port of a board without a reset', async () => {
    const error = await failureOf({ floods: true, factoryBaudRate: 115_200, autoReset: false }, { resetWindow: 500 });
    expect(error.code).toBe('sketch-floods');
    expect(error.state).toBe('unchanged');
  });

  it('asks for the reset button, and takes the board when it is pressed', async () => {
    for (const board of ['arduino-uno', 'arduino-nano'] as const) {
      const rig = new AvrRig({ board, autoReset: false });
      const connecting = rig.connecting({
        autoReset: false,
        onStep: (step) => {
          rig.steps.push(step);
          if (step === 'press-reset') {
            // An old Nano is asked in the second turn.
            rig.clock.schedule(board === 'arduino-uno' ? 1_000 : 5_000, () => rig.device.pressReset());
          }
        },
      });
      const connected = await rig.run(connecting);
      expect(rig.steps).toContain('press-reset');
      expect(connected.info.entered).toBe('by-hand');
      await rig.run(connected.close());
    }
  });

  it('fails after 20 s without a press of reset', async () => {
    const rig = new AvrRig({ autoReset: false, content: 'empty' });
    const start = rig.clock.now();
    const error = await rig.connect({ autoReset: false }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'no-auto-reset' });
    expect(rig.clock.now() - start).toBeGreaterThan(20_000);
    expect(rig.clock.now() - start).toBeLessThan(22_000);
  });

  it('reports a program that prints and no bootloader', async () => {
    const error = await failureOf(
      { autoReset: false, factoryBaudRate: 115_200 },
      { autoReset: false, baudRate: 115_200, resetWindow: 3_000 },
    );
    expect(error.code).toBe('no-bootloader');
  });

  it('uses a board that is in its bootloader already', async () => {
    const rig = new AvrRig({ board: 'arduino-mega', autoReset: false });
    rig.device.pressReset();
    await rig.clock.advance(100);
    const board = await rig.connect();
    expect(board.info.entered).toBe('already');
    expect(rig.steps).not.toContain('resetting');
    await rig.run(board.close());
  });

  it('touches a Leonardo and takes the port that comes back', async () => {
    const rig = new AvrRig({ board: 'arduino-leonardo' });
    const board = await rig.connect();
    expect(rig.steps).toEqual([
      'opening',
      'touching',
      'waiting-for-bootloader',
      'synchronising',
      'identifying',
      'ready',
    ]);
    expect(board.info).toMatchObject({ link: 'usb', entered: 'touch', bootloaderName: 'Caterina' });
    expect(board.info.fuses).toMatchObject({ low: 0xff, high: 0xd8 });
    expect(board.baudRate).toBeNull();
    await rig.run(board.close());
  });

  it('asks for the reset button of a Leonardo whose program ignores the touch', async () => {
    const rig = new AvrRig({ board: 'arduino-leonardo', ignoresTouch: true });
    const board = await rig.run(
      rig.connecting({
        onStep: (step) => {
          if (step === 'press-reset') {
            rig.clock.schedule(700, () => rig.device.pressReset());
          }
        },
      }),
    );
    expect(board.info.bootloader).toBe('caterina');
    await rig.run(board.close());
    expect((await failureOf({ board: 'arduino-leonardo', ignoresTouch: true })).code).toBe('touch-ignored');
  });

  it('fails for a Leonardo without a function that finds its new port', async () => {
    const rig = new AvrRig({ board: 'arduino-leonardo' });
    const { connectAvr } = await import('./connect-avr.ts');
    const error = await rig.run(connectAvr(rig.port, { clock: rig.clock }).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ code: 'came-back-different' });
  });

  it.each(avrBoardNames)('ends at once when it is cancelled: %s', async (name) => {
    const rig = new AvrRig({ board: name });
    const abort = new AbortController();
    rig.clock.schedule(150, () => abort.abort());
    const start = rig.clock.now();
    const error = await rig.connect({ signal: abort.signal }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'cancelled' });
    expect(rig.clock.now() - start).toBeLessThan(250);
  });

  it('reports a port that another program holds', async () => {
    const rig = new AvrRig();
    const release = rig.demo.holdElsewhere();
    expect(await rig.connect().catch((thrown: unknown) => thrown)).toMatchObject({ code: 'port-busy' });
    release();
  });
});

describe('a connected board that is not used', () => {
  it.each(avrBoardNames)('stays in its bootloader, and is written after a minute: %s', async (name) => {
    const rig = new AvrRig({ board: name });
    const board = await rig.connect();
    await rig.clock.advance(60_000);
    expect(rig.device.state).toBe('bootloader');
    const report = await rig.run(board.write([{ offset: 0, bytes: Uint8Array.of(0x0c, 0x94, 0, 0) }]));
    expect(report).toMatchObject({ state: 'complete', repeated: 0 });
    await rig.run(board.close());
    await rig.clock.advance(20_000);
    expect(rig.device.state).not.toBe('bootloader');
  });

  it.each(['arduino-uno', 'arduino-mega'] as const)(
    'is reset for a write if its bootloader has left: %s',
    async (name) => {
      const rig = new AvrRig({ board: name, faults: [{ at: 'sync', kind: 'drop-answer', nth: 6 }] });
      const board = await rig.connect();
      await rig.clock.advance(60_000);
      expect(rig.device.state).not.toBe('bootloader');
      const report = await rig.run(board.write([{ offset: 0, bytes: Uint8Array.of(0x0c, 0x94, 0, 0) }]));
      expect(report.state).toBe('complete');
      await rig.run(board.close());
    },
  );

  it('does not send the request that keeps it awake into a command', async () => {
    const rig = new AvrRig();
    const board = await rig.connect();
    const syncs = () => rig.device.steps.get('sync') ?? 0;
    await rig.clock.advance(299);
    const before = syncs();
    const reading = board.read({ offset: 0, length: 20_000 });
    await rig.run(reading);
    expect(syncs()).toBeLessThanOrEqual(before + 1);
    await rig.clock.advance(1_000);
    expect(syncs()).toBeGreaterThan(before + 1);
    await rig.run(board.close());
  });
});
