/**
 * The next step on the bench, derived from the stores. Every panel takes the variant of its buttons from here, so that at most one button of the
 * bench is the primary one.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { type DeviceState, deviceStore, type OpenDevice } from './devices/device-store.ts';
import { isDisplay } from './devices/display-part.ts';
import { type LabState, labStore } from './store/lab-store.ts';

/**
 * `recover`: free a bus that hangs. `capture`: what the capture panel offers while it is shown. `find`: look for the pins of the bus.
 * `use`: open the bus on pins that were found. `open`: choose the JKit of a device. `initialise`, `live`, `show`: set the device up, read it
 * again and again, write to a display.
 */
type StepKind = 'recover' | 'capture' | 'find' | 'use' | 'open' | 'initialise' | 'live' | 'show';

export interface NextStep {
  readonly kind: StepKind;
  /** Address of the device that the step is about; null for a step of the board or the bus. */
  readonly address: number | null;
}

const ofBench = (kind: StepKind): NextStep => ({ kind, address: null });

/** @returns null when nothing is to be done next: no board is open, the bus is at work, or the device is read already */
export function nextStep(lab: LabState, { open }: Pick<DeviceState, 'open'>): NextStep | null {
  const { phase, captureOffered, tick } = lab;
  if (phase !== 'open') {
    return null;
  }
  if (tick.halted !== null) {
    return ofBench('recover');
  }
  if (captureOffered) {
    return ofBench('capture');
  }
  if (tick.i2cWork !== null && tick.i2cWork !== 'searching') {
    return null;
  }
  if (tick.i2c === null) {
    return ofBench(tick.pairs !== null && tick.pairs.length > 0 ? 'use' : 'find');
  }
  const address = lab.device ?? tick.found[0] ?? [...open.keys()][0];
  if (address === undefined) {
    return ofBench('find');
  }
  const device = open.get(address);
  const kind = device === undefined ? 'open' : stepOf(device);
  return kind === null ? null : { kind, address };
}

function stepOf(device: OpenDevice): StepKind | null {
  const { init, readings } = device.chip.content;
  if (device.interval !== null) {
    return null;
  }
  // A device that was read holds what its set-up writes, although it was not set up here.
  const isSetUp = init.length === 0 || device.initialisedAt !== null || (device.readAt !== null && !device.needsSetUp);
  if (!isSetUp) {
    return 'initialise';
  }
  if (isDisplay(device.chip.content)) {
    return device.hasPicture ? null : 'show';
  }
  return readings.length > 0 ? 'live' : null;
}

function subscribe(listener: () => void): () => void {
  const ends = [labStore.subscribe(listener), deviceStore.subscribe(listener)];
  return () => {
    for (const end of ends) {
      end();
    }
  };
}

/**
 * Variant of a button that takes a step.
 * @param address Device that the button is about; left out for a button of the board or the bus.
 * @returns undefined for the usual look
 */
export function useStepVariant(kind: StepKind, address: number | null = null): 'primary' | undefined {
  const isNext = useSyncExternalStore(subscribe, () => {
    const next = nextStep(labStore.getState(), deviceStore.getState());
    return next?.kind === kind && next.address === address;
  });
  return isNext ? 'primary' : undefined;
}

/** Says that the capture panel is shown with something to press, for as long as `isOffered` holds. */
export function useCaptureOffered(isOffered: boolean): void {
  useEffect(() => {
    if (!isOffered) {
      return;
    }
    labStore.setState({ captureOffered: true });
    return () => labStore.setState({ captureOffered: false });
  }, [isOffered]);
}
