/** Polling of a port's registers: on or off, how often, and what it does or why it rests. */
import type { PortNumber } from '@wirebench/serial';
import { otherText, pollText } from '@wirebench/serial/modbus-search';
import { type ReactNode, use, useId } from 'react';
import { Select } from '../../../../shared/ui/select.tsx';
import { Switch } from '../../../../shared/ui/switch.tsx';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { TerminalSlotsContext } from '../../terminal-slots.ts';
import { type changePoll, intervals, usePoll } from './poll-store.ts';
import styles from './registers-panel.module.css';

const seconds = (ms: number) => `${ms / 1_000} s`;

export interface PollBarProps {
  readonly port: PortNumber;
  /** True: another master was heard on the line. */
  readonly hasOther: boolean;
  readonly onChange: (change: Parameters<typeof changePoll>[2]) => void;
  /** Buttons at the right. */
  readonly children: ReactNode;
}

export function PollBar({ port, hasOther, onChange, children }: PollBarProps) {
  const id = useId();
  const choice = usePoll(port);
  const { isReadOnly } = use(TerminalSlotsContext);
  const progress = useBenchStatus(({ modbusPolls }) => modbusPolls[port]);
  const isOpen = useBenchStatus(({ status }) => status.ports[port].state !== 'disconnected');
  const words = isReadOnly
    ? ''
    : progress !== null && (choice.isOn || progress.state === 'ended')
      ? pollText(progress)
      : !isOpen
        ? 'Connect the port to poll its registers.'
        : hasOther
          ? otherText
          : '';
  return (
    <>
      <p id={id} className={styles['say']}>
        {words}
      </p>
      <div className={styles['bar']}>
        {isReadOnly ? null : (
          <>
            <Switch
              label="Poll every"
              checked={choice.isOn}
              disabled={!isOpen && !choice.isOn}
              describedBy={id}
              onChange={(isOn) => onChange({ isOn })}
            />
            <Select
              className={styles['every']}
              aria-label={`Poll every ${seconds(choice.every)}`}
              value={choice.every}
              onChange={(event) => onChange({ every: Number(event.currentTarget.value) })}
            >
              {intervals.map((every) => (
                <option key={every} value={every}>
                  {seconds(every)}
                </option>
              ))}
            </Select>
          </>
        )}
        <span className={styles['space']} />
        {children}
      </div>
    </>
  );
}
