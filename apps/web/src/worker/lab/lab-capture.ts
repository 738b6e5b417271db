/** Captures the levels of pins over time with the program in RAM, at a trigger or around the next I2C transfer. */
import { type I2cResult, type I2cTransfer, i2cPreparedTransfer, LabError } from '@wirebench/lab';
import { type Capture, type CaptureRequest, type Probe, ProbeError } from '@wirebench/lab/probe';
import type {
  CapturedTransfer,
  CaptureOrder,
  CaptureTrigger,
  I2cBus,
  LabCapture,
  ProgramTick,
} from '../../protocol/lab-protocol.ts';
import { hexBytes } from '../../shared/format/hex.ts';
import type { InstrumentParts } from './instrument-parts.ts';

/** Wanted samples per period of the I2C clock. On a fast bus the chip takes as many as it can. */
const samplesOfClock = 16;
/**
 * Minimum processor cycles per sample on both chips (`firmware/probe/README.md`). With it, the number of samples
 * always covers the transfer.
 */
const fewestCycles = 20;
/** Factor on the length of a transfer, as a margin for a device that stretches the clock a little. */
const coverage = 1.5;
const fewestSamples = 256;

const notRunning = 'A capture needs the program in RAM. Load it first.';

export class LabCapturing {
  readonly #parts: InstrumentParts;
  #state: ProgramTick['capturing'] = null;
  #abort: AbortController | null = null;

  constructor(parts: InstrumentParts) {
    this.#parts = parts;
  }

  get state(): ProgramTick['capturing'] {
    return this.#state;
  }

  /** Ends a waiting capture. */
  cancel(): void {
    this.#abort?.abort();
  }

  capture({ pins, samples, before, rate, trigger }: CaptureOrder): Promise<LabCapture> {
    return this.#while('trigger', (probe, signal) => {
      const { processorClock } = probe.capabilities;
      const period = rate === null ? 0 : Math.round(processorClock / rate);
      return this.#take(probe, { pins, samples, before, period, trigger: triggerOf(trigger) }, null, signal);
    });
  }

  /** @param meant Captures only an equal transfer. Left out: the next one. */
  captureTransfer(pins: readonly number[], meant?: CapturedTransfer): Promise<LabCapture> {
    return this.#while('transfer', (probe, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<LabCapture>();
      signal.addEventListener('abort', () => reject(new LabError('cancelled')), { once: true });
      const make = async (bus: I2cBus, transfer: I2cTransfer) => {
        if (signal.aborted) {
          throw new LabError('cancelled');
        }
        try {
          const { result, capture } = await this.#takeTransfer(probe, pins, bus, transfer, signal);
          resolve(capture);
          return result;
        } catch (error) {
          reject(error);
          throw error;
        }
      };
      this.#parts.probe.transferBy({ isMeant: (transfer) => meant === undefined || isLike(transfer, meant), make });
      return promise.finally(() => this.#parts.probe.transferBy(null));
    });
  }

  /** Runs one capture at a time, and only while the program in RAM runs. */
  async #while(
    state: NonNullable<ProgramTick['capturing']>,
    act: (probe: Probe, signal: AbortSignal) => Promise<LabCapture>,
  ): Promise<LabCapture> {
    const { lab, probe, onChange } = this.#parts;
    const { running } = probe;
    if (running === null) {
      throw new LabError('refused', { detail: notRunning });
    }
    if (this.#abort !== null) {
      throw new LabError('refused', { detail: 'A capture is under way. Cancel it first.' });
    }
    const abort = new AbortController();
    this.#abort = abort;
    this.#state = state;
    onChange();
    try {
      return await act(running, AbortSignal.any([abort.signal, lab.over]));
    } catch (error) {
      lab.over.throwIfAborted();
      throw error;
    } finally {
      this.#abort = null;
      this.#state = null;
      onChange();
    }
  }

  async #take(probe: Probe, request: CaptureRequest, bus: I2cBus | null, signal: AbortSignal): Promise<LabCapture> {
    const { clock, log } = this.#parts;
    let taken: Capture;
    try {
      taken = await probe.capture(request, signal);
    } catch (error) {
      throw error instanceof RangeError ? new LabError('refused', { detail: error.message }) : refusedBy(error);
    }
    const { pins, runs, outcome, samplePeriod } = taken;
    if (samplePeriod === null || outcome.trigger === null) {
      log.notice('info', 'The capture was cancelled');
      throw new LabError('cancelled');
    }
    log.read(`CAP ${outcome.samples} samples of ${pins.join(' ')} · ${(1e3 / samplePeriod).toFixed(3)} MS/s`);
    return { pins, runs, samples: outcome.samples, trigger: outcome.trigger, samplePeriod, at: clock.wallTime(), bus };
  }

  /**
   * Puts everything except the start into the controller. The program starts the transfer right before its first
   * sample.
   */
  async #takeTransfer(
    probe: Probe,
    more: readonly number[],
    bus: I2cBus,
    transfer: I2cTransfer,
    signal: AbortSignal,
  ): Promise<{ readonly result: I2cResult; readonly capture: LabCapture }> {
    const { lab } = this.#parts;
    const { processorClock, longestCapture } = probe.capabilities;
    const { prepare, start, duration, result } = i2cPreparedTransfer(lab.chip, transfer);
    const period = Math.max(1, Math.floor(processorClock / bus.clock / samplesOfClock));
    const wanted = Math.ceil((coverage * duration * processorClock) / Math.max(period, fewestCycles));
    await lab.run(prepare);
    const request = {
      pins: [...new Set([bus.sda, bus.scl, ...more])],
      samples: Math.min(longestCapture, Math.max(fewestSamples, wanted)),
      before: 0,
      period,
      trigger: { kind: 'immediate' },
      stimulus: start,
    } as const;
    const capture = await this.#take(probe, request, bus, signal);
    return { result: await lab.run(result), capture };
  }
}

function isLike({ address, write, read }: I2cTransfer, meant: CapturedTransfer): boolean {
  return address === meant.address && read === meant.read && hexBytes(write) === hexBytes(meant.write);
}

function triggerOf(trigger: CaptureTrigger): CaptureRequest['trigger'] {
  switch (trigger.kind) {
    case 'immediate':
      return trigger;
    case 'change':
      return { kind: 'change', pins: [trigger.pin] };
    default:
      return { kind: trigger.kind, levels: [{ pin: trigger.pin, high: trigger.high }] };
  }
}

/** Converts an out-of-range answer of the program to a refusal, because the user can change that choice. */
function refusedBy(error: unknown): unknown {
  return error instanceof ProbeError && error.code === 'out-of-range'
    ? new LabError('refused', { detail: 'The chip does not take so many samples, or this trigger.', cause: error })
    : error;
}
