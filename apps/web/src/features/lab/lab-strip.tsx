/** Strip at the top of the bench: the board, the promise that flash stays unchanged, the baud rate, and Leave. */
import { deviceName } from '@wirebench/boards/device-name';
import { Cpu, LogOut, ShieldCheck, TriangleAlert, Undo2 } from 'lucide-react';
import { labBaudRates, labPort } from '../../protocol/lab-protocol.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { PortFlag } from '../../shared/ui/port-flag.tsx';
import { Select } from '../../shared/ui/select.tsx';
import { Tooltip } from '../../shared/ui/tooltip.tsx';
import styles from './lab-strip.module.css';
import { chooseBaudRate, leave } from './store/lab-actions.ts';
import { useLab } from './store/lab-store.ts';
import { backToRom, cancelProgram, loadProgram } from './store/program.ts';
import { tell } from './store/run.ts';

/** Button that changes from the boot ROM to the faster program in RAM, and back. */
function ProgramSwitch() {
  const program = useLab(({ tick }) => tick.program);
  const loading = useLab(({ tick }) => tick.loading);
  const leaving = useLab(({ phase }) => phase === 'leaving');
  const runsProbe = useLab(({ board }) => board?.runsProbe === true);
  if (runsProbe) {
    // The probe runs from flash, and a reset would only start it again.
    return program !== null || loading ? null : (
      <Button className={styles['program']} icon={<Cpu />} disabled={leaving} onClick={() => void tell(loadProgram)}>
        Use its fast operations
      </Button>
    );
  }
  const { text, name, icon, act } = program !== null ? running : loading ? beingLoaded : inRom;
  // All states share one button and one tooltip, so that a resting pointer is not shown another text after the press.
  return (
    <Tooltip text={text}>
      {(anchor) => (
        <Button
          {...anchor}
          className={styles['program']}
          icon={icon}
          disabled={leaving && !loading}
          onClick={() => act()}
        >
          {name}
        </Button>
      )}
    </Tooltip>
  );
}

const inRom = {
  text: 'Load the fast program into RAM: full-duplex UART, logic capture, longer transfers. Flash stays untouched, and a reset ends it',
  name: 'Load RAM program',
  icon: <Cpu />,
  act: () => void tell(loadProgram),
};

const beingLoaded = {
  text: 'The boot ROM goes on as before',
  name: 'Cancel loading',
  icon: null,
  act: () => void tell(cancelProgram),
};

const running = {
  text: 'Releases all pins, resets the board and connects to its ROM again',
  name: 'Back to ROM',
  icon: <Undo2 />,
  act: () => void tell(backToRom),
};

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
          <span className={`row tight ${styles['name']}`}>
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
      <p className={`row ${styles['promise']}`}>
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
      <div className={`row ${styles['controls']}`}>
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
