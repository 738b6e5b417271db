/** The strips of advice, one for each kind. */
import { readyDecoders } from '@wirebench/frames/ready-decoders';
import { describePortSettings } from '@wirebench/port';
import { endingOf } from '@wirebench/runs';
import { type LineEnding, type PortNumber, rateSignText } from '@wirebench/serial';
import { Cable, Clock, CornerDownLeft, Gauge, Rows3, ScanSearch, Terminal } from 'lucide-react';
import { type ComponentType, use, useState } from 'react';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus, useBenchStatus } from '../../../workbench/bench-status.ts';
import { clockTime } from '../../../workbench/console/row-times.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { aimsAt } from '../panels/model/device-panel.ts';
import { setEnding } from '../panels/store/panel-actions.ts';
import { panelsNow } from '../panels/store/panels-store.ts';
import { enterScreen } from '../screen/screen-settings.ts';
import { chooseTyping, useTypedEnding } from '../send/typed-ending.ts';
import { applySettings } from '../settings/apply-settings.ts';
import { applyBaudRate, startBaudSearch } from '../settings/baud-finder.ts';
import {
  changeDecoder,
  changePortSettings,
  portName,
  terminalSettingsNow,
  useTerminalSettings,
} from '../settings/settings-store.ts';
import { changeTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { showTool } from '../tools/open-tool.ts';
import { type AdviceKind, restAdvice, setRateBefore, useAdviceState } from './advice-store.ts';
import { AdviceStrip } from './advice-strip.tsx';

interface StripProps {
  readonly port: PortNumber;
}

const useName = (port: PortNumber) => useTerminalSettings((settings) => portName(settings, port));

/** Rests a kind of advice until the port is opened again; that about a rate for the same settings, too. */
function rest(port: PortNumber, kind: AdviceKind): void {
  const { connectedAt, settings } = benchStatus.tick.status.ports[port];
  const format = kind === 'rate' && settings !== null ? describePortSettings(settings) : null;
  restAdvice(port, kind, { connectedAt, format });
}

/** The search is loaded when it is asked for: it reads what a rate makes readable. */
const loadSearch = async () => (await import('./rate-search.tsx')).RateSearch;

/** Searches for the rate of an open port in the strip, and opens it at what was found. */
async function findRate(port: PortNumber): Promise<void> {
  const rate = benchStatus.tick.status.ports[port].settings?.baudRate ?? null;
  if (rate === null) {
    return;
  }
  setRateBefore(port, rate);
  const finding = await startBaudSearch(port, { kind: 'same' });
  const found = finding?.baudRate ?? null;
  if (found !== null && found !== rate) {
    // The search has opened the port again, which the status may not say yet.
    await applyBaudRate(port, found, true);
  }
}

function FindRate({ port, isMain = false }: StripProps & { readonly isMain?: boolean }) {
  return (
    <Button size="sm" variant={isMain ? 'primary' : undefined} icon={<Gauge />} onClick={() => void findRate(port)}>
      Find the rate
    </Button>
  );
}

/** A wrong rate or format: judged by the first bytes, which works on every system, or by the errors that the driver counts. */
function RateStrip({ port }: StripProps) {
  const { rateBefore } = useAdviceState(port);
  const { settings } = useBenchStatus(({ status }) => status.ports[port]);
  const { framing, parity } = useBenchStatus(({ status }) => status.ports[port].errors);
  const sign = useBenchStatus(({ advice }) => advice[port].rate);
  const name = useName(port);
  const Search = useLoaded(rateBefore !== null, loadSearch, () => setRateBefore(port, null));
  const end = () => {
    setRateBefore(port, null);
    rest(port, 'rate');
  };
  if (rateBefore !== null) {
    const findButton = <FindRate port={port} />;
    return Search === null ? null : <Search port={port} before={rateBefore} findButton={findButton} onEnd={end} />;
  }
  if (settings === null) {
    return null;
  }
  if (sign?.kind === 'bits') {
    return <OtherBits port={port} onEnd={end} />;
  }
  if (sign !== null) {
    return (
      <AdviceStrip
        port={port}
        level="warning"
        title={rateSignText(sign, settings)}
        actions={<FindRate isMain port={port} />}
        onRest={end}
      />
    );
  }
  const isRate = framing >= parity;
  return (
    <AdviceStrip
      port={port}
      level="warning"
      title={`${name}: ${count(framing + parity)} ${isRate ? 'framing' : 'parity'} errors at ${describePortSettings(settings)}.`}
      actions={isRate ? <FindRate isMain port={port} /> : null}
      onRest={end}
    >
      <p>
        {isRate
          ? 'Check the baud rate: 115200, 9600 and 74880 (ESP8266 boot messages) are common. If it is right, check the ground wire, the cable length and the signal voltage.'
          : 'Check the parity and the data bits: most boards use 8 data bits and no parity; some instruments use 7 and even.'}
      </p>
    </AdviceStrip>
  );
}

/** The bytes are text with 7 data bits. */
function OtherBits({ port, onEnd }: StripProps & { readonly onEnd: () => void }) {
  const { settings } = useBenchStatus(({ status }) => status.ports[port]);
  const sign = useBenchStatus(({ advice }) => advice[port].rate);
  if (settings === null || sign?.kind !== 'bits') {
    return null;
  }
  const format = describePortSettings({ ...settings, ...sign.settings });
  const use7 = () => {
    changePortSettings(port, sign.settings);
    void applySettings(port);
    onEnd();
  };
  return (
    <AdviceStrip
      port={port}
      level="warning"
      title={rateSignText(sign, settings)}
      actions={
        <Button size="sm" variant="primary" onClick={use7}>
          Use {format}
        </Button>
      }
      onRest={onEnd}
    >
      <p>
        <code>{sign.sample}</code>
      </p>
    </AdviceStrip>
  );
}

function ProgramStrip({ port }: StripProps) {
  const name = useName(port);
  const open = () => {
    changeTerminalSession({ selectedPort: port });
    enterScreen();
  };
  return (
    <AdviceStrip
      port={port}
      icon={<Terminal />}
      title={`A full-screen program runs on ${name}.`}
      text="The log shows only its pieces."
      actions={
        <Button size="sm" variant="primary" icon={<Terminal />} onClick={open}>
          Open the Screen
        </Button>
      }
      onRest={() => rest(port, 'program')}
    />
  );
}

const endingNames = { none: 'none', lf: 'LF', cr: 'CR', crlf: 'CR LF' } satisfies Record<LineEnding, string>;

/** Another line ending, after a board has echoed a line and not run it, or a modem has not answered. */
function EnterStrip({ port }: StripProps) {
  const { expected, isModem, sent } = useBenchStatus(({ advice }) => advice[port]);
  const name = useName(port);
  const { lineEnding } = useTypedEnding(port);
  if (expected === null) {
    return null;
  }
  const isTyped = lineEnding !== expected;
  const wanted = endingNames[expected];
  const use = () => {
    if (isTyped) {
      chooseTyping(port, { mode: terminalSettingsNow().ports[port].inputMode, lineEnding: expected });
    } else {
      const { panels } = panelsNow();
      for (const panel of panels.filter((one) => aimsAt(one, port) && endingOf(one) === sent)) {
        setEnding(panel.id, expected);
      }
    }
    if (!isModem) {
      // The line waits at the board for the rest of its ending.
      const rest = expected === 'cr' ? 0x0d : 0x0a;
      void reportingFailure(port, getBench().call('send', port, Uint8Array.of(rest)));
    }
  };
  return (
    <AdviceStrip
      port={port}
      icon={<CornerDownLeft />}
      title={isModem ? `${name} did not answer the AT command.` : `${name} echoed the line and did not run it.`}
      text={isModem ? `Modems expect ${wanted}.` : `It may expect ${wanted} instead of ${endingNames[sent ?? 'lf']}.`}
      actions={
        <Button size="sm" variant="primary" icon={<CornerDownLeft />} onClick={use}>
          {isTyped ? `Send ${wanted} from now on` : `Send ${wanted} from its panels`}
        </Button>
      }
      onRest={() => rest(port, 'enter')}
    />
  );
}

function FramesStrip({ port }: StripProps) {
  const found = useBenchStatus(({ advice }) => advice[port].frames);
  const title = readyDecoders.find(({ name }) => name === found?.decoder)?.title;
  // A guest's page may hold lines from before it joined, whose arrival it does not know.
  const isGuest = use(TerminalSlotsContext).pane !== null;
  if (found === null || title === undefined) {
    return null;
  }
  const { decoder, right, since } = found;
  return (
    <AdviceStrip
      port={port}
      icon={<Rows3 />}
      title={`These bytes are ${title}.`}
      text={`${count(right)} frames since ${clockTime(since).slice(0, 8)}${isGuest ? '' : ', what came before too'}.`}
      actions={
        <>
          <Button size="sm" onClick={() => changeDecoder(port, decoder)}>
            Always on this port
          </Button>
          <Button
            size="sm"
            variant="primary"
            icon={<Rows3 />}
            onClick={() => changeDecoder(port, decoder, { isOnce: true })}
          >
            Show frames
          </Button>
        </>
      }
      onRest={() => rest(port, 'frames')}
    />
  );
}

function SilentStrip({ port }: StripProps) {
  const name = useName(port);
  const [checks, setChecks] = useState(false);
  // Tools and the finder are the host's on a shared bench.
  const hasTools = use(TerminalSlotsContext).pane === null;
  const ask = () => {
    changeTerminalSession({ selectedPort: port });
    showTool('devices');
  };
  return (
    <AdviceStrip
      port={port}
      icon={<Clock />}
      title={`Nothing came from ${name} in 10 s.`}
      text="Is it silent until asked?"
      actions={
        <>
          <Button size="sm" icon={<Cable />} aria-expanded={checks} onClick={() => setChecks(!checks)}>
            Check the cable
          </Button>
          {hasTools ? (
            <>
              <Button size="sm" icon={<ScanSearch />} onClick={ask}>
                Ask a Modbus device
              </Button>
              <FindRate isMain port={port} />
            </>
          ) : null}
        </>
      }
      onRest={() => rest(port, 'silent')}
    >
      {checks ? (
        <ul>
          <li>RX of the adapter is connected to TX of the board, and TX to RX.</li>
          <li>Both have the same ground.</li>
          <li>Both use the same voltage: 3.3 V or 5 V.</li>
          <li>The board has power, and its reset is not held.</li>
          <li>No other program or computer has the board's serial port open.</li>
        </ul>
      ) : null}
    </AdviceStrip>
  );
}

export const adviceStrips: Readonly<Record<AdviceKind, ComponentType<StripProps>>> = {
  rate: RateStrip,
  program: ProgramStrip,
  enter: EnterStrip,
  frames: FramesStrip,
  silent: SilentStrip,
};
