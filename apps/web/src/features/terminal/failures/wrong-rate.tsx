/**
 * Remedy for a wrong rate or format: judged by the first bytes, which works on every system, or by the errors that the
 * driver counts. The search runs in the strip, and what a rate makes readable is its proof.
 */
import { describePortSettings, type PortSettings } from '@wirebench/port';
import { type BaudFinding, lineText, type PortNumber, type RateSign, rateSignText } from '@wirebench/serial';
import { Gauge } from 'lucide-react';
import { type ReactNode, use, useState } from 'react';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { MessageLevel } from '../../../shared/ui/level-icon.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { applySettings } from '../settings/apply-settings.ts';
import { applyBaudRate, startBaudSearch, useBaudSearch } from '../settings/baud-finder.ts';
import { changePortSettings, portName, useTerminalSettings } from '../settings/settings-store.ts';
import { showBaudFinder } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { FailureStrip } from './failure-strip.tsx';

/** Minimum number of errors for the advice. Plugging in a cable or switching on a board may cause fewer. */
const noteworthy = 10;
/** Characters of the readable text that proves a rate. */
const proofLength = 60;

export function WrongRate({ port }: { readonly port: PortNumber }) {
  const { state, settings, connectedAt } = useBenchStatus(({ status }) => status.ports[port]);
  const { framing, parity } = useBenchStatus(({ status }) => status.ports[port].errors);
  const sign = useBenchStatus(({ advice }) => advice[port].rate);
  const isHex = useTerminalSettings(({ layout }) => layout === 'hex');
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  // A person who has closed the strip knows: it does not come again for these settings.
  const [settled, setSettled] = useState<string | null>(null);
  /** Rate of the port when the search was asked for; null: none was. */
  const [before, setBefore] = useState<number | null>(null);
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
    return <Search port={port} before={before} onFind={() => void find(before)} onEnd={end} />;
  }
  if (state !== 'connected' || settings === null) {
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

interface SearchProps {
  readonly port: PortNumber;
  /** Rate at which the search was asked for. */
  readonly before: number;
  readonly onFind: () => void;
  readonly onEnd: () => void;
}

/** The search that the person has asked for in the strip, and its result: the port is opened at the rate that was found. */
function Search({ port, before, onFind, onEnd }: SearchProps) {
  const search = useBaudSearch(port);
  const progress = useBenchStatus(({ baudSearches }) => baudSearches[port]);
  const strip = (level: MessageLevel, title: string, actions: ReactNode, children: ReactNode = null) => (
    <FailureStrip
      port={port}
      level={level}
      title={title}
      actions={actions}
      onDismiss={() => {
        if (search.kind === 'running') {
          search.cancel();
        }
        onEnd();
      }}
    >
      <div role="status">{children}</div>
    </FailureStrip>
  );
  if (search.kind === 'running') {
    const step = progress === null ? '' : `, ${progress.index + 1} of ${progress.count}`;
    return strip(
      'info',
      progress === null ? 'Listening at other rates.' : `Listening at ${progress.rate} baud${step}.`,
      <Button size="sm" aria-label="Cancel: stop looking for the baud rate" onClick={search.cancel}>
        Cancel
      </Button>,
    );
  }
  if (search.kind === 'failed') {
    return strip('warning', search.message, <FindButton onFind={onFind} />);
  }
  if (search.kind === 'none') {
    return strip('info', 'The search was stopped.', <FindButton onFind={onFind} />);
  }
  return <Found port={port} before={before} finding={search.finding} strip={strip} onEnd={onEnd} />;
}

interface FoundProps extends Omit<SearchProps, 'onFind'> {
  readonly finding: BaudFinding;
  readonly strip: (level: MessageLevel, title: string, actions: ReactNode, children?: ReactNode) => ReactNode;
}

function Found({ port, before, finding: { baudRate, silent, ranking }, strip, onEnd }: FoundProps) {
  const opened = useBenchStatus(({ status }) => status.ports[port].settings?.baudRate ?? null);
  // A guest's settings have no finder.
  const hasFinder = use(TerminalSlotsContext).pane === null;
  const compare = hasFinder ? (
    <Button
      size="sm"
      onClick={() => {
        showBaudFinder(port);
        onEnd();
      }}
    >
      Compare the rates
    </Button>
  ) : null;
  const best = ranking.find((candidate) => candidate.baudRate === baudRate);
  if (best !== undefined) {
    if (best.baudRate === before) {
      return strip(
        'success',
        `${before} baud is right: the board's text is readable.`,
        compare,
        <ProofOf bytes={best.sample} />,
      );
    }
    const [rate, title] =
      best.baudRate === opened
        ? [before, `At ${best.baudRate} baud it is readable. The port is open at that rate now.`]
        : [best.baudRate, `At ${best.baudRate} baud it is readable.`];
    return strip(
      'success',
      title,
      <Button
        size="sm"
        variant={rate === before ? undefined : 'primary'}
        onClick={() => {
          void applyBaudRate(port, rate);
          onEnd();
        }}
      >
        {rate === before ? `Back to ${rate}` : `Use ${rate}`}
      </Button>,
      <ProofOf bytes={best.sample} />,
    );
  }
  return silent
    ? strip(
        'warning',
        'Nothing was received at any rate. Press the reset button of the board, and search again.',
        compare,
      )
    : strip(
        'warning',
        'No rate makes it readable. The board may speak a binary protocol, or its signal is inverted (RS-232 levels without a converter).',
        compare,
      );
}

/** Shows the longest line, which says more than a piece of one. */
function ProofOf({ bytes }: { readonly bytes: Uint8Array }) {
  const [longest = ''] = lineText(bytes, { showControls: true })
    .split(/\\r|\\n/)
    .map((line) => line.trim())
    .toSorted((one, other) => other.length - one.length);
  return <Proof text={longest.slice(0, proofLength)} />;
}

const Proof = ({ text }: { readonly text: string }) => (
  <p>
    <code>{text}</code>
  </p>
);
