/**
 * Connects ports. Every failure ends up on the timeline. The bench writes its own refusals, and this module adds
 * failures that occur before the bench is called.
 */
import type { PortSettings } from '@wirebench/port';
import { type PortNumber, type SessionFailure, sessionFailureText } from '@wirebench/serial';
import type { PortPlace } from '../../hardware/permitted-ports.ts';
import { type PhoneList, requestPort } from '../../hardware/port-request.ts';
import type { PortSource } from '../../protocol/bench/port-part.ts';
import { getBench } from '../bench.ts';
import { CallError } from '../bench-client.ts';
import { atCurrentPlace } from './at-current-place.ts';
import { clearNothingPicked, connectFailureCode, setConnectFailure } from './connect-failures.ts';

type Connected = (port: PortNumber, source: PortSource, settings: PortSettings) => void;

const listeners = new Set<Connected>();

/**
 * Calls `listener` after each port that the user has connected.
 *
 * @returns Function that removes the listener.
 */
export function onConnected(listener: Connected): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/**
 * Opens the browser's dialog, then the picked port. Call it from a click: the dialog needs user activation.
 *
 * @param list List that the person asks for on a phone.
 */
export async function connectPicked(port: PortNumber, settings: PortSettings, list?: PhoneList): Promise<void> {
  let place: PortPlace | null;
  try {
    place = await requestPort(list);
  } catch (error) {
    setConnectFailure(port, { code: 'permission-denied', source: null, settings });
    await tell(port, 'permission-denied', error);
    return;
  }
  // Earlier advice stays while the dialog is open, so that nothing moves behind it.
  if (place === null) {
    setConnectFailure(port, { code: 'nothing-picked', source: null, settings });
  } else {
    await connectSource(port, { kind: 'serial', place }, settings);
  }
}

/** Opens a port that needs no dialog: one permitted before, or a demo device. */
export async function connectSource(port: PortNumber, source: PortSource, settings: PortSettings): Promise<void> {
  setConnectFailure(port, null);
  const connecting = atCurrentPlace(source, (current) => getBench().call('connect', port, current, settings))
    .then(() => {
      clearNothingPicked();
      for (const listener of listeners) {
        listener(port, source, settings);
      }
    })
    .catch((error: unknown) => {
      const code = error instanceof CallError ? connectFailureCode(error.code) : null;
      setConnectFailure(port, code && { code, source, settings });
      throw error;
    });
  await reportingFailure(port, connecting);
}

/**
 * Waits for a bench call about a port. A refusal with a code is already on the timeline. Other failures of the call
 * are added to it.
 *
 * @throws Only errors that are not a `CallError`.
 */
export async function reportingFailure(port: PortNumber, call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof CallError)) {
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
