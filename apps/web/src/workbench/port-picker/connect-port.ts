/**
 * From a click to an open port. Whatever goes wrong is on the timeline in the end: what the bench refuses is there
 * already, what fails before the bench has heard of it is added here.
 */
import type { PortSettings } from '@wirebench/port';
import { type PortNumber, type SessionFailure, sessionFailureText } from '@wirebench/serial';
import type { PortPlace } from '../../hardware/permitted-ports.ts';
import { requestPort } from '../../hardware/port-request.ts';
import { getBench } from '../bench.ts';
import { BenchCallError } from '../bench-client.ts';
import type { PortSource } from '../bench-protocol.ts';
import { connectFailureCode, setConnectFailure } from './connect-failures.ts';

type Connected = (port: PortNumber, source: PortSource, settings: PortSettings) => void;

const listeners = new Set<Connected>();

/** Calls `listener` whenever a person has connected a port. @returns what ends that */
export function onConnected(listener: Connected): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Opens the browser's dialog, then the picked port. Call it straight from a click. */
export async function connectPicked(port: PortNumber, settings: PortSettings): Promise<void> {
  let place: PortPlace | null;
  setConnectFailure(port, null);
  try {
    place = await requestPort();
  } catch (error) {
    setConnectFailure(port, { code: 'permission-denied', source: null, settings });
    await tell(port, 'permission-denied', error);
    return;
  }
  if (place === null) {
    setConnectFailure(port, { code: 'nothing-picked', source: null, settings });
  } else {
    await connectSource(port, { kind: 'serial', place }, settings);
  }
}

/** Opens a port that needs no dialog: one permitted before, or a demo device. */
export async function connectSource(port: PortNumber, source: PortSource, settings: PortSettings): Promise<void> {
  setConnectFailure(port, null);
  const connecting = getBench()
    .call('connect', port, source, settings)
    .then(() => {
      for (const listener of listeners) {
        listener(port, source, settings);
      }
    })
    .catch((error: unknown) => {
      const code = error instanceof BenchCallError ? connectFailureCode(error.code) : null;
      setConnectFailure(port, code && { code, source, settings });
      throw error;
    });
  await reportingFailure(port, connecting);
}

/**
 * Waits for a call that concerns a port. A refusal with a code is on the timeline by then; any other failure is put there.
 * Never rejects: the timeline is where a person reads it.
 */
export async function reportingFailure(port: PortNumber, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof BenchCallError)) {
      throw error;
    }
    if (error.code === null) {
      await tell(port, 'open-failed', error);
    }
  }
}

async function tell(port: PortNumber, failure: SessionFailure, error: unknown): Promise<void> {
  const detail = error instanceof Error ? error.message : String(error);
  const text = sessionFailureText[failure].replace('{port}', String(port)).replace('{detail}', () => detail);
  await getBench().call('notice', 'error', text, port);
}
