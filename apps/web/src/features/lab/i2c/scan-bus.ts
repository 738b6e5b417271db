/** The scan: opens the bus on the chosen pins where it is not open on them, asks all addresses, finds out what they are, and selects what is known best. */
import type { I2cBus } from '../../../workbench/lab/lab-protocol.ts';
import { offersAt } from '../devices/device-store.ts';
import { getLab } from '../store/lab-line.ts';
import { labStore } from '../store/lab-store.ts';

/** @throws what the host refuses, or fails with */
export async function scanBus(bus: I2cBus): Promise<void> {
  const open = labStore.getState().tick.i2c;
  labStore.setState({ device: null });
  if (open === null || open.sda !== bus.sda || open.scl !== bus.scl || open.clock !== bus.clock) {
    await getLab().call('openI2c', bus);
  }
  const found = await getLab().call('scan');
  labStore.setState({ device: found[0] ?? null });
  const { identifyAll } = await loadIdentification();
  await identifyAll(found);
  const best = found.find((address) => offersAt(address)[0]?.certainty === 'register');
  // Whoever has chosen another one meanwhile keeps it.
  if (best !== undefined && labStore.getState().device === found[0]) {
    labStore.setState({ device: best });
  }
}

/** With every description that comes with the product: fetched with the first scan. */
const loadIdentification = () => import('../devices/identify.ts');
