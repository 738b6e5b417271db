/** What the bench's page shows of the lab, and what was chosen on it. Changed by the line to the host and by the actions beside it. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { PortSource } from '../../../workbench/bench-protocol.ts';
import {
  type EdgeCounter,
  type I2cBus,
  type LabBoard,
  type LabMishap,
  type LabTick,
  labBaudRates,
  nothingOpen,
  type PinFacts,
  type SpiBus,
  type UartBridge,
} from '../../../workbench/lab/lab-protocol.ts';

/** `lost`: the board is gone, and nobody left it. */
type LabPhase = 'idle' | 'connecting' | 'open' | 'leaving' | 'lost';

export interface LabState {
  readonly phase: LabPhase;
  /** What was connected last; null before the first time. */
  readonly source: PortSource | null;
  /** Null until a board has said what it is. */
  readonly board: LabBoard | null;
  readonly mishap: LabMishap | null;
  /** Rate to connect at, in baud. */
  readonly baudRate: number;
  /** The GPIO that is looked at; null for none. */
  readonly selected: number | null;
  /** Address of the I2C device that is looked at; null for none. */
  readonly device: number | null;
  /** MAC of the board that `source` led to last; null before it has said so. */
  readonly mac: string | null;
  /** Hash all of flash before and after the bench. */
  readonly checkFlash: boolean;
  /** What was chosen for a bus that is not open. */
  readonly buses: {
    readonly i2c: I2cBus | null;
    readonly spi: SpiBus | null;
    readonly uart: UartBridge | null;
    readonly counter: EdgeCounter | null;
  };
  /** What came back over SPI last; null before anything did. */
  readonly spiAnswer: Uint8Array | null;
  /** Counts up each time that somebody wants to see its panel. */
  readonly deviceShown: number;
  /** The capture panel is shown with something to press. */
  readonly captureOffered: boolean;
  readonly tick: Omit<LabTick, 'samples' | 'levels' | 'cycles'>;
}

const { samples: _samples, levels: _levels, cycles: _cycles, ...nothing } = nothingOpen;

export const noTick: LabState['tick'] = { step: null, open: false, flash: null, lost: null, ...nothing };

export const idleLab: LabState = {
  phase: 'idle',
  source: null,
  board: null,
  mishap: null,
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

export const labStore = createStore<LabState>(() => idleLab);

/** By itself: levels come thirty times a second, and most pins stay as they are. */
export const levelStore = createStore<{ readonly words: LabTick['levels'] }>(() => ({ words: null }));

export function useLab<Part>(select: (state: LabState) => Part): Part {
  return useStore(labStore, select);
}

/** Null before the pins were read. */
export function levelOf(words: LabTick['levels'], gpio: number): boolean | null {
  const word = words?.[gpio >> 5];
  return word === undefined ? null : ((word >>> (gpio & 31)) & 1) === 1;
}

export function useLevel(gpio: number): boolean | null {
  return useStore(levelStore, ({ words }) => levelOf(words, gpio));
}

const noPins: readonly PinFacts[] = [];

export const usePins = () => useLab(({ board }) => board?.pins ?? noPins);

/** Boards that must not be left without being asked. */
export const boardsOnBench = {
  count: () => (['open', 'leaving'].includes(labStore.getState().phase) ? 1 : 0),
  subscribe(listener: () => void): () => void {
    return labStore.subscribe((state, before) => {
      if (state.phase !== before.phase) {
        listener();
      }
    });
  },
};
