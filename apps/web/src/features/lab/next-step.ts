/**
 * The next step on the bench, derived from the stores. Every panel takes the variant of its buttons from here, so that at most one button of the
 * bench is the primary one.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { type DeviceState, devicesNow, type OpenDevice, onDevicesChange } from './devices/device-store.ts';
import { isDisplay } from './devices/display-part.ts';
import { changeLab, type LabState, labNow, onLabChange } from './store/lab-store.ts';

/**
 * `recover`: free a stuck bus. `capture`: the action that the capture panel offers while it is shown. `find`: search
 * the pins for the bus. `use`: open the bus on the pins found. `open`: choose the JKit of a device. `initialise`: set
 * the device up. `live`: read it repeatedly. `show`: write to a display.
 */
type StepKind = 'recover' | 'capture' | 'find' | 'use' | 'open' | 'initialise' | 'live' | 'show';

export interface NextStep {
  readonly kind: StepKind;
  /** Address of the device for the step; null for a step of the board or the bus. */
  readonly address: number | null;
}

const ofBench = (kind: StepKind): NextStep => ({ kind, address: null });

/** @returns Null if no step is next: no board is open, the bus is busy, or the device is already read. */
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
  // A device that was read holds the values of its set-up, although it was not set up here.
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
  const ends = [onLabChange(listener), onDevicesChange(listener)];
  return () => {
    for (const end of ends) {
      end();
    }
  };
}

/**
 * Returns the variant of a button that takes a step.
 *
 * @param address Device of the button; left out for a button of the board or the bus.
 * @returns Undefined for the default look.
 */
export function useStepVariant(kind: StepKind, address: number | null = null): 'primary' | undefined {
  const isNext = useSyncExternalStore(subscribe, () => {
    const next = nextStep(labNow(), devicesNow());
    return next?.kind === kind && next.address === address;
  });
  return isNext ? 'primary' : undefined;
}

/** Marks the capture panel as shown with an available action, as long as `isOffered` is true. */
export function useCaptureOffered(isOffered: boolean): void {
  useEffect(() => {
    if (!isOffered) {
      return;
    }
    changeLab({ captureOffered: true });
    return () => changeLab({ captureOffered: false });
  }, [isOffered]);
}
