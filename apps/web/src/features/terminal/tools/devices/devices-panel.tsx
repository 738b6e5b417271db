/** Looks for the devices on a Modbus line: says what it will send, sends it when asked to, and lists what answered. */
import { baudRates, defaultPortSettings, describePortSettings, type PortSettings } from '@wirebench/port';
import { type PortNumber, sessionFailureText } from '@wirebench/serial';
import {
  answerLimits,
  answerTimeText,
  damagedSentence,
  deviceRemarks,
  devicesCsv,
  endSentence,
  type FoundDevice,
  howText,
  type ModbusFindings,
  type ModbusSearchOptions,
  noisySentence,
  planSentences,
  progressText,
  registersText,
  searchLimitsText,
} from '@wirebench/serial/modbus-search';
import { Copy, ScanSearch, TableProperties } from 'lucide-react';
import { useId, useState } from 'react';
import { copyText } from '../../../../shared/files/copy-text.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { LevelIcon } from '../../../../shared/ui/level-icon.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { ProgressBar } from '../../../../shared/ui/progress-bar.tsx';
import { Select } from '../../../../shared/ui/select.tsx';
import { TextInput } from '../../../../shared/ui/text-input.tsx';
import { LOAD_FAILED } from '../../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import { useTerminalSession } from '../../terminal-session.ts';
import { choose, optionsOf, type SearchChoice, startSearch, usePortSearch } from './device-search.ts';
import styles from './devices-panel.module.css';

const parities = ['none', 'even', 'odd'] as const satisfies readonly ParityType[];
const rates = [1_200, 2_400, 4_800, ...baudRates.filter((rate) => rate <= 115_200)];

export function DevicesPanel() {
  const port = useTerminalSession((session) => session.selectedPort);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const settings = useBenchStatus(({ status }) => status.ports[port].settings);
  const isOpen = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  const isElsewhere = useBenchStatus(({ devices }) => devices[port]?.kind === 'remote');
  const { search, choice } = usePortSearch(port);
  const own = settings ?? defaultPortSettings;
  const options = optionsOf(choice, own, false);
  const plan = planOf(options);
  const begin = (ignoresTraffic: boolean) => void startSearch(port, optionsOf(choice, own, ignoresTraffic));
  const obstacle = isElsewhere
    ? sessionFailureText['modbus-search-elsewhere']
    : isOpen
      ? null
      : 'Connect the port first.';
  return (
    <div className={styles['panel']} data-port={port}>
      <h3 className={styles['title']}>
        <PortFlag port={port} />
        <span className="ellipsis">{name}</span>
        {isOpen ? <span className={styles['settings']}>{describePortSettings(own)}</span> : null}
      </h3>
      {search.kind === 'running' ? (
        <Running port={port} options={search.options} stop={search.stop} />
      ) : (
        <>
          <Choices port={port} choice={choice} own={own} />
          <div className={styles['plan']}>
            {plan === null ? (
              <p role="alert" className={styles['fault']}>
                {searchLimitsText}
              </p>
            ) : (
              plan.map((sentence) => <p key={sentence}>{sentence}</p>)
            )}
          </div>
          <div className={styles['start']}>
            <Button
              size="sm"
              variant="primary"
              icon={<ScanSearch />}
              disabled={plan === null || obstacle !== null}
              onClick={() => begin(false)}
            >
              Look for Modbus devices
            </Button>
            {obstacle === null ? null : <span className={styles['note']}>{obstacle}</span>}
          </div>
          <div role="alert">
            {search.kind === 'refused' ? <p className={styles['fault']}>{search.message}</p> : null}
            {search.kind === 'ended' && search.report.end === 'traffic' ? (
              <div className={styles['traffic']}>
                <p>
                  <LevelIcon level="warning" />
                  {endSentence(search.report)}
                </p>
                <Button size="sm" disabled={plan === null || obstacle !== null} onClick={() => begin(true)}>
                  Look anyway
                </Button>
              </div>
            ) : null}
          </div>
          {search.kind === 'ended' && search.report.end !== 'traffic' ? (
            <>
              <p role="status" className={styles['end']}>
                {endSentence(search.report)}
              </p>
              <Findings findings={search.report} limit={search.options.limit} />
              {search.report.devices.length + search.report.damaged.length === 0 ? null : (
                <Uses key={port} port={port} report={search.report} limit={search.options.limit} />
              )}
            </>
          ) : null}
        </>
      )}
    </div>
  );
}

interface UsesProps {
  readonly port: PortNumber;
  readonly report: ModbusFindings;
  readonly limit: number;
}

/** Buttons that put the findings to use. */
function Uses({ port, report, limit }: UsesProps) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const hasRegisters = report.devices.some(({ tables }) => tables !== null && tables.length > 0);
  const add = async () => {
    setBusy(true);
    try {
      const loaded = await import('./found-registers.lazy.ts').catch(() => null);
      setRefusal(loaded === null ? LOAD_FAILED : await loaded.addFoundRegisters(port, report.devices));
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <div className="buttons tight">
        {hasRegisters ? (
          <Button size="sm" icon={<TableProperties />} busy={isBusy} onClick={() => void add()}>
            Use as a register table
          </Button>
        ) : null}
        <Button size="sm" icon={<Copy />} onClick={() => void copyText(devicesCsv(report, limit), 'Devices copied')}>
          Copy as CSV
        </Button>
      </div>
      <div role="alert">{refusal === null ? null : <p className={styles['fault']}>{refusal}</p>}</div>
    </>
  );
}

/** Sentences about what will be sent; null for a choice that cannot be searched. */
function planOf(options: ModbusSearchOptions): readonly string[] | null {
  try {
    return planSentences(options);
  } catch (error) {
    if (error instanceof RangeError) {
      return null;
    }
    throw error;
  }
}

interface ChoicesProps {
  readonly port: PortNumber;
  readonly choice: SearchChoice;
  readonly own: PortSettings;
}

function Choices({ port, choice, own }: ChoicesProps) {
  const id = useId();
  const { from, to, limit, hasRegisters, first, last } = choice;
  const number = (label: string, value: string, onValue: (text: string) => void) => (
    <TextInput
      mono
      inputMode="numeric"
      maxLength={6}
      aria-label={label}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
  return (
    <div className={styles['choices']}>
      <span className="silk">Units</span>
      <div className={styles['range']}>
        {number('First unit', from, (text) => choose(port, { from: text }))}
        <span>to</span>
        {number('Last unit', to, (text) => choose(port, { to: text }))}
      </div>
      <span className="silk">Rates</span>
      <Several
        label="Rate"
        all={[...new Set([own.baudRate, ...rates])].sort((one, other) => one - other)}
        own={own.baudRate}
        chosen={choice.rates}
        onChange={(chosen) => choose(port, { rates: chosen })}
      />
      <span className="silk">Parity</span>
      <Several
        label="Parity"
        all={parities}
        own={own.parity}
        chosen={choice.parities}
        onChange={(chosen) => choose(port, { parities: chosen })}
      />
      <label htmlFor={id} className="silk">
        Answer in
      </label>
      <Select id={id} value={limit} onChange={(event) => choose(port, { limit: Number(event.currentTarget.value) })}>
        {answerLimits.map((time) => (
          <option key={time} value={time}>
            {time} ms
          </option>
        ))}
      </Select>
      <span className="silk">Registers</span>
      <div className={styles['range']}>
        <input
          type="checkbox"
          aria-label="Look for registers"
          checked={hasRegisters}
          onChange={(event) => choose(port, { hasRegisters: event.currentTarget.checked })}
        />
        {hasRegisters ? (
          <>
            {number('First register', first, (text) => choose(port, { first: text }))}
            <span>to</span>
            {number('Last register', last, (text) => choose(port, { last: text }))}
          </>
        ) : (
          <span>no</span>
        )}
      </div>
    </div>
  );
}

interface SeveralProps<Value extends string | number> {
  readonly label: string;
  readonly all: readonly Value[];
  /** Value with which the port is open. It is always tried, and first. */
  readonly own: Value;
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}

function Several<Value extends string | number>({ label, all, own, chosen, onChange }: SeveralProps<Value>) {
  return (
    <div className={styles['several']}>
      {all.map((value) =>
        value === own ? (
          <span key={value} className={styles['own']} title="As the port is open. Tried first.">
            {value}
          </span>
        ) : (
          <Button
            key={value}
            size="sm"
            aria-label={`${label} ${value}`}
            pressed={chosen.includes(value)}
            onClick={() =>
              onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])
            }
          >
            {value}
          </Button>
        ),
      )}
    </div>
  );
}

interface RunningProps {
  readonly port: PortNumber;
  readonly options: ModbusSearchOptions;
  readonly stop: () => void;
}

function Running({ port, options: { units, limit, lines }, stop }: RunningProps) {
  const progress = useBenchStatus(({ modbusSearches }) => modbusSearches[port]);
  const step = progress?.step ?? 'listening';
  const count = units.to - units.from + 1;
  const passed = progress === null || step === 'listening' ? 0 : step === 'units' ? progress.unit - units.from : count;
  const done = progress === null ? 0 : (progress.index + passed / count) / lines.length;
  return (
    <>
      <div className={styles['running']}>
        <span className={styles['words']}>{progressText(progress)}</span>
        <Button size="sm" aria-label="Stop looking for devices" onClick={stop}>
          Stop
        </Button>
      </div>
      <ProgressBar label="Units asked" done={Math.min(1, done)} />
      {progress === null ? null : <Findings findings={progress.findings} limit={limit} />}
    </>
  );
}

interface FindingsProps {
  readonly findings: ModbusFindings;
  readonly limit: number;
}

/** Devices that answered, and units that may be two. */
function Findings({ findings: { devices, damaged, noisy, foreign, hasEcho }, limit }: FindingsProps) {
  return (
    <>
      {devices.length === 0 ? null : (
        <table className={styles['table']} aria-label="Devices that answered">
          <thead>
            <tr>
              <th scope="col">Unit</th>
              <th scope="col">Answered</th>
              <th scope="col">In</th>
            </tr>
          </thead>
          {devices.map((device) => (
            <Device key={`${device.unit} ${describePortSettings(device.line)}`} device={device} limit={limit} />
          ))}
        </table>
      )}
      {damaged.map((unit) => (
        <p key={`${unit.unit} ${describePortSettings(unit.line)}`} className={styles['fault']}>
          {damagedSentence(unit)}
        </p>
      ))}
      {noisy.map((line) => (
        <p key={describePortSettings(line)} className={styles['fault']}>
          {noisySentence(line)}
        </p>
      ))}
      {hasEcho ? <p className={styles['note']}>The adapter returns what it sends, which is left out.</p> : null}
      {foreign > 0 ? <p className={styles['note']}>{foreign} frames came that answer nothing asked here.</p> : null}
    </>
  );
}

function Device({ device, limit }: { readonly device: FoundDevice; readonly limit: number }) {
  const { unit, line, identification, tables } = device;
  const registers = registersText(device);
  const remarks = deviceRemarks(device, limit);
  return (
    <tbody className={styles['device']}>
      <tr>
        <th scope="row">
          <b>{unit}</b> {describePortSettings(line)}
        </th>
        <td>{howText(device)}</td>
        <td>{answerTimeText(device)}</td>
      </tr>
      <tr>
        <td colSpan={3} className={styles['facts']}>
          {identification.length === 0 ? null : <p>{identification.join(', ')}</p>}
          {tables === null ? null : (
            <p className={styles['registers']}>{registers === '' ? 'no registers in this range' : registers}</p>
          )}
          {remarks.map((remark) => (
            <p key={remark} className={styles['fault']}>
              {remark}
            </p>
          ))}
        </td>
      </tr>
    </tbody>
  );
}
