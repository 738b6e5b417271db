/** User actions on the board: connect, choose a rate, leave. Every outcome goes to the store. */
import { type PhoneList, requestPort } from '../../../hardware/port-request.ts';
import type { PortSource } from '../../../protocol/bench/port-part.ts';
import type { ConnectLab, LabFailure, SpiBus } from '../../../protocol/lab-protocol.ts';
import { atCurrentPlace, currentPlace } from '../../../workbench/port-picker/at-current-place.ts';
import type { KnownChip } from '../devices/known-chip.ts';
import { forgetSamples } from './adc-samples.ts';
import { failureFrom, refusedPick } from './lab-failures.ts';
import { getLab } from './lab-line.ts';
import { changeLab, idleLab, type LabState, labNow, noTick, showLevels } from './lab-store.ts';
import { tell } from './run.ts';

/** Simulated boards, each on its breadboard. */
export const demoBoards = [
  { label: 'Demo ESP32 bench', source: { kind: 'demo', model: 'esp32-lab' } },
  { label: 'Demo ESP32-C3 bench', source: { kind: 'demo', model: 'esp32c3-lab' } },
] as const satisfies readonly { readonly label: string; readonly source: PortSource }[];

/**
 * Opens the browser's dialog, then the picked port. Must be called directly from a click.
 *
 * @param list List that the person asks for on a phone.
 */
export async function connectPicked(list?: PhoneList): Promise<void> {
  try {
    const place = await requestPort(list);
    if (place !== null) {
      await connect({ kind: 'serial', place });
    }
  } catch (error) {
    changeLab({ phase: 'idle', failure: refusedPick(error) });
  }
}

/** @param byHand True: a person has brought the board into its bootloader. */
export async function connect(source: PortSource, byHand = false): Promise<void> {
  if (isIdle()) {
    changeLab({ source, mac: null });
    await begin(source, { byHand });
  }
}

/**
 * Connects the same board again: on the port that was picked, or, if that was unplugged, a board of its kind whose
 * chip has the same MAC. Any other board is left alone.
 */
export async function connectAgain(byHand = false): Promise<void> {
  const { source, mac } = labNow();
  if (source?.kind !== 'serial') {
    await (source && begin(source, { byHand }));
    return;
  }
  const place = await currentPlace(source.place);
  if (place !== undefined) {
    await begin({ kind: 'serial', place }, { byHand });
  } else if (mac !== null) {
    await begin({ kind: 'same' }, { byHand, mac });
  } else {
    changeLab({ phase: 'idle', failure: notPlugged });
  }
}

const isIdle = () => ['idle', 'lost'].includes(labNow().phase);

async function begin(source: PortSource, asked: Pick<ConnectLab, 'byHand' | 'mac'>): Promise<void> {
  if (!isIdle()) {
    return;
  }
  const { baudRate, checkFlash } = labNow();
  forgetSamples();
  showLevels(null);
  const { selected, device, buses, spiAnswer } = idleLab;
  changeLab({ phase: 'connecting', failure: null, selected, device, buses, spiAnswer, tick: noTick });
  try {
    const request: ConnectLab = { ...asked, baudRate, ...(checkFlash && { checkFlash }) };
    const board = await atCurrentPlace(source, (current) => getLab().call('connect', current, request));
    const first = board.pins.find(({ rule }) => rule === 'free')?.gpio ?? null;
    changeLab({ phase: 'open', board, mac: board.mac || null, selected: first });
  } catch (error) {
    const failure = failureFrom(error);
    // A cancel is shown only if the board is not as it was before.
    const said = failure.code !== 'cancelled' || failure.detail !== null;
    changeLab({ phase: 'idle', failure: said ? failure : null });
  }
}

const notPlugged: LabFailure = {
  code: 'port-gone',
  message: 'The board of this port is not plugged in.',
  remedy: 'Plug it in and choose its port. Another board that is plugged in is left alone.',
  detail: null,
};

/** Cancels a connect, or the hashing of flash after leaving, even before it has begun. */
export function cancel(): void {
  void getLab().call('cancel');
}

/**
 * Leaves the board, or cancels a connect, while the document is being closed. The page's thread ends soon after, so
 * only messages sent by then take effect.
 */
export function abandon(): void {
  const { phase } = labNow();
  if (phase === 'connecting') {
    cancel();
  } else if (phase === 'leaving') {
    void getLab().call('leave', true);
  } else {
    void leave(true);
  }
}

/** @param atOnce True: skip the second hash of flash. */
export async function leave(atOnce = false): Promise<void> {
  if (labNow().phase !== 'open') {
    return;
  }
  changeLab({ phase: 'leaving' });
  try {
    await (atOnce ? getLab().call('leave', true) : getLab().call('leave'));
    changeLab({ phase: 'idle', failure: null });
  } catch (error) {
    changeLab({ phase: 'lost', failure: failureFrom(error) });
  }
}

export function dismissFailure(): void {
  changeLab({ phase: 'idle', failure: null });
}

/** Applies the rate at once if a board is open, else to the next connection. */
export async function chooseBaudRate(baudRate: number): Promise<void> {
  changeLab({ baudRate });
  if (labNow().phase === 'open') {
    await getLab().call('setBaudRate', baudRate);
  }
}

export function chooseCheckFlash(checkFlash: boolean): void {
  changeLab({ checkFlash });
}

/** Stores choices for buses that are not open. */
export function chooseBus(bus: Partial<LabState['buses']>): void {
  changeLab(({ buses }) => ({ buses: { ...buses, ...bus } }));
}

/**
 * Sends bytes over SPI. Opens the bus first if it is not open.
 * @throws CallError if the host refuses or fails.
 */
export async function exchange(bus: SpiBus, bytes: Uint8Array): Promise<void> {
  if (labNow().tick.spi === null) {
    await getLab().call('openSpi', bus);
  }
  changeLab({ spiAnswer: await getLab().call('exchange', bytes) });
}

export function selectPin(gpio: number): void {
  changeLab({ selected: gpio });
}

export function selectDevice(device: number | null): void {
  changeLab({ device });
}

/**
 * Selects a device and shows its panel.
 * @param chip JKit to open for it. Null: keep the open one, if any.
 */
export async function openDevicePanel(address: number, chip: KnownChip | null): Promise<void> {
  changeLab(({ deviceShown }) => ({ device: address, deviceShown: deviceShown + 1 }));
  if (chip !== null) {
    await tell(async () => (await import('../devices/device-actions.ts')).openDevice(address, chip));
  }
}

/** Shows the panel of a device that a register identified, and reads it repeatedly. */
export async function readDevice(address: number, chip: KnownChip): Promise<void> {
  changeLab(({ deviceShown }) => ({ device: address, deviceShown: deviceShown + 1 }));
  await tell(async () => (await import('../devices/device-actions.ts')).readIdentified(address, chip));
}
