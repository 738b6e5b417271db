/**
 * The RAM program as an instrument. `startProbe` loads it through the ROM, unless it runs from flash. The `Probe`
 * does whole transactions, captures and streams. Registers work as before, but faster, and still set up pins, clocks
 * and controllers.
 */
import type { CaptureRequest } from './capture-frames.ts';
import { probeOps } from './frames.ts';
import { askCapabilities, loadProbe } from './load-probe.ts';
import {
  i2cScanData,
  i2cTransferData,
  type ProbeCapabilities,
  type ProbeI2cTransfer,
  readI2cScan,
  spiTransferData,
} from './operations.ts';
import { ProbeEvents } from './probe-events.ts';
import { ProbeError } from './probe-failure.ts';
import type { ProbeChipName, ProbeProgram } from './probe-program.ts';
import { ProbeTalk, type ProbeWire } from './probe-talk.ts';
import { type Capture, runCapture } from './run-capture.ts';
import { type BridgeOptions, type ProbeStreams, runBridge, runStreams, type StreamLine } from './streams.ts';

/** The part of a board that a probe needs; a `Lab` has it. */
export interface ProbeHost {
  readonly info: {
    readonly chip: ProbeChipName;
    /** MHz. */
    readonly crystal: number;
  };
  /** Factor for answer time limits; defaults to 1. */
  readonly patience?: number;
  /** True: the probe already runs from flash, and nothing is loaded. */
  readonly runsProbe?: boolean;
  /** Gives `work` exclusive use of the link. Its signal aborts when the board is lost. */
  withLink<T>(work: (link: ProbeWire, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Makes the program answer registers from now on. Its unsolicited frames go to `onEvent` only. */
  answerBy(answerer: ProbeAnswerer): void;
}

interface ProbeAnswerer {
  readonly limits: typeof limits;
  /** Milliseconds. */
  readonly answerLimit: number;
  /** Checks that the program still answers, after the runner has lost an answer. */
  readonly synchronise: (link: ProbeWire, signal: AbortSignal) => Promise<boolean>;
  readonly onEvent: ProbeEvents['tell'];
}

/** Limits for the runner's register lists. More may be in flight than with the ROM. Bytes include escapes. */
const limits = { list: 511, pipelinedList: 384, bytesBehind: 7_168, readsInFlight: 32, delayUnit: 1 } as const;

/**
 * Milliseconds, besides the duration of the operation itself. Long, because a simulated chip is slow on a busy
 * computer.
 */
const answerLimit = 4_000;

export interface Probe {
  readonly capabilities: ProbeCapabilities;
  /**
   * Returns the bytes read.
   *
   * @throws ProbeError `i2c-…`, `out-of-range`, `no-answer`; errors of the host.
   */
  i2cTransfer(transfer: ProbeI2cTransfer): Promise<Uint8Array>;
  /**
   * Returns the addresses from 0x08 to 0x77 that acknowledge.
   *
   * @param stretchLimit Microseconds.
   * @throws The same as `i2cTransfer`.
   */
  i2cScan(stretchLimit: number): Promise<number[]>;
  /**
   * Returns as many bytes as were sent.
   *
   * @param limit Microseconds.
   * @throws ProbeError `spi-never-finished`, `out-of-range`, `no-answer`.
   */
  spiTransfer(bytes: Uint8Array, limit: number): Promise<Uint8Array>;
  /**
   * Captures levels. Holds the link until the capture is complete or cancelled by the signal, and its levels are
   * read.
   *
   * @throws ProbeError
   */
  capture(request: CaptureRequest, signal?: AbortSignal): Promise<Capture>;
  /**
   * Moves bytes both ways until the signal aborts. The caller must also abort it when the board is lost.
   *
   * @throws ProbeError; errors of the host.
   */
  bridge(options: BridgeOptions): Promise<void>;
  /**
   * Streams measurements and levels until the signal aborts. The caller must also abort it when the board is lost.
   *
   * @throws ProbeError; errors of the host.
   */
  stream(streams: ProbeStreams): Promise<void>;
}

/**
 * Loads the program, or connects to the one that already runs.
 *
 * @param signal Stops loading. The board is then in an unknown state and must be reset.
 * @throws ProbeError `load-refused`, `not-started`, `other-version`; the signal's reason; errors of the host.
 */
export async function startProbe(host: ProbeHost, signal?: AbortSignal): Promise<Probe> {
  if (host.runsProbe === true) {
    const running = await findProbe(host);
    if (running === null) {
      throw new ProbeError('not-started');
    }
    return running;
  }
  const program = await loadProgram(host.info.chip);
  const capabilities = await host.withLink((link, over) =>
    loadProbe(link, program, hostFacts(host), signal === undefined ? over : AbortSignal.any([over, signal])),
  );
  return probeOn(host, capabilities);
}

/**
 * Connects to a probe that already runs, such as a flashed one; null if nothing answers.
 *
 * @throws ProbeError `other-version`
 */
export async function findProbe(host: ProbeHost): Promise<Probe | null> {
  const capabilities = await host.withLink((link, over) =>
    askCapabilities(new ProbeTalk(link, ignore), hostFacts(host), over),
  );
  return capabilities && probeOn(host, capabilities);
}

function probeOn(host: ProbeHost, capabilities: ProbeCapabilities): Probe {
  const ask = (op: number, data: Uint8Array, limit: number) =>
    host.withLink(async (link, over) => (await new ProbeTalk(link, ignore).ask(op, data, limit, over)).data);
  const events = new ProbeEvents();
  const line: StreamLine = { events, withLink: (work) => host.withLink(work) };
  host.answerBy({
    limits,
    answerLimit,
    synchronise: async (link, signal) =>
      (await askCapabilities(new ProbeTalk(link, ignore), { ...hostFacts(host), patience: 1 }, signal)) !== null,
    onEvent: (event) => events.tell(event),
  });
  return {
    capabilities,
    i2cTransfer: (transfer) => {
      // At 10 kHz a byte takes 0.9 ms; each may be stretched.
      const bytes = transfer.write.length + transfer.read + 2;
      const limit = answerLimit + bytes * (1 + transfer.stretchLimit / 1_000);
      return ask(probeOps.i2cTransfer, i2cTransferData(transfer), limit);
    },
    i2cScan: async (stretchLimit) => {
      const data = i2cScanData(firstAddress, lastAddress, stretchLimit);
      const limit = answerLimit + (lastAddress - firstAddress + 1) * 2 + stretchLimit / 1_000;
      return readI2cScan(await ask(probeOps.i2cScan, data, limit));
    },
    spiTransfer: (bytes, limit) => ask(probeOps.spiTransfer, spiTransferData(bytes, limit), answerLimit + limit / 500),
    capture: (request, signal) =>
      host.withLink((link, over) => runCapture(link, events, capabilities.processorClock, request, over, signal)),
    bridge: (options) => runBridge(line, capabilities.bridgeOut, options),
    stream: (streams) => runStreams(line, streams),
  };
}

const hostFacts = ({ info, patience = 1 }: ProbeHost) => ({ crystal: info.crystal, patience });

/** Addresses available to devices (UM10204, section 3.1.12, "Reserved addresses"). */
const firstAddress = 0x08;
const lastAddress = 0x77;

/** Ignores events between answers: the listeners receive them through `onEvent`. */
function ignore(): void {
  // Intentionally empty.
}

/** Imports the program on demand, because pages that use only the ROM do not need it. */
async function loadProgram(chip: ProbeChipName): Promise<ProbeProgram> {
  return chip === 'esp32'
    ? (await import('./programs/esp32.ts')).esp32Program
    : (await import('./programs/esp32c3.ts')).esp32c3Program;
}
