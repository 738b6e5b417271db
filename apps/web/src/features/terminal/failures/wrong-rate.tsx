/**
 * Remedy for a wrong rate or format: judged by the first bytes, which works on every system, or by the errors that the
 * driver counts. The search runs in the strip, and what a rate makes readable is its proof.
 */
import { describePortSettings, type PortSettings } from '@wirebench/port';
import { type PortNumber, type RateSign, rateSignText } from '@wirebench/serial';
import { Gauge } from 'lucide-react';
import { useState } from 'react';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { applySettings } from '../settings/apply-settings.ts';
import { applyBaudRate, startBaudSearch } from '../settings/baud-finder.ts';
import { changePortSettings, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { FailureStrip } from './failure-strip.tsx';

/** Minimum number of errors for the advice. Plugging in a cable or switching on a board may cause fewer. */
const noteworthy = 10;

/** The search is loaded when it is asked for: it reads what a rate makes readable. */
const loadSearch = async () => (await import('./rate-search.tsx')).RateSearch;

export function WrongRate({ port }: { readonly port: PortNumber }) {
  const { state, settings, connectedAt } = useBenchStatus(({ status }) => status.ports[port]);
  const { framing, parity } = useBenchStatus(({ status }) => status.ports[port].errors);
  const sign = useBenchStatus(({ advice }) => advice[port].rate);
  const isSearched = useBenchStatus(({ modbusSearches }) => modbusSearches[port] !== null);
  const isHex = useTerminalSettings(({ layout }) => layout === 'hex');
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  // A person who has closed the strip knows: it does not come again for these settings.
  const [settled, setSettled] = useState<string | null>(null);
  /** Rate of the port when the search was asked for; null: none was. */
  const [before, setBefore] = useState<number | null>(null);
  const Search = useLoaded(before !== null, loadSearch, () => setBefore(null));
  const format = settings === null ? null : describePortSettings(settings);
  const end = () => {
    setBefore(null);
    setSettled(format);
    setDismissedAt(connectedAt);
  };
  const find = async (rate: number) => {
    setBefore(rate);
    const finding = await startBaudSearch(port, { kind: 'same' });
    const found = finding?.baudRate ?? null;
    if (found !== null && found !== rate) {
      // The search has opened the port again, which the status may not say yet.
      await applyBaudRate(port, found, true);
    }
  };
  if (before !== null) {
    const findButton = <FindButton onFind={() => void find(before)} />;
    return Search === null ? null : <Search port={port} before={before} findButton={findButton} onEnd={end} />;
  }
  // A search for devices tries settings of its own.
  if (state !== 'connected' || settings === null || isSearched) {
    return null;
  }
  const findNow = () => void find(settings.baudRate);
  const hasErrors = connectedAt !== dismissedAt && framing + parity >= noteworthy;
  if (sign !== null && !isHex && settled !== format) {
    return sign.kind === 'bits' ? (
      <OtherBits port={port} settings={settings} sign={sign} onEnd={end} />
    ) : (
      <FailureStrip
        port={port}
        level="warning"
        title={rateSignText(sign, settings)}
        actions={<FindButton isMain onFind={findNow} />}
        onDismiss={end}
      >
        {null}
      </FailureStrip>
    );
  }
  return hasErrors ? (
    <LineErrors port={port} framing={framing} parity={parity} settings={settings} onFind={findNow} onDismiss={end} />
  ) : null;
}

function FindButton({ isMain = false, onFind }: { readonly isMain?: boolean; readonly onFind: () => void }) {
  return (
    <Button size="sm" variant={isMain ? 'primary' : undefined} icon={<Gauge />} onClick={onFind}>
      Find the rate
    </Button>
  );
}

interface LineErrorsProps {
  readonly port: PortNumber;
  readonly framing: number;
  readonly parity: number;
  readonly settings: PortSettings;
  readonly onFind: () => void;
  readonly onDismiss: () => void;
}

function LineErrors({ port, framing, parity, settings, onFind, onDismiss }: LineErrorsProps) {
  const name = useTerminalSettings((all) => portName(all, port));
  const isRate = framing >= parity;
  return (
    <FailureStrip
      port={port}
      level="warning"
      title={`${name}: ${count(framing + parity)} ${isRate ? 'framing' : 'parity'} errors at ${describePortSettings(settings)}.`}
      actions={isRate ? <FindButton onFind={onFind} /> : null}
      onDismiss={onDismiss}
    >
      <p>
        {isRate
          ? 'Check the baud rate: 115200, 9600 and 74880 (ESP8266 boot messages) are common. If it is right, check the ground wire, the cable length and the signal voltage.'
          : 'Check the parity and the data bits: most boards use 8 data bits and no parity; some instruments use 7 and even.'}
      </p>
    </FailureStrip>
  );
}

interface OtherBitsProps {
  readonly port: PortNumber;
  readonly settings: PortSettings;
  readonly sign: Extract<RateSign, { kind: 'bits' }>;
  readonly onEnd: () => void;
}

/** The bytes are text with 7 data bits. */
function OtherBits({ port, settings, sign, onEnd }: OtherBitsProps) {
  const format = describePortSettings({ ...settings, ...sign.settings });
  return (
    <FailureStrip
      port={port}
      level="warning"
      title={rateSignText(sign, settings)}
      actions={
        <Button
          size="sm"
          variant="primary"
          onClick={() => {
            changePortSettings(port, sign.settings);
            void applySettings(port);
            onEnd();
          }}
        >
          Use {format}
        </Button>
      }
      onDismiss={onEnd}
    >
      <Proof text={sign.sample} />
    </FailureStrip>
  );
}

const Proof = ({ text }: { readonly text: string }) => (
  <p>
    <code>{text}</code>
  </p>
);
