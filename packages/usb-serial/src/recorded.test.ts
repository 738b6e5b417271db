/** The recorded requests of five outside drivers, replayed: the port leaves the chip in the state that they do. */
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { fakeAdapter } from './testing/adapters.ts';
import type { UartState } from './testing/chips/uart-chip.ts';
import { bytesOfHex, operations, type RecordedRow, recordedChips, recordedRows } from './testing/recorded-rows.ts';
import { portsOf } from './usb-serial.ts';

const at115200 = { baudRate: 115_200 };

/**
 * Rows on which the port differs from every program that was recorded, by operation and chip, each with the reason.
 * The README has the same list.
 */
const deviations: readonly {
  readonly reason: string;
  readonly isMeant: (row: RecordedRow) => boolean;
}[] = [
  {
    reason: 'Web Serial has no 5 and 6 data bits, no mark and space parity and no XON/XOFF: TypeError',
    isMeant: ({ op, args }) =>
      (op === 'frame' && (Number(args.dataBits) < 7 || args.parity === 'mark' || args.parity === 'space')) ||
      (op === 'flow' && args.mode === 'xonxoff'),
  },
  {
    reason: 'The second port of a CP2105 has 8 data bits and 1 stop bit (data sheet): NetworkError',
    isMeant: ({ op, chip, args }) =>
      op === 'frame' && chip === 'cp2105-standard' && (args.dataBits !== 8 || args.stopBits !== 1),
  },
  {
    reason: 'No program comes within 3 % of the rate: NetworkError with the nearest one',
    isMeant: (row) => row.op === 'rate' && Object.values(ratesOf(row)).every((rate) => missOf(row, rate) > 0.03),
  },
  {
    reason: 'Linux 6.1 and the Android library set no hardware flow control on CH34x; Linux does since 2025',
    isMeant: ({ op, chip, args }) => op === 'flow' && chip.startsWith('ch34') && args.mode === 'hardware',
  },
  {
    reason: 'The class CDC has no flow control: NetworkError, as the Android library refuses',
    isMeant: ({ op, chip, args }) => op === 'flow' && chip.startsWith('cdc') && args.mode === 'hardware',
  },
];

const reasonOf = (row: RecordedRow) => deviations.find(({ isMeant }) => isMeant(row))?.reason;

/** Rates that the chip makes of the requests of each program that does not refuse. */
function ratesOf(row: RecordedRow): Readonly<Record<string, number>> {
  const chips = recordedChips(row);
  return Object.fromEntries(
    Object.entries(row.truth)
      // Programs without a transfer only calculated; their rate is in `reportsRate`.
      .filter(([, { refuses, transfers = [] }]) => refuses === undefined && transfers.length > 0)
      .map(([program]) => [program, chips[program]?.state(fakeUart(row)).rate ?? 0]),
  );
}

const fakeUart = ({ chip }: RecordedRow) => fakeAdapter(chip, new VirtualClock()).uart;
const missOf = ({ args }: RecordedRow, rate: number) => Math.abs(rate - (args.rate ?? 0)) / (args.rate ?? 1);

/** A port on the chip of a row. */
function portOn(row: RecordedRow) {
  const clock = new VirtualClock();
  const adapter = fakeAdapter(row.chip, clock);
  const port = portsOf(adapter.device, { clock })[adapter.uart];
  if (port === undefined) {
    throw new Error(`${row.id}: there is no port`);
  }
  const run = async <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => 'looked at below');
    await clock.advance(10_000);
    return work;
  };
  const failure = async (work: Promise<unknown>) =>
    run(
      work.then(
        () => 'no error',
        (error: unknown) => (error instanceof Error || error instanceof DOMException ? error : String(error)),
      ),
    );
  return { ...adapter, clock, port, run, failure, state: () => adapter.chip.state(adapter.uart) };
}

/** Expects a part of the state to be that of a program. */
function expectSome(row: RecordedRow, state: UartState, keys: readonly (keyof UartState)[]): void {
  const uart = fakeUart(row);
  const pick = (of: UartState) => Object.fromEntries(keys.map((key) => [key, of[key]]));
  const states = Object.values(recordedChips(row)).map((chip) => pick(chip.state(uart)));
  expect(states, row.id).toContainEqual(pick(state));
}

type Replay = (row: RecordedRow) => Promise<void>;

const replays: Readonly<Record<RecordedRow['op'], Replay>> = {
  async open(row) {
    const { port, run, state } = portOn(row);
    await run(port.open(at115200));
    // Both lines are high then, as Web Serial has it.
    expectSome(row, { ...state(), dtr: false, rts: false }, ['rate', 'dataBits', 'parity', 'stopBits', 'flow', 'dtr']);
    expect(state()).toMatchObject({ isEnabled: true, dtr: true, rts: true });
  },

  async closing(row) {
    const { port, run, state } = portOn(row);
    await run(port.open(at115200));
    await run(port.close());
    expect(state()).toMatchObject({ dtr: false, rts: false, break: false, flow: 'none' });
    expect(state().isEnabled).toBe(!row.chip.startsWith('cp210'));
  },

  async rate(row) {
    const { port, run, failure, state } = portOn(row);
    const rates = Object.values(ratesOf(row));
    if (reasonOf(row) !== undefined) {
      const error = await failure(port.open({ baudRate: row.args.rate ?? 0 }));
      expect(error, row.id).toMatchObject({ name: 'NetworkError' });
      expect(String(error)).toMatch(/cannot send at \d+ baud\. The nearest rate that it has is \d+\.$/);
      return;
    }
    await run(port.open({ baudRate: row.args.rate ?? 0 }));
    const miss = missOf(row, state().rate);
    expect(miss, row.id).toBeLessThanOrEqual(0.03);
    expect(miss, row.id).toBeLessThanOrEqual(Math.min(...rates.map((rate) => missOf(row, rate))) + 1e-3);
    expectSome(row, state(), ['rate', 'dataBits', 'parity', 'stopBits']);
  },

  async frame(row) {
    const { port, run, failure, state } = portOn(row);
    const { rate = 0, dataBits, parity, stopBits } = row.args;
    const opened = port.open({ baudRate: rate, dataBits, parity, stopBits } as SerialOptions);
    if (reasonOf(row) === undefined) {
      await run(opened);
      expectSome(row, state(), ['dataBits', 'parity', 'stopBits']);
      return;
    }
    const isWebSerial = Number(dataBits) >= 7 && ['none', 'odd', 'even'].includes(parity ?? '');
    expect(await failure(opened), row.id).toMatchObject({ name: isWebSerial ? 'NetworkError' : 'TypeError' });
  },

  async signals(row) {
    const { port, run, device, state } = portOn(row);
    await run(port.open(at115200));
    await run(port.setSignals(row.args.from ?? {}));
    const before = device.calls.length;
    await run(port.setSignals(row.args.set ?? {}));
    expect(
      device.calls.slice(before).filter(({ method }) => method.startsWith('control')),
      row.id,
    ).toHaveLength(1);
    expect(state(), row.id).toMatchObject(linesOf({ ...row.args.from, ...row.args.set }));
  },

  async break(row) {
    const { port, run, state } = portOn(row);
    await run(port.open(at115200));
    await run(port.setSignals({ break: row.args.on !== true }));
    await run(port.setSignals({ break: row.args.on === true }));
    expect(state().break, row.id).toBe(row.args.on);
    expectSome(row, state(), ['break']);
  },

  async flow(row) {
    const { port, run, failure, state } = portOn(row);
    const mode = row.args.mode === 'xonxoff' ? 'software' : row.args.mode;
    const opened = port.open({ ...at115200, flowControl: mode as FlowControlType });
    const reason = reasonOf(row);
    if (reason?.includes('Error') === true) {
      const name = mode === 'software' ? 'TypeError' : 'NetworkError';
      expect(await failure(opened), row.id).toMatchObject({ name });
      return;
    }
    await run(opened);
    expect(state().flow, row.id).toBe(mode);
    if (reason === undefined) {
      expectSome(row, state(), ['flow']);
    }
  },

  async purge(row) {
    const { port, run, chip } = portOn(row);
    await run(port.open(at115200));
    chip.discarded.length = 0;
    await run((row.args.side === 'write' ? port.writable?.abort() : port.readable?.cancel()) ?? Promise.reject());
    const [recorded] = Object.values(recordedChips(row));
    expect(chip.discarded, row.id).toEqual(recorded?.discarded);
  },

  async latency(row) {
    const { port, run, state } = portOn(row);
    await run(port.open(at115200));
    expectSome(row, state(), ['latency']);
  },

  async status(row) {
    const { port, run, chip, clock, device } = portOn(row);
    await run(port.open(at115200));
    const { interrupt, reply } = row.args;
    if (reply !== undefined) {
      chip.in = () => bytesOfHex(reply);
    } else {
      device.packet(notificationEndpoint(row), bytesOfHex(interrupt ?? ''));
      await clock.settle();
    }
    const [truth] = Object.values(row.truth);
    expect(await run(port.getSignals()), row.id).toEqual(truth?.signals);
  },

  async rx(row) {
    const { port, run, device, endpoints, clock, packetSize } = portOn(row);
    await run(port.open(at115200));
    const read = readAll(port);
    if (row.args.interrupt !== undefined) {
      device.packet(notificationEndpoint(row), bytesOfHex(row.args.interrupt));
      await clock.advance(1);
    }
    for (const transfer of row.args.packets ?? []) {
      const bytes = bytesOfHex(transfer);
      for (let at = 0; at < bytes.length; at += packetSize) {
        device.packet(endpoints.in, bytes.subarray(at, at + packetSize));
      }
      // The recording has whole transfers.
      if (bytes.length % packetSize === 0) {
        device.packet(endpoints.in, new Uint8Array());
      }
    }
    await clock.advance(10);
    expect(read, row.id).toEqual(expectedOf(row));
  },
};

const linesOf = ({ dataTerminalReady, requestToSend }: SerialOutputSignals) => ({
  dtr: dataTerminalReady,
  rts: requestToSend,
});

function notificationEndpoint(row: RecordedRow): number {
  return fakeAdapter(row.chip, new VirtualClock()).endpoints.interrupt ?? 0;
}

/** Reads on over errors. Returns bytes as hex and names of errors, which fill up later. */
function readAll(port: SerialPort): { bytes: string; readonly errors: string[] } {
  const read = { bytes: '', errors: [] as string[] };
  const run = async () => {
    for (let stream = port.readable; stream !== null; stream = port.readable) {
      const reader = stream.getReader();
      try {
        for (let got = await reader.read(); !got.done; got = await reader.read()) {
          read.bytes += Buffer.from(got.value).toString('hex');
        }
        return;
      } catch (error) {
        read.errors.push(error instanceof DOMException ? error.name : String(error));
      } finally {
        reader.releaseLock();
      }
    }
  };
  void run();
  return read;
}

const errorNames: Readonly<Record<string, string>> = {
  P: 'ParityError',
  F: 'FramingError',
  B: 'BreakError',
  O: 'BufferOverrunError',
};

/**
 * Linux marks bytes, Web Serial ends a stream. A mark becomes one error for bytes in a row with it. The bytes stay if
 * Linux marked a whole packet without knowing the damaged one, and go if it is the only one, a break or an overrun's
 * own zero, or named by the chip (CP210x).
 */
function expectedOf({ chip, truth }: RecordedRow): { bytes: string; errors: string[] } {
  const tokens = (truth['linux']?.received ?? '').split(' ').filter((token) => token !== '');
  const errors: string[] = [];
  let bytes = '';
  for (const [at, token] of tokens.entries()) {
    const mark = token[2];
    if (mark !== undefined && tokens[at - 1]?.[2] !== mark) {
      errors.push(errorNames[mark] ?? '');
    }
    const isSole = tokens.filter((one) => !one.endsWith('O')).length === 1;
    const isDropped = mark !== undefined && (token === '00B' || token === '00O' || chip.startsWith('cp210') || isSole);
    bytes += isDropped ? '' : token.slice(0, 2);
  }
  return { bytes, errors };
}

describe.each(operations)('recorded rows of %s', (operation) => {
  const rows = recordedRows(operation);

  it(`leaves the chip as an outside program does, ${rows.length} rows`, async () => {
    for (const row of rows) {
      await replays[operation](row);
    }
  });
});

it('has 2,095 rows, and as many deviations as the README says', () => {
  const rows = operations.flatMap((operation) => recordedRows(operation));
  expect(rows).toHaveLength(2_095);
  expect(new Set(rows.map(({ chip }) => chip)).size).toBe(22);
  const counts = deviations.map(({ reason }) => rows.filter((row) => reasonOf(row) === reason).length);
  expect(counts).toEqual([86, 5, 55, 1, 1]);
});
