/** The scan: opens the bus on the chosen pins where it is not open on them, asks all addresses, and selects what is known best. */
import type { I2cBus } from '../../../workbench/lab/lab-protocol.ts';
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
  const best = found.find(({ certainty }) => certainty === 'register') ?? found[0];
  labStore.setState({ device: best?.address ?? null });
}
