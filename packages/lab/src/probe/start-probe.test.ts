/** The client together with the RAM program's logic, compiled for this computer. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  BridgeOutput,
  type BridgeReport,
  type CaptureRequest,
  decodeI2c,
  findProbe,
  type LevelsReport,
  type Probe,
  type ProbeHost,
  startProbe,
  waveOf,
} from './index.ts';
import { buildHostProbe, HostProbe, hasHostCompiler } from './testing/host-probe.ts';

if (!hasHostCompiler) {
  console.info('Left out, because this machine has no gcc: what the probe answers.');
}

describe.runIf(hasHostCompiler)('a probe', () => {
  let built: ReturnType<typeof buildHostProbe>;
  let wire: HostProbe;
  let probe: Probe;
  const host: ProbeHost = {
    info: { chip: 'esp32', crystal: 40 },
    withLink: (work) => work(wire, new AbortController().signal),
    answerBy: ({ onEvent }) => wire.handleEvents(onEvent),
  };

  beforeAll(() => {
    built = buildHostProbe();
  }, 60_000);
  afterAll(() => built.remove());
  beforeEach(async () => {
    wire = new HostProbe(built.program);
    const found = await findProbe(host);
    if (found === null) {
      throw new Error('Nobody answers.');
    }
    probe = found;
  });
  afterEach(() => wire.close());

  it('says what it can do', () => {
    expect(probe.capabilities).toMatchObject({ version: 1, chip: 0, crystal: 40_000_000, processorClock: 40_000_000 });
    expect([...probe.capabilities.operations]).toEqual(Array.from({ length: 10 }, (_, index) => 0xe0 + index));
  });

  it('finds the devices of a bus in one request', async () => {
    expect(await probe.i2cScan(1_000)).toEqual([0x48, 0x76]);
  });

  it('writes and reads back more bytes than the controller holds', async () => {
    const write = Uint8Array.from({ length: 201 }, (_, index) => (index * 7) & 0xff);
    const transfer = { address: 0x48, stretchLimit: 1_000 };
    expect(await probe.i2cTransfer({ ...transfer, write, read: 0 })).toHaveLength(0);
    const read = await probe.i2cTransfer({ ...transfer, write: write.subarray(0, 1), read: 200 });
    expect(read).toEqual(write.subarray(1));
  });

  it.each([
    ['an address that nobody has', 0x33, 'i2c-no-acknowledge'],
    ['a clock that is held', 0x02, 'i2c-time-out'],
    ['an address of eight bits', 0x90, 'out-of-range'],
  ] as const)('reports %s', async (_name, address, code) => {
    const transfer = { address, write: Uint8Array.of(1), read: 2, stretchLimit: 500 };
    await expect(probe.i2cTransfer(transfer)).rejects.toMatchObject({ code });
    expect(await probe.i2cTransfer({ ...transfer, address: 0x76 })).toHaveLength(2);
  });

  it.each([1, 3, 4, 64])('sends and receives %i bytes by SPI at once', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index);
    expect(await probe.spiTransfer(bytes, 1_000)).toEqual(bytes.map((byte) => ~byte & 0xff));
  });

  it('refuses an SPI transfer that does not fit', async () => {
    await expect(probe.spiTransfer(new Uint8Array(65), 1_000)).rejects.toMatchObject({ code: 'out-of-range' });
  });

  it('loses none of many bytes through the bridge, however many are handed over at once', async () => {
    const bytes = Uint8Array.from({ length: 30_000 }, (_, index) => (index ^ (index >> 8)) & 0xff);
    const output = new BridgeOutput();
    const ended = new AbortController();
    const received: number[] = [];
    const errors = new Set<string>();
    const onReport = (report: BridgeReport) => {
      received.push(...report.bytes);
      report.errors.forEach((error) => {
        errors.add(error);
      });
      if (received.length === 10_000 && report.bytes.length > 0) {
        output.write(bytes.subarray(10_000));
      }
      if (received.length === bytes.length) {
        ended.abort();
      }
    };
    output.write(bytes.subarray(0, 10_000));
    await probe.bridge({ output, onReport, signal: ended.signal });
    expect(Uint8Array.from(received)).toEqual(bytes);
    expect([...errors]).toEqual([]);
    expect(output.waiting).toBe(0);
  });

  const request: CaptureRequest = {
    pins: [4, 5, 6],
    samples: 1_000,
    before: 0,
    period: 0,
    trigger: { kind: 'immediate' },
  };

  it('captures levels in runs, with their period', async () => {
    const { runs, outcome, samplePeriod } = await probe.capture(request);
    expect(runs.reduce((sum, { samples }) => sum + samples, 0)).toBe(1_000);
    expect(runs.slice(1, -1).every(({ samples }) => samples === 8)).toBe(true);
    expect(runs.every(({ levels }) => (levels & 0b100) !== 0)).toBe(true);
    expect(outcome).toMatchObject({ isCancelled: false, samples: 1_000, trigger: 0 });
    expect(samplePeriod).toBeGreaterThan(0);
  });

  it('keeps samples from before an edge', async () => {
    const trigger = { kind: 'edge', levels: [{ pin: 5, high: true }] } as const;
    const { runs, outcome } = await probe.capture({ ...request, before: 100, trigger });
    const wave = waveOf(runs, 1, 1);
    expect(outcome.trigger).toBe(100);
    expect(wave.edges).toContain(100);
  });

  it('reads nothing of a capture that was cancelled before its trigger came', async () => {
    const abort = new AbortController();
    const trigger = { kind: 'level', levels: [{ pin: 6, high: false }] } as const;
    const capturing = probe.capture({ ...request, trigger }, abort.signal);
    abort.abort();
    const { outcome, samplePeriod, runs } = await capturing;
    expect(outcome).toMatchObject({ isCancelled: true, trigger: null });
    expect(runs).toEqual([]);
    expect(samplePeriod).toBeNull();
    expect(await probe.i2cScan(1_000)).toHaveLength(2);
  });

  it.each([
    ['too many samples', { samples: 5_000 }],
    ['a trigger behind the end', { before: 1_000 }],
    ['no second sample', { samples: 1 }],
  ])('refuses a capture with %s', async (_name, wrong) => {
    await expect(probe.capture({ ...request, ...wrong })).rejects.toMatchObject({ code: 'out-of-range' });
  });

  it('refuses a capture that would start by a write to the flash controller', async () => {
    const stimulus = { address: 0x3ff4_2000, value: 1 };
    await expect(probe.capture({ ...request, stimulus })).rejects.toMatchObject({ code: 'address-refused' });
  });

  it('streams measurements and levels until it is stopped', async () => {
    const ended = new AbortController();
    const raw: (number | null)[] = [];
    const levels: LevelsReport[] = [];
    const endWhenEnough = () => {
      if (raw.length >= 20 && levels.length >= 5) {
        ended.abort();
      }
    };
    await probe.stream({
      adc: {
        ...{ period: 100, batch: 4, channels: [3, 0] },
        onSamples: ({ samples }) => {
          raw.push(...samples.map((sample) => sample.raw));
          endWhenEnough();
        },
      },
      watch: {
        ...{ pins: [5], interval: 1 },
        onLevels: (report) => {
          levels.push(report);
          endWhenEnough();
        },
      },
      signal: ended.signal,
    });
    expect(raw.slice(0, 4)).toEqual([300, 0, 300, 0]);
    const changes = levels.map((report) => (report.levels[0] >> 5) & 1);
    expect(changes.every((level, index) => index === 0 || level !== changes[index - 1])).toBe(true);
    // No more events of the stream arrive.
    expect(await probe.i2cScan(1_000)).toHaveLength(2);
  });

  it('is loaded through the ROM, which answers every frame', async () => {
    const rom = new Map([0x05, 0x07, 0x06].map((op) => [op, Uint8Array.of(1, op, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0)]));
    const answers: Uint8Array[] = [];
    const written: number[] = [];
    const loading: ProbeHost = {
      ...host,
      withLink: (work) =>
        work(
          {
            port: wire.port,
            discard: () => undefined,
            write: (frame) => {
              const answer = rom.get(frame[2] ?? 0);
              written.push(frame[2] ?? 0);
              if (answer === undefined) {
                wire.write(frame);
              } else {
                answers.push(answer);
              }
            },
            nextFrame: async (limit, signal) => answers.shift() ?? wire.nextFrame(limit, signal),
          },
          new AbortController().signal,
        ),
    };
    await wire.nextFrame(1);
    expect((await startProbe(loading)).capabilities.version).toBe(1);
    expect(written).toEqual([5, 7, 5, 7, 6, 0xe0]);
    rom.set(7, Uint8Array.of(1, 7, 4, 0, 0, 0, 0, 0, 1, 7, 0, 0));
    await expect(startProbe(loading)).rejects.toMatchObject({ code: 'load-refused' });
  });

  it('decodes nothing into a bus that stands still', async () => {
    const { runs } = await probe.capture({ ...request, pins: [6, 7] });
    expect(decodeI2c(waveOf(runs, 0, 1), waveOf(runs, 1, 1))).toEqual([]);
  });
});
