/** Choices for polling the registers of each port. They are kept until the page is closed. */
import { type ByPort, byPort, type PortNumber } from '@wirebench/serial';
import type { PollChoice } from '@wirebench/serial/modbus-search';
import { pageStore } from '../../../../shared/page-store.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { benchStatus } from '../../../../workbench/bench-status.ts';

interface PortPoll extends Omit<PollChoice, 'wanted'> {
  readonly isOn: boolean;
}

const polls = pageStore<ByPort<PortPoll>>(byPort(() => ({ isOn: false, every: 1_000, ignoresTraffic: false })));

/** Offered times from one round to the next, in milliseconds. */
export const intervals = [500, 1_000, 2_000, 5_000, 10_000, 60_000] as const;

/** Returns the choice of a port. A poll that the bench has ended is off. */
export const usePoll = (port: PortNumber): PortPoll => polls.use((all) => all[port]);

/**
 * Changes what is polled on a port.
 *
 * @returns A sentence if it cannot be polled; null: the bench has taken it.
 */
export async function changePoll(
  port: PortNumber,
  wanted: PollChoice['wanted'],
  change: Partial<PortPoll>,
): Promise<string | null> {
  const before = polls.getState()[port];
  // Polling that is switched on again rests for others again.
  const next = { ...before, ...(change.isOn === false && { ignoresTraffic: false }), ...change };
  polls.setState({ [port]: next });
  if (!next.isOn && !before.isOn) {
    return null;
  }
  const { isOn, every, ignoresTraffic } = next;
  try {
    await getBench().call('pollModbus', port, isOn ? { wanted, every, ignoresTraffic } : null);
    return null;
  } catch (error) {
    polls.setState({ [port]: { ...next, isOn: false } });
    return error instanceof Error ? error.message : String(error);
  }
}

/** A poll that has ended with its port is switched off. What it said stays until the next one. */
benchStatus.onTick(({ modbusPolls }) => {
  for (const [port, progress] of Object.entries(modbusPolls)) {
    const number = Number(port) as PortNumber;
    if (progress?.state === 'ended' && polls.getState()[number].isOn) {
      polls.setState({ [number]: { ...polls.getState()[number], isOn: false } });
    }
  }
});
