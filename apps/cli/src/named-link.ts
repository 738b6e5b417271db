/** An open port with its bytes, whose failures are sentences. */
import { systemClock } from '@wirebench/clock';
import { type ControlLines, OpenError, openPort, type PortSettings, SerialLink } from '@wirebench/port';
import { type SessionFailure, sessionError } from '@wirebench/serial';
import { CommandError, exitCodes } from './exit-code.ts';
import { type GivenPort, holdersText } from './given-ports.ts';

export interface NamedLink {
  readonly given: GivenPort;
  readonly device: SerialPort;
  readonly settings: PortSettings;
  /** Levels at the opening; null to leave them. */
  readonly lines: ControlLines | null;
  readonly received: (bytes: Uint8Array) => void;
  /** Called when the port has ended by itself. */
  readonly ended: () => void;
}

/** @throws CommandError for a port that cannot be opened. */
export function openNamedLink({ given, device, settings, lines, received, ended }: NamedLink): Promise<SerialLink> {
  return openPort(systemClock, {
    device,
    settings,
    ...(lines !== null && { lines }),
    onOpen: () =>
      new SerialLink(
        systemClock,
        { device, settings, overruns: 'read-on' },
        { bytes: received, lineError: () => undefined, overrun: () => undefined, ended },
      ),
  }).catch(async (error: unknown) => {
    throw error instanceof OpenError ? await openFailed(given, error.code, error.cause) : error;
  });
}

/** Returns the failure to open a port, with the programs that have it open. */
export async function openFailed(given: GivenPort, code: SessionFailure, cause?: unknown): Promise<CommandError> {
  const { message } = sessionError(code, 1, cause);
  return new CommandError(exitCodes.noPort, `${message}${code === 'busy' ? await holdersText(given) : ''}`);
}
