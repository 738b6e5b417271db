/**
 * Flashes STM32 and Nordic boards over a link with a round trip of 40 ms, in virtual time, and compares every byte.
 * Requests that wait beside the board must change nothing but the time.
 */
import { VirtualClock } from '@wirebench/clock';
import {
  createNrfPort,
  createStmPort,
  type NrfBoardName,
  NrfDevice,
  type NrfDeviceOptions,
  nrfFirmware,
  StmDevice,
  type StmDeviceOptions,
} from '@wirebench/devices';
import { connectNrf, readNrfFirmware } from '@wirebench/flasher/nrf';
import { connectStm, stmEntries, stmFlashStart } from '@wirebench/flasher/stm';
import { runOn } from '@wirebench/flasher/testing';
import { isLong } from '@wirebench/test-input';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MessageChannel } from './frames/message-channel.ts';
import { numbersOf } from './testing/hostile-relay.ts';
import { RemoteRig } from './testing/remote-rig.ts';

/** Interval between the moments at which the connection is cut, in milliseconds. */
const STRIDE = isLong ? 50 : 400;
const timeout = isLong ? 1_200_000 : 120_000;
const SIZE = 16_384;
/** Delay of one direction, in milliseconds. */
const HALF_TRIP = 20;

interface Flashed {
  readonly state: string;
  readonly repeated: number;
  readonly duration: number;
}

interface Board {
  readonly clock: VirtualClock;
  readonly port: SerialPort;
  /**
   * Connects, then writes.
   *
   * @param connected Called between the two.
   */
  flash(port: SerialPort, connected?: () => void): Promise<Flashed>;
  holds(): boolean;
}

interface Family {
  readonly name: string;
  /** @param fault Kind of a fault in the middle of the write; omitted: no fault. */
  readonly plug: (fault?: 'error-answer' | 'drop-answer' | 'hang') => Promise<Board>;
  /** State that a complete write reports. */
  readonly state: 'complete' | 'unverified';
}

const program = (() => {
  const next = numbersOf(11);
  return Uint8Array.from({ length: SIZE }, () => Math.floor(next() * 256));
})();

function stm(name: string, options: Partial<StmDeviceOptions> = {}): Family {
  return {
    name,
    state: 'complete',
    plug: async (kind) => {
      const clock = new VirtualClock(1_000_000);
      const faults = kind === undefined ? [] : [{ at: 'write-data', kind, nth: 20 } as const];
      const device = new StmDevice({ part: 'stm32f103', content: 'empty', faults, ...options });
      const { port } = createStmPort(device, { clock, pace: 'wire' });
      return {
        clock,
        port: port ?? never(),
        flash: async (used, connected = () => undefined) => {
          const board = await runOn(clock, connectStm(used, { clock, entry: stmEntries.usual, baudRate: 115_200 }));
          connected();
          try {
            return await runOn(clock, board.write([{ offset: stmFlashStart, bytes: program }]));
          } finally {
            await runOn(clock, board.close());
          }
        },
        holds: () => Buffer.from(device.readMemory(stmFlashStart, SIZE)).equals(program),
      };
    },
  };
}

function nrf(name: string, board: NrfBoardName, at: 'crc' | 'data' | 'upload'): Family {
  return {
    name,
    // Over a UART, Adafruit's bootloader does not report whether it has taken the image.
    state: at === 'data' ? 'unverified' : 'complete',
    plug: async (kind) => {
      const clock = new VirtualClock(1_000_000);
      const faults: NrfDeviceOptions['faults'] = kind === undefined ? [] : [{ at, kind, nth: 3 }];
      const device = new NrfDevice({ board, powerUp: 'bootloader', faults });
      const { port } = createNrfPort(device, { clock, pace: 'wire' });
      await clock.advance(100);
      const made = nrfFirmware({ board, size: SIZE });
      const firmware = await readNrfFirmware(made.name, made.bytes);
      return {
        clock,
        port: port ?? never(),
        flash: async (used, connected = () => undefined) => {
          const connectedBoard = await runOn(clock, connectNrf(used, { clock }));
          connected();
          try {
            return await runOn(clock, connectedBoard.write(firmware));
          } finally {
            await runOn(clock, connectedBoard.close());
          }
        },
        holds: () => {
          const flash = Buffer.from(device.flash.read(0, 0x8_0000));
          return flash.includes(Buffer.from(made.image));
        },
      };
    },
  };
}

const families: readonly Family[] = [
  stm('an STM32'),
  stm('an STM32 with checksum', { part: 'stm32g071', checksum: true }),
  nrf('secure DFU', 'nrf52832-secure', 'crc'),
  nrf('MCUboot', 'nrf52840-mcuboot', 'upload'),
  nrf('Adafruit’s bootloader', 'feather-nrf52832', 'data'),
];

async function through(board: Board) {
  const { clock } = board;
  const rig = new RemoteRig({ clock, device: () => board.port, delay: () => HALF_TRIP });
  rig.relay.keeps = false;
  rig.share();
  const { port } = await rig.using();
  const cut = (duration: number) => {
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    clock.schedule(duration, () => {
      rig.relay.isDown = false;
    });
  };
  return { port, cut };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );

afterEach(() => vi.restoreAllMocks());

describe.each(families)('$name through a remote port', { timeout }, ({ plug, state }) => {
  it('has every byte, as after a local write, in at most 1.4 times its time', async () => {
    const local = await plug();
    const { duration } = await local.flash(local.port);
    const board = await plug();
    const report = await board.flash((await through(board)).port);
    expect(report).toMatchObject({ state, repeated: 0 });
    expect(board.holds()).toBe(true);
    expect(report.duration).toBeLessThan(duration * 1.4);
  });

  it('has every byte with a host of a version that cannot wait for bytes', async () => {
    const send = MessageChannel.prototype.send;
    const sent: string[] = [];
    vi.spyOn(MessageChannel.prototype, 'send').mockImplementation(function (this: MessageChannel, message) {
      sent.push(message.kind);
      if (message.kind !== 'abilities' && message.kind !== 'boards') {
        send.call(this, message);
      }
    });
    const board = await plug();
    const report = await board.flash((await through(board)).port);
    expect(report).toMatchObject({ state, repeated: 0 });
    expect(board.holds()).toBe(true);
    expect(sent).not.toContain('expect');
  });

  it.each(['error-answer', 'drop-answer'] as const)('is never taken for right after one %s', async (kind) => {
    const board = await plug(kind);
    const outcome = await failureOf(board.flash((await through(board)).port));
    if (outcome === 'done') {
      expect(board.holds()).toBe(true);
    } else {
      expect(outcome).toMatchObject({ state: 'incomplete' });
    }
  });

  it('has every byte, written once, when the connection is lost for ten seconds at any time', async () => {
    let strikes = 0;
    for (let at = 0; strikes * STRIDE === at; at += STRIDE) {
      const board = await plug();
      const { port, cut } = await through(board);
      let isWriting = true;
      const report = await board.flash(port, () => {
        board.clock.schedule(at, () => {
          strikes += isWriting ? 1 : 0;
          cut(10_000);
        });
      });
      isWriting = false;
      expect(report, `at ${at} ms`).toMatchObject({ state, repeated: 0 });
      expect(board.holds(), `at ${at} ms`).toBe(true);
    }
    expect(strikes).toBeGreaterThan(2);
  });

  it('is taken for failed, never for done, when the connection does not come back', async () => {
    const board = await plug();
    const { port, cut } = await through(board);
    let start = 0;
    const failure = await failureOf(
      board.flash(port, () => {
        start = board.clock.now();
        board.clock.schedule(700, () => cut(Number.POSITIVE_INFINITY));
      }),
    );
    expect(failure).toMatchObject({ code: 'unplugged', state: 'incomplete' });
    expect(board.clock.now() - start).toBeLessThanOrEqual(65_000);
  });
});

function never(): never {
  throw new Error('The board is plugged in.');
}
