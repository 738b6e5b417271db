/**
 * Opens, closes, finds and scans the bus. A scan asks all addresses, identifies the devices, and selects the one with
 * the highest certainty.
 */
import type { I2cBus } from '../../../protocol/lab-protocol.ts';
import { endIdentification, forgetDevices, offersAt } from '../devices/device-store.ts';
import { getLab } from '../store/lab-line.ts';
import { changeLab, labNow } from '../store/lab-store.ts';
import { tell } from '../store/run.ts';

/** Pins of the last open bus. Not taken from ticks, because these may arrive after the devices have been found. */
let pins: string | null = null;

/**
 * Opens the bus. Devices are forgotten on other pins, because other devices are connected there.
 * @throws CallError if the host refuses.
 */
export async function openBus(bus: I2cBus): Promise<void> {
  endIdentification();
  await getLab().call('openI2c', bus);
  const now = `${bus.sda} ${bus.scl}`;
  if (now !== pins) {
    pins = now;
    forgetDevices();
  }
}

/** @throws CallError if the host refuses. */
export async function closeBus(): Promise<void> {
  endIdentification();
  await getLab().call('closeI2c');
}

/**
 * Finds the bus among the free pins. An open bus is closed first.
 * @throws CallError if the host refuses or fails.
 */
export async function findBuses(): Promise<void> {
  endIdentification();
  await getLab().call('findBuses');
}

/**
 * Scans the bus, and opens it first if it is not open on these pins.
 * @throws CallError if the host refuses or fails.
 */
export async function scanBus(bus: I2cBus): Promise<void> {
  const open = labNow().tick.i2c;
  changeLab({ device: null });
  if (open === null || open.sda !== bus.sda || open.scl !== bus.scl || open.clock !== bus.clock) {
    await openBus(bus);
  }
  endIdentification();
  const found = await getLab().call('scan');
  changeLab({ device: found[0] ?? null });
  const { identifyAll } = await loadIdentification();
  const { late } = await identifyAll(found);
  const best = found.find((address) => offersAt(address)[0]?.certainty === 'register');
  // A device that the user has chosen since stays selected.
  if (best !== undefined && labNow().device === found[0]) {
    changeLab({ device: best });
  }
  // Not awaited, so that a slow server does not delay the next scan.
  void tell(() => late);
}

/** Fetches the identification with all descriptions of the product, on the first scan. */
const loadIdentification = () => import('../devices/identify.ts');
