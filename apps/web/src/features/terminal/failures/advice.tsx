/**
 * The strip of advice over the last rows of the log. There is one at a time: the first of `adviceKinds` that is due on a port.
 * None opens while a person types; it waits until the message field is empty. Loaded with the first port.
 */
import { describePortSettings } from '@wirebench/port';
import { endingOf } from '@wirebench/runs';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type ReactNode, useState } from 'react';
import { type BenchView, useBenchStatus } from '../../../workbench/bench-status.ts';
import { aimsAt } from '../panels/model/device-panel.ts';
import { usePanels } from '../panels/store/panels-store.ts';
import { useScreenSettings } from '../screen/screen-settings.ts';
import { useTypedEnding } from '../send/typed-ending.ts';
import { askingPort, displayOf, useTerminalSettings } from '../settings/settings-store.ts';
import { useTerminalSession } from '../terminal-session.ts';
import { type AdviceKind, adviceKinds, useAdviceState, useSaidAdvice } from './advice-store.ts';
import { adviceStrips } from './advice-strips.tsx';

/** Fewest errors for advice. Plugging in a cable or switching on a board may cause fewer. */
export const noteworthyErrors = 10;

interface AdviceProps {
  /** Shown while there is no advice. */
  readonly children: ReactNode;
}

export function Advice({ children }: AdviceProps) {
  const kinds = { 1: useDue(1), 2: useDue(2), 3: useDue(3), 4: useDue(4) };
  const selected = useTerminalSession(({ selectedPort }) => selectedPort);
  const isTyping = useTerminalSession(({ draft }) => draft !== '');
  const [shown, setShown] = useState<string | null>(null);
  const ordered = [selected, ...portNumbers.filter((port) => port !== selected)];
  const due = adviceKinds.flatMap((kind) =>
    ordered.filter((port) => kinds[port].has(kind)).map((port) => ({ kind, port, key: `${kind} ${port}` })),
  );
  const current = isTyping ? due.find(({ key }) => key === shown) : due[0];
  const key = current?.key ?? null;
  if (key !== shown) {
    setShown(key);
  }
  const Strip = current === undefined ? null : adviceStrips[current.kind];
  const said = useSaidAdvice();
  return (
    <>
      <div role="status" className="visually-hidden">
        {current === undefined ? '' : said}
      </div>
      {Strip === null || current === undefined ? children : <Strip key={key} port={current.port} />}
    </>
  );
}

/** Returns the kinds of advice that are due on a port. */
function useDue(port: PortNumber): ReadonlySet<AdviceKind> {
  const { connectedAt, format, ...signs } = useBenchStatus((view) => signsOf(view, port));
  const { rests, rateBefore } = useAdviceState(port);
  const display = useTerminalSettings(displayOf);
  const onScreen = useScreenSettings(({ isShown }) => isShown);
  // A port that answers another one is read by the decoder of that one.
  const hasFrames = useTerminalSettings(
    ({ ports }) => ports[port].decoder !== null || askingPort(ports, port) !== null,
  );
  const sendsOther = useSendsOther(port);
  const applies: Record<AdviceKind, boolean> = {
    // Hex shows what the bytes are, and errors are errors in any layout.
    rate: signs.errors || (signs.rate && display !== 'hex'),
    program: signs.program && !onScreen && display !== 'hex',
    enter: signs.enter && sendsOther,
    frames: signs.frames && !hasFrames,
    silent: signs.silent,
  };
  const isRested = (kind: AdviceKind) => {
    const rest = rests[kind];
    return rest !== undefined && (rest.connectedAt === connectedAt || (rest.format !== null && rest.format === format));
  };
  return new Set(
    adviceKinds.filter((kind) =>
      // The search that the person has asked for is shown to its end.
      rateBefore === null ? applies[kind] && !isRested(kind) : kind === 'rate',
    ),
  );
}

function signsOf({ status, advice, modbusSearches, baudSearches }: BenchView, port: PortNumber) {
  const { state, settings, connectedAt, errors } = status.ports[port];
  const { rate, isProgram, expected, frames, isSilent } = advice[port];
  // Searches try settings of their own.
  const isOpen = state === 'connected' && modbusSearches[port] === null && baudSearches[port] === null;
  return {
    connectedAt,
    format: settings === null ? null : describePortSettings(settings),
    errors: isOpen && errors.framing + errors.parity >= noteworthyErrors,
    rate: isOpen && rate !== null,
    program: isOpen && isProgram,
    enter: expected !== null,
    frames: isOpen && frames !== null,
    silent: isOpen && isSilent,
  };
}

/** Returns true if the field or a panel sends another ending to the port than its board seems to expect. */
function useSendsOther(port: PortNumber): boolean {
  const expected = useBenchStatus(({ advice }) => advice[port].expected);
  const sent = useBenchStatus(({ advice }) => advice[port].sent);
  const { lineEnding } = useTypedEnding(port);
  const panelsDo = usePanels((all) => all.some((panel) => aimsAt(panel, port) && endingOf(panel) === sent));
  return expected !== null && (lineEnding !== expected || panelsDo);
}
