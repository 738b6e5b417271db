/** The bus as a whole: opened, closed, looked for, and scanned. A scan asks all addresses, finds out what they are, and selects what is known best. */
import type { I2cBus } from '../../../workbench/lab/lab-protocol.ts';
import { endIdentification, forgetDevices, offersAt } from '../devices/device-store.ts';
import { getLab } from '../store/lab-line.ts';
import { labStore } from '../store/lab-store.ts';
import { tell } from '../store/run.ts';

/** Of the bus that was open last. Not from ticks: they may tell of it when its devices have been found already. */
let pins: string | null = null;

/** On other pins there are other devices. @throws what the host refuses */
export async function openBus(bus: I2cBus): Promise<void> {
  endIdentification();
  await getLab().call('openI2c', bus);
  const now = `${bus.sda} ${bus.scl}`;
  if (now !== pins) {
    pins = now;
    forgetDevices();
  }
}

/** @throws what the host refuses */
export async function closeBus(): Promise<void> {
  endIdentification();
  await getLab().call('closeI2c');
}

/** Closes a bus that is open. @throws what the host refuses, or fails with */
export async function findBuses(): Promise<void> {
  endIdentification();
  await getLab().call('findBuses');
}

/** Opens the bus where it is not open on these pins. @throws what the host refuses, or fails with */
export async function scanBus(bus: I2cBus): Promise<void> {
  const open = labStore.getState().tick.i2c;
  labStore.setState({ device: null });
  if (open === null || open.sda !== bus.sda || open.scl !== bus.scl || open.clock !== bus.clock) {
    await openBus(bus);
  }
  endIdentification();
  const found = await getLab().call('scan');
  labStore.setState({ device: found[0] ?? null });
  const { identifyAll } = await loadIdentification();
  const { late } = await identifyAll(found);
  const best = found.find((address) => offersAt(address)[0]?.certainty === 'register');
  // Whoever has chosen another one meanwhile keeps it.
  if (best !== undefined && labStore.getState().device === found[0]) {
    labStore.setState({ device: best });
  }
  // A slow server keeps nobody from the next scan.
  void tell(() => late);
}

/** With every description that comes with the product: fetched with the first scan. */
const loadIdentification = () => import('../devices/identify.ts');
