/** What a person does with the board: connect, choose a rate, leave. Whatever comes of it ends in the store. */
import { permittedPorts, placeOf, portOfPlace } from '../../../hardware/permitted-ports.ts';
import { requestPort } from '../../../hardware/port-request.ts';
import { outdatedPlace, type PortSource } from '../../../workbench/bench-protocol.ts';
import { CallError } from '../../../workbench/calls/call-client.ts';
import type { KnownChip } from '../devices/known-chip.ts';
import { forgetSamples } from './adc-samples.ts';
import { getLab } from './lab-line.ts';
import { labStore, levelStore, noTick } from './lab-store.ts';
import { mishapFrom, refusedMishap } from './mishap.ts';
import { tell } from './run.ts';

/** The simulated boards, each on its breadboard. */
export const demoBoards = [
  { label: 'Demo ESP32 bench', source: { kind: 'demo', model: 'esp32-lab' } },
  { label: 'Demo ESP32-C3 bench', source: { kind: 'demo', model: 'esp32c3-lab' } },
] as const satisfies readonly { readonly label: string; readonly source: PortSource }[];

/** Opens the browser's dialog, then the picked port. Call it straight from a click. */
export async function connectPicked(): Promise<void> {
  try {
    const place = await requestPort();
    if (place !== null) {
      await connect({ kind: 'serial', place });
    }
  } catch (error) {
    labStore.setState({ phase: 'idle', mishap: refusedMishap(error) });
  }
}

/** @param byHand a person has brought the board into its bootloader */
export async function connect(source: PortSource, byHand = false): Promise<void> {
  const { phase, baudRate } = labStore.getState();
  if (phase === 'connecting' || phase === 'open' || phase === 'leaving') {
    return;
  }
  forgetSamples();
  levelStore.setState({ words: null });
  labStore.setState({ phase: 'connecting', source, mishap: null, selected: null, device: null, tick: noTick });
  try {
    const board = await reach(source, { baudRate, byHand });
    labStore.setState({ phase: 'open', board, selected: board.pins.find(({ rule }) => rule === 'free')?.gpio ?? null });
  } catch (error) {
    const mishap = mishapFrom(error);
    labStore.setState({ phase: 'idle', mishap: mishap.code === 'cancelled' ? null : mishap });
  }
}

/** The same board once more. */
export async function connectAgain(byHand = false): Promise<void> {
  const { source } = labStore.getState();
  if (source !== null) {
    await connect(source.kind === 'demo' ? source : { kind: 'same' }, byHand);
    if (labStore.getState().source?.kind === 'same') {
      labStore.setState({ source });
    }
  }
}

/** Another board that comes or goes meanwhile moves this one within the browser's list: it is looked up once more. */
async function reach(source: PortSource, request: { baudRate: number; byHand: boolean }) {
  try {
    return await getLab().call('connect', source, request);
  } catch (error) {
    const outdated = source.kind === 'serial' && error instanceof CallError && error.name === outdatedPlace;
    const port = outdated ? portOfPlace(source.place) : undefined;
    const place = port && (await permittedPorts()).includes(port) ? await placeOf(port) : undefined;
    if (place === undefined) {
      throw error;
    }
    return getLab().call('connect', { kind: 'serial', place }, request);
  }
}

export function cancelConnect(): void {
  void getLab().call('cancel');
}

export async function leave(): Promise<void> {
  if (labStore.getState().phase !== 'open') {
    return;
  }
  labStore.setState({ phase: 'leaving' });
  try {
    await getLab().call('leave');
    labStore.setState({ phase: 'idle', mishap: null });
  } catch (error) {
    labStore.setState({ phase: 'lost', mishap: mishapFrom(error) });
  }
}

export function dismissMishap(): void {
  labStore.setState({ phase: 'idle', mishap: null });
}

/** Now, where a board is open; else the next time. */
export async function chooseBaudRate(baudRate: number): Promise<void> {
  labStore.setState({ baudRate });
  if (labStore.getState().phase === 'open') {
    await getLab().call('setBaudRate', baudRate);
  }
}

export function selectPin(gpio: number): void {
  labStore.setState({ selected: gpio });
}

export function selectDevice(device: number | null): void {
  labStore.setState({ device });
}

/** Selects a device and shows its panel. @param chip the JKit to open for it; null: none, or the one that is open */
export async function openDevicePanel(address: number, chip: KnownChip | null): Promise<void> {
  labStore.setState(({ deviceShown }) => ({ device: address, deviceShown: deviceShown + 1 }));
  if (chip !== null) {
    await tell(async () => (await import('../devices/device-actions.ts')).openDevice(address, chip));
  }
}
