/** Strip at the top of the bench: the board, the promise that flash stays unchanged, the baud rate, and Leave. */
import { LogOut, ShieldCheck, TriangleAlert } from 'lucide-react';
import { deviceName } from '../../hardware/device-name.ts';
import { labBaudRates, labPort } from '../../protocol/lab-protocol.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { Select } from '../../shared/ui/select.tsx';
import styles from './lab-strip.module.css';
import { ProgramSwitch } from './program-switch.tsx';
import { chooseBaudRate, leave } from './store/lab-actions.ts';
import { useLab } from './store/lab-store.ts';
import { tell } from './store/run.ts';

export function LabStrip() {
  const phase = useLab((state) => state.phase);
  const board = useLab((state) => state.board);
  const program = useLab(({ tick }) => tick.program !== null);
  const open = phase === 'open' || phase === 'leaving';
  return (
    <div className={styles['strip']} data-port={labPort} data-open={open || undefined}>
      <div className={styles['who']}>
        <PortFlag port={labPort} off={!open} />
        <div className={styles['board']}>
          <span className={styles['name']}>
            <span className="ellipsis">{open && board !== null ? board.description : 'No board on the bench'}</span>
            {open && board?.demo ? <Badge tone="info">Demo</Badge> : null}
            <span className={styles['tag']}>
              <Badge tone="warning" icon={<TriangleAlert />}>
                Experimental
              </Badge>
            </span>
          </span>
          {open && board !== null ? (
            <span className={`ellipsis ${styles['facts']}`}>
              {[board.revision, board.demo ? 'simulated' : deviceName(board.port), board.mac].join(' · ')}
            </span>
          ) : null}
        </div>
      </div>
      <p className={styles['promise']}>
        <ShieldCheck />
        <span>
          <b>Nothing is written to flash.</b>{' '}
          <span className={styles['how']}>
            {open && board?.runsProbe
              ? 'Instruments run from the bench program that was found running.'
              : open && program
                ? 'Instruments run from a program in RAM, which a reset ends.'
                : 'Instruments run from the boot ROM.'}
          </span>
        </span>
      </p>
      <div className={styles['controls']}>
        {open ? <ProgramSwitch /> : null}
        <BaudRate />
        {open ? (
          <Button
            icon={<LogOut />}
            busy={phase === 'leaving'}
            aria-keyshortcuts="Shift+L"
            onClick={() => void tell(leave)}
          >
            Leave
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function BaudRate() {
  const phase = useLab((state) => state.phase);
  const wanted = useLab((state) => state.baudRate);
  const current = useLab(({ tick }) => tick.baudRate);
  const rate = phase === 'open' && current > 0 ? current : wanted;
  return (
    <Select
      mono
      className={styles['baud']}
      aria-label="Baud rate of the link to the board"
      value={rate}
      disabled={phase === 'connecting' || phase === 'leaving'}
      onChange={({ currentTarget }) => {
        const chosen = Number(currentTarget.value);
        void tell(() => chooseBaudRate(chosen));
      }}
    >
      {[...new Set([...labBaudRates, rate])].map((known) => (
        <option key={known}>{known}</option>
      ))}
    </Select>
  );
}
