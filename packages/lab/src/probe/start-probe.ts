/**
 * The RAM program as an instrument: `startProbe` loads it into a board that is in its ROM, unless it runs from flash, and the `Probe` does whole transactions, captures
 * and streams. Registers go on working as before, faster. What is set up by registers (pins, clocks, controllers) is not its subject.
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

/** What a probe needs of the board that runs it; a `Lab` has it. */
export interface ProbeHost {
  readonly info: {
    readonly chip: ProbeChipName;
    /** MHz. */
    readonly crystal: number;
  };
  /** So many times as long for each answer as a chip needs; 1 when left out. */
  readonly patience?: number;
  /** It runs already, from flash: nothing is loaded. */
  readonly runsProbe?: boolean;
  /** Has the link for itself while `work` runs. @param signal aborts when the board is lost. */
  withLink<T>(work: (link: ProbeWire, signal: AbortSignal) => Promise<T>): Promise<T>;
  /** From now on the program answers registers, and what it says by itself goes to `onEvent`, and to nobody else. */
  answerBy(answerer: ProbeAnswerer): void;
}

interface ProbeAnswerer {
  readonly limits: typeof limits;
  /** Milliseconds. */
  readonly answerLimit: number;
  /** Whether it still answers; for a runner that has lost an answer. */
  readonly synchronise: (link: ProbeWire, signal: AbortSignal) => Promise<boolean>;
  readonly onEvent: ProbeEvents['tell'];
}

/** For the runner that sends lists of registers: it may send more ahead than to the ROM. Bytes include escapes. */
const limits = { list: 511, pipelinedList: 384, bytesBehind: 7_168, readsInFlight: 32, delayUnit: 1 } as const;

/** Milliseconds, besides what the operation itself may take: a simulated chip on a busy computer takes its time. */
const answerLimit = 4_000;

export interface Probe {
  readonly capabilities: ProbeCapabilities;
  /** Bytes read. @throws ProbeError `i2c-…`, `out-of-range`, `no-answer`; what the host throws. */
  i2cTransfer(transfer: ProbeI2cTransfer): Promise<Uint8Array>;
  /** Addresses that acknowledge, of 0x08 to 0x77. @param stretchLimit microseconds @throws as `i2cTransfer`. */
  i2cScan(stretchLimit: number): Promise<number[]>;
  /** Bytes received, as many as were sent. @param limit microseconds @throws ProbeError `spi-never-finished`, `out-of-range`, `no-answer`. */
  spiTransfer(bytes: Uint8Array, limit: number): Promise<Uint8Array>;
  /** Has the link until the capture is complete, or was cancelled by the signal, and its levels are read. @throws ProbeError. */
  capture(request: CaptureRequest, signal?: AbortSignal): Promise<Capture>;
  /** Moves bytes both ways until the signal aborts, as it also has to when the board is lost. @throws ProbeError; what the host throws. */
  bridge(options: BridgeOptions): Promise<void>;
  /** Until the signal aborts, as it also has to when the board is lost. @throws ProbeError; what the host throws. */
  stream(streams: ProbeStreams): Promise<void>;
}

/**
 * @param signal stops loading; the board is then in no known state and has to be reset.
 * @throws ProbeError `load-refused`, `not-started`, `other-version`; the signal's reason; what the host throws.
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

/** A probe that is running already, such as one that was flashed. Null when nobody answers. @throws ProbeError `other-version`. */
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

/** What the I2C specification leaves to devices (UM10204, section 3.1.12, "Reserved addresses"). */
const firstAddress = 0x08;
const lastAddress = 0x77;

/** Events go to those who listen. */
function ignore(): void {
  // Nothing to be done with them here.
}

/** Loaded when it is needed, because a page that stays with the ROM has no use for it. */
async function loadProgram(chip: ProbeChipName): Promise<ProbeProgram> {
  return chip === 'esp32'
    ? (await import('./programs/esp32.ts')).esp32Program
    : (await import('./programs/esp32c3.ts')).esp32c3Program;
}
