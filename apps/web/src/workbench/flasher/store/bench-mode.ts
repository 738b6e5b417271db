/**
 * Board after board with one image: whatever allowed board is plugged in is connected, planned and written without a press,
 * several at once where several come. A plan that is refused is not written: the board waits for a person.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { placeOf, watchPorts } from '../../../hardware/permitted-ports.ts';
import type { PortSource } from '../../bench-protocol.ts';
import { benchStatus } from '../../bench-status.ts';
import type { FlashState } from '../state/flash-state.ts';
import { connect, write } from './flash-actions.ts';
import { flasherStore, flashOf } from './flasher-store.ts';

let watching = false;

export function setBenchMode(benchMode: boolean): void {
  flasherStore().setState({ benchMode });
  if (benchMode && !watching) {
    watching = true;
    watchPorts((port) => void boardAppeared(port));
    watchDemos();
  }
}

async function boardAppeared(device: SerialPort): Promise<void> {
  const place = await placeOf(device);
  const port = freePort(flasherStore().getState().flashes);
  if (place !== undefined && port !== null) {
    await flashByItself(port, { kind: 'serial', place });
  }
}

/** Demo boards have no entry in the browser's list: their plug is seen on the bench. */
function watchDemos(): void {
  const wasPlugged = new Map<PortNumber, boolean>();
  benchStatus.onTick(({ devices }) => {
    for (const port of portNumbers) {
      const device = devices[port];
      const plugged = device?.kind === 'demo' && device.plugged;
      if (plugged && wasPlugged.get(port) === false) {
        void flashByItself(port, { kind: 'same' });
      }
      wasPlugged.set(port, device?.kind !== 'demo' || plugged);
    }
  });
}

async function flashByItself(port: PortNumber, source: PortSource): Promise<void> {
  if (!flasherStore().getState().benchMode || flasherStore().getState().chosen.files.length === 0) {
    return;
  }
  await connect(port, source);
  if (flashOf(port).phase === 'planned') {
    await write(port);
  }
}

/** A place for one more board: first one that was never used, then one that is done. Null while all are at work. */
export function freePort(flashes: Readonly<Record<PortNumber, Pick<FlashState, 'phase'>>>): PortNumber | null {
  const at = (...phases: readonly FlashState['phase'][]) =>
    portNumbers.find((port) => phases.includes(flashes[port].phase));
  return at('none') ?? at('done', 'running') ?? at('cancelled', 'failed') ?? null;
}
