import { describePortSettings, type PortSettings } from '@wirebench/port';
import { type ChoiceField, fieldFailure, type NumberField } from '@wirebench/port/option-fields';
import { baudField, portFields } from '@wirebench/port/port-fields';
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
import { lineEndings, longestName } from '../settings/terminal-settings.ts';
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
  const given = Object.entries({ baudRate: baudField, ...portFields }).flatMap(([option, field]) => {
    const value =
      'parameter' in field ? read(field.parameter, (text) => valueNamed(field, text), allowedIn(field)) : undefined;
    return value === undefined ? [] : [[option, value]];
  });
  const settings: Partial<PortSettings> = Object.fromEntries(given);
  const lineEnding = read('ending', oneOf(lineEndings), 'none, lf, cr or crlf');
  const name = read('name', fittingName, `at most ${longestName} characters`);
  const filter = readFilter(parameters.get('filter'), wrong);
  const asked = given.length > 0 || [lineEnding, name, filter].some((value) => value !== undefined);
  return asked || wrong.length > 0 ? { settings, lineEnding, name, filter, wrong } : null;
}

/** Maximum length of an invalid value quoted in a message, in characters. */
const longestShown = 40;

/** Returns the value that a text names; undefined for none. */
function valueNamed(field: NumberField | ChoiceField, text: string): number | string | undefined {
  if (field.kind === 'choice') {
    return oneOf(field.choices.map(({ value }) => value))(text);
  }
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return fieldFailure(field, number) === null ? number : undefined;
}

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const allowedIn = (field: NumberField | ChoiceField): string =>
  field.kind === 'choice'
    ? either.format(field.choices.map(({ value }) => String(value)))
    : `a whole number from ${field.least} to ${field.most}`;

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

function oneOf<Value extends string | number>(values: readonly Value[]): (text: string) => Value | undefined {
  return (text) => values.find((value) => String(value) === text.toLowerCase());
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
