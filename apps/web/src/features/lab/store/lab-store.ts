/**
 * State of the lab for the bench's page, and the user's choices on it. Only the connection to the host and the
 * actions of the bench change it.
 */
import type { PortSource } from '../../../protocol/bench/port-part.ts';
import {
  type EdgeCounter,
  type I2cBus,
  type LabBoard,
  type LabFailure,
  type LabTick,
  labBaudRates,
  nothingOpen,
  type PinFacts,
  type SpiBus,
  type UartBridge,
} from '../../../protocol/lab-protocol.ts';
import { pageStore } from '../../../shared/page-store.ts';

/** `lost`: the board is gone without a `leave`. */
type LabPhase = 'idle' | 'connecting' | 'open' | 'leaving' | 'lost';

export interface LabState {
  readonly phase: LabPhase;
  /** Source of the last connect; null before the first. */
  readonly source: PortSource | null;
  /** Null until a board has been identified. */
  readonly board: LabBoard | null;
  readonly failure: LabFailure | null;
  /** Rate to connect at, in baud. */
  readonly baudRate: number;
  /** GPIO in view; null for none. */
  readonly selected: number | null;
  /** Address of the I2C device in view; null for none. */
  readonly device: number | null;
  /** MAC of the board that `source` last led to; null before it is known. */
  readonly mac: string | null;
  /** True: hash all of flash before and after the bench. */
  readonly checkFlash: boolean;
  /** Choices for buses that are not open. */
  readonly buses: {
    readonly i2c: I2cBus | null;
    readonly spi: SpiBus | null;
    readonly uart: UartBridge | null;
    readonly counter: EdgeCounter | null;
  };
  /** Last answer over SPI; null before the first. */
  readonly spiAnswer: Uint8Array | null;
  /** Increases each time the user asks for the panel of a device. */
  readonly deviceShown: number;
  /** True: the capture panel is shown with an available action. */
  readonly captureOffered: boolean;
  readonly tick: Omit<LabTick, 'samples' | 'levels' | 'cycles'>;
}

const { samples: _samples, levels: _levels, cycles: _cycles, ...nothing } = nothingOpen;

export const noTick: LabState['tick'] = { step: null, open: false, flash: null, lost: null, ...nothing };

export const idleLab: LabState = {
  phase: 'idle',
  source: null,
  board: null,
  failure: null,
  baudRate: labBaudRates.at(-1) ?? 115_200,
  selected: null,
  device: null,
  mac: null,
  checkFlash: false,
  buses: { i2c: null, spi: null, uart: null, counter: null },
  spiAnswer: null,
  deviceShown: 0,
  captureOffered: false,
  tick: noTick,
};

const labStore = pageStore<LabState>(idleLab);

export const { getState: labNow, setState: changeLab, subscribe: onLabChange } = labStore;

/** Separate from `labStore`, because levels come thirty times a second and most pins do not change. */
const levelStore = pageStore<{ readonly words: LabTick['levels'] }>({ words: null });

export const useLab = labStore.use;

/** @param words One bit for each GPIO. Null: the pins were not read. */
export function showLevels(words: LabTick['levels']): void {
  levelStore.setState({ words });
}

/** Returns true for a high level; null before the pins were read. */
export function levelOf(words: LabTick['levels'], gpio: number): boolean | null {
  const word = words?.[gpio >> 5];
  return word === undefined ? null : ((word >>> (gpio & 31)) & 1) === 1;
}

export function useLevel(gpio: number): boolean | null {
  return levelStore.use(({ words }) => levelOf(words, gpio));
}

const noPins: readonly PinFacts[] = [];

export const usePins = () => useLab(({ board }) => board?.pins ?? noPins);

/** Boards that the user must not leave without a confirmation. */
export const boardsOnBench = {
  count: () => (['connecting', 'open', 'leaving'].includes(labStore.getState().phase) ? 1 : 0),
  subscribe(listener: () => void): () => void {
    return labStore.subscribe((state, before) => {
      if (state.phase !== before.phase) {
        listener();
      }
    });
  },
};
