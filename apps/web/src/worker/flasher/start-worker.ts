/** Starts the worker of a family on a channel, and fetches the family's code. */
import type { FamilyId } from '@wirebench/boards';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import { FlasherWorker, type FlasherWorkerParts } from './flasher-worker.ts';
import { workerFamily } from './worker-family.ts';

type StartParts = Pick<FlasherWorkerParts<never>, 'clock' | 'devices' | 'toolPorts'>;

const starts = {
  esp: async (channel, parts) => {
    const { espFamilyParts } = await import('./esp/esp-family.ts');
    return new FlasherWorker(channel, { ...parts, family: workerFamily(espFamilyParts(), parts.clock) });
  },
  stm: async (channel, parts) => {
    const { stmFamilyParts } = await import('./stm/stm-family.ts');
    return new FlasherWorker(channel, { ...parts, family: workerFamily(stmFamilyParts(), parts.clock) });
  },
  nrf: async (channel, parts) => {
    const { nrfFamilyParts } = await import('./nrf/nrf-family.ts');
    return new FlasherWorker(channel, { ...parts, family: workerFamily(nrfFamilyParts(), parts.clock) });
  },
  avr: async (channel, parts) => {
    const { avrFamilyParts } = await import('./avr/avr-family.ts');
    return new FlasherWorker(channel, { ...parts, family: workerFamily(avrFamilyParts(), parts.clock) });
  },
  rp: async (channel, parts) => {
    const { rpFamilyParts } = await import('./rp/rp-family.ts');
    return new FlasherWorker(channel, { ...parts, family: workerFamily(rpFamilyParts(), parts.clock) });
  },
} satisfies Record<FamilyId, (channel: Channel, parts: StartParts) => Promise<unknown>>;

export async function startFlasherWorker(family: FamilyId, channel: Channel, parts: StartParts): Promise<void> {
  await starts[family](channel, parts);
}
