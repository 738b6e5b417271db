import { describePortSettings, linesAtOpen, type PortSettings } from '@wirebench/port';
import { type PortNumber, parseFilterField, portNumbers } from '@wirebench/serial';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { pageStore } from '../../../shared/page-store.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { changeFind } from '../../../workbench/console/find/find-store.ts';
import { ConnectButton } from '../../../workbench/port-picker/connect-button.tsx';
import { FailureStrip } from '../failures/failure-strip.tsx';
import {
  applyTemporarySettings,
  endTemporarySettings,
  portName,
  type TemporarySettings,
  useTerminalSettings,
} from '../settings/settings-store.ts';
import { highestBaudRate, isBaudRate, lineEndings, longestName } from '../settings/terminal-settings.ts';
import { changeTerminalSession } from '../terminal-session.ts';

const endings = { none: 'no line ending', lf: 'LF', cr: 'CR', crlf: 'CRLF' } as const;

/**
 * Parses the settings in an address such as `/app/uart?baud=9600&parity=even&name=GNSS`. Each value is validated
 * separately. Invalid values are reported and skipped, unknown parameters are ignored.
 */

interface TerminalAddress extends TemporarySettings {
  /** Text for the find field. Only matching lines are shown. */
  readonly filter?: string | undefined;
  /** One sentence for each invalid value. */
  readonly wrong: readonly string[];
}

type Changes = { -readonly [Key in keyof PortSettings]?: PortSettings[Key] };

/** Parses the query part of an address. Returns null if it contains no setting. */
export function readTerminalAddress(search: string): TerminalAddress | null {
  const parameters = new URLSearchParams(search);
  const wrong: string[] = [];
  const read = <Value,>(
    name: string,
    take: (text: string) => Value | undefined,
    allowed: string,
  ): Value | undefined => {
    const text = parameters.get(name);
    if (text === null) {
      return undefined;
    }
    const value = take(text.trim());
    if (value === undefined) {
      wrong.push(`${name} is ${JSON.stringify(text.slice(0, longestShown))}, but must be ${allowed}.`);
    }
    return value;
  };
  const settings: Changes = {};
  const baudRate = read('baud', wholeRate, `a whole number from 1 to ${highestBaudRate}`);
  const dataBits = read('data', (text) => ([7, 8] as const).find((bits) => String(bits) === text), '7 or 8');
  const stopBits = read('stop', (text) => ([1, 2] as const).find((bits) => String(bits) === text), '1 or 2');
  const parity = read('parity', oneOf(['none', 'even', 'odd'] as const), 'none, even or odd');
  const linesChosen = read('lines', oneOf(linesAtOpen), 'dtr, off or keep');
  const lineEnding = read('ending', oneOf(lineEndings), 'none, lf, cr or crlf');
  const name = read('name', fittingName, `at most ${longestName} characters`);
  const filter = readFilter(parameters.get('filter'), wrong);
  Object.assign(
    settings,
    baudRate !== undefined && { baudRate },
    dataBits !== undefined && { dataBits },
    stopBits !== undefined && { stopBits },
    parity !== undefined && { parity },
    linesChosen !== undefined && { linesAtOpen: linesChosen },
  );
  const asked = Object.keys(settings).length > 0 || [lineEnding, name, filter].some((value) => value !== undefined);
  return asked || wrong.length > 0 ? { settings, lineEnding, name, filter, wrong } : null;
}

/** Maximum length of an invalid value quoted in a message, in characters. */
const longestShown = 40;

function wholeRate(text: string): number | undefined {
  return /^\d+$/.test(text) && isBaudRate(Number(text)) ? Number(text) : undefined;
}

function fittingName(text: string): string | undefined {
  return text.length <= longestName ? text : undefined;
}

/**
 * Returns the filter if it is valid. Uses the find field's own message for an invalid one, because an expression has
 * many faults.
 */
function readFilter(text: string | null, wrong: string[]): string | undefined {
  if (text === null || text.trim() === '') {
    return undefined;
  }
  const parsed = parseFilterField(text);
  if (!parsed.ok) {
    wrong.push(`filter cannot be used. ${parsed.message}`);
    return undefined;
  }
  return text;
}

function oneOf<Value extends string>(values: readonly Value[]): (text: string) => Value | undefined {
  return (text) => values.find((value) => value === text.toLowerCase());
}

/**
 * Settings requested by the page's address, until the port is connected or the user declines. Each address is applied
 * once.
 */

interface AddressOffer extends TerminalAddress {
  readonly port: PortNumber;
}

interface AddressState {
  /** Query of the address that was applied last. */
  readonly search: string;
  readonly offer: AddressOffer | null;
}

const addressState = pageStore<AddressState>({ search: '', offer: null });

/**
 * Applies the address to the first free port. Ignored if this query was applied before, or if no port is free.
 *
 * @param search Query part of the address.
 */
function takeUpAddress(search: string): void {
  if (search === addressState.getState().search) {
    return;
  }
  const address = readTerminalAddress(search);
  const port = portNumbers.find((number) => benchStatus.tick.status.ports[number].state === 'disconnected');
  if (address === null || port === undefined) {
    addressState.setState({ search, offer: null });
    return;
  }
  applyTemporarySettings(port, address);
  if (address.filter !== undefined) {
    changeFind({ text: address.filter, matchesOnly: true });
  }
  changeTerminalSession({ selectedPort: port });
  addressState.setState({ search, offer: { ...address, port } });
}

/** Closes the strip, after the port is connected or the hint was read. The settings last for this visit. */
function closeOffer(): void {
  addressState.setState({ offer: null });
}

/** Restores the user's own settings. */
function declineOffer(): void {
  endTemporarySettings();
  if (addressState.getState().offer?.filter !== undefined) {
    changeFind({ text: '', matchesOnly: false });
  }
  closeOffer();
}

function useAddressOffer(): AddressOffer | null {
  return addressState.use(({ offer }) => offer);
}

/** Strip that shows the settings requested by the address, with a button that connects the port. */
export function AddressStrip() {
  const { search } = useLocation();
  useEffect(() => {
    takeUpAddress(search);
  }, [search]);
  const offer = useAddressOffer();
  const port = offer?.port ?? 1;
  const { settings } = useTerminalSettings(({ ports }) => ports[port]);
  const name = useTerminalSettings((all) => portName(all, port));
  const ending = useTerminalSettings(({ ports }) => endings[ports[port].lineEnding]);
  const running = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  useEffect(() => {
    if (running && offer !== null && offer.wrong.length === 0) {
      closeOffer();
    }
  }, [running, offer]);
  if (offer === null) {
    return null;
  }
  return (
    <FailureStrip
      port={port}
      level={offer.wrong.length > 0 ? 'warning' : 'info'}
      title={`This address opens ${name} at ${describePortSettings(settings)}, and sends with ${ending}.`}
      actions={
        running ? null : (
          <>
            <ConnectButton port={port} settings={settings} size="sm" variant="primary" />
            <Button size="sm" onClick={declineOffer}>
              Use my settings
            </Button>
          </>
        )
      }
      onDismiss={closeOffer}
    >
      {offer.wrong.length === 0 ? null : (
        <ul>
          {offer.wrong.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {offer.filter === undefined ? null : (
        <p>
          Only lines with <code>{offer.filter}</code> are shown.
        </p>
      )}
      <p>Your own settings stay as you left them until you change these.</p>
    </FailureStrip>
  );
}
