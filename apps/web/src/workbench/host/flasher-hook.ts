/**
 * Lets a flasher's host in beside the bench. The page sends the line for it, and only then its code and that of the family is
 * fetched: who opens the terminal pays for neither, who flashes one kind of chip not for the others.
 */
import type { Clock } from '@wirebench/clock';
import type { FlasherFamily } from '@wirebench/contract/constants';
import type { Channel } from '../calls/call-protocol.ts';
import type { BenchHost } from './bench-host.ts';

/** From the page, with the port transferred. */
export interface FlasherRequest {
  readonly flasher: MessagePort;
  readonly family: FlasherFamily;
}

/** Must be called before the bench listens on the same channel: what is for the flasher is kept from it. */
export function acceptFlasher(channel: Channel, clock: Clock, bench: () => BenchHost): void {
  channel.addEventListener('message', (event: MessageEvent<object>) => {
    if (isRequest(event.data)) {
      event.stopImmediatePropagation();
      void startFlasher(event.data, clock, bench());
    }
  });
}

async function startFlasher({ flasher, family }: FlasherRequest, clock: Clock, bench: BenchHost): Promise<void> {
  const { startHost } = await import('../flasher/host/start-host.ts');
  await startHost(family, flasher, { clock, devices: bench.devices });
  // What was sent until now waits in the port.
  flasher.start();
}

function isRequest(message: object): message is FlasherRequest {
  return 'flasher' in message;
}
