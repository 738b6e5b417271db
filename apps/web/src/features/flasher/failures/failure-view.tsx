/** Selects the component for a failure. Failures of every family have theirs here, and the family adds its own. */
import { boardStateText, type CommonFailure } from '@wirebench/flasher/core';
import type { ComponentType } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureCard } from '../../../workbench/failure-card.tsx';
import { connect, plugDemo } from '../store/flash-actions.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { useIsShared } from '../store/shared-board.ts';
import { AnotherPort, BoardIsLeft, Dismiss, TryAgain } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';
import { LowerBaud } from './lower-baud.tsx';
import { PlainFailure } from './plain-failure.tsx';
import { PortBusy } from './port-busy.tsx';
import { Wiring } from './wiring.tsx';

export type Remedies<Code extends string> = Readonly<Record<Code, ComponentType<FailureProps>>>;

/** Shown if the connected board is not the one that was being written. */
function OtherBoard(props: FailureProps) {
  return (
    <FailureCard
      topic={props.topic}
      title="This is not the same board as before"
      badge="Other board"
      steps={[
        { title: 'Plug in the board that was being written and try again' },
        { title: 'Or start over with this one', text: 'The other board stays as it is.' },
      ]}
      actions={
        <>
          <TryAgain {...props} words="Try again" />
          <Button onClick={() => void connect(props.port, { kind: 'same' })}>Start over with this one</Button>
          <AnotherPort port={props.port} />
          <Dismiss port={props.port} />
        </>
      }
    >
      <BoardIsLeft failure={props.failure} />
    </FailureCard>
  );
}

/**
 * Shown if the board came back as another device. Bootloader and program may be two devices, so the user has to pick
 * it again.
 */
function CameBackDifferent({ port, failure, topic }: FailureProps) {
  return (
    <FailureCard
      topic={topic}
      title="The board came back as a different port"
      badge="Pick it again"
      steps={[
        {
          title: 'Pick the board again',
          text: pageFamily().words.otherPort,
        },
      ]}
      actions={
        <>
          <AnotherPort port={port} main />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Words of browsers' site settings: serial ports and USB devices are two permissions. */
const guarded = {
  serial: { many: 'serial ports', setting: 'Serial ports', one: 'port' },
  usb: { many: 'USB devices', setting: 'USB devices', one: 'device' },
} as const;

/** Shown if the browser itself refused, because of the user's setting or an administrator's policy. */
function PermissionDenied({ port, failure, topic }: FailureProps) {
  const usb = useFlash((flash) => flash.usb);
  const { many, setting, one } = guarded[usb ? 'usb' : 'serial'];
  return (
    <FailureCard
      topic={topic}
      title={`This browser does not let the page open ${many}`}
      badge="Permission"
      steps={[
        { title: 'Open the site settings with the icon to the left of the address' },
        { title: `Set ${setting} to Ask` },
        { title: `Choose the ${one} again` },
      ]}
      actions={
        <>
          <AnotherPort port={port} main />
          <Dismiss port={port} />
        </>
      }
    >
      <p>If an organisation manages this browser, only its administrators may be able to allow it.</p>
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Shown after the user has cancelled. The content depends on the state in which the board was left. */
function Stopped(props: FailureProps) {
  const { failure, port } = props;
  if (failure.state !== 'incomplete') {
    return (
      <FailureCard
        title="Stopped"
        actions={
          <>
            {/* After a write that was stopped before its first byte, the button only connects: the user has to start
                the write again. */}
            <TryAgain port={port} failure={{ ...failure, interrupted: false }} words="Connect again" />
            <Dismiss port={port} />
          </>
        }
      >
        <p>{boardStateText[failure.state]}</p>
      </FailureCard>
    );
  }
  return (
    <FailureCard
      topic={props.topic}
      title="Stopped in the middle of the write"
      badge="Not complete"
      steps={[
        {
          title: 'Press Write the rest, now or later',
          text: 'What is already written is kept. The write continues from there.',
        },
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

/** Shown if the cable was pulled. The next write compares, and leaves out the bytes that are already in flash. */
function Unplugged(props: FailureProps) {
  const { port, failure } = props;
  const demo = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  const usb = useFlash((flash) => flash.usb);
  const shared = useIsShared(port);
  const plugged = useBenchStatus(({ devices }) => devices[port]?.plugged ?? true);
  const isPulled = demo && !plugged;
  if (shared) {
    return <SharedBoardGone {...props} />;
  }
  return (
    <FailureCard
      topic={props.topic}
      title="The board was unplugged"
      badge="Unplugged"
      steps={[
        { title: 'Plug the board in again', text: 'Wait until its light is on.' },
        nextPress(failure),
        {
          title: `If it is not found, choose another ${usb ? 'device' : 'port'}`,
          text: `A ${usb ? 'device' : 'bridge'} without a serial number loses its permission when it is unplugged.`,
        },
      ]}
      actions={
        <>
          <TryAgain {...props} blocked={isPulled} />
          {isPulled ? <Button onClick={() => void plugDemo(port, true)}>Plug in again</Button> : null}
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

function nextPress({ interrupted }: FailureProps['failure'], when = '') {
  return interrupted
    ? {
        title: `Press Write the rest${when}`,
        text: 'What is already written is recognised and not written again.',
      }
    : { title: `Press Try again${when}` };
}

/**
 * Shown for a board of a shared bench. The cable, the bench or a connection may be lost: this page cannot distinguish
 * them.
 */
function SharedBoardGone(props: FailureProps) {
  const { port, failure } = props;
  return (
    <FailureCard
      topic={props.topic}
      title="The shared board is not there any more"
      badge="Gone"
      steps={[
        {
          title: 'Ask whoever shares it',
          text: 'It was unplugged, the bench is not shared any more, or a connection was lost for more than a minute.',
        },
        nextPress(failure, ' when it is back'),
      ]}
      actions={
        <>
          <TryAgain {...props} />
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}

const common: Remedies<CommonFailure> = {
  'port-busy': PortBusy,
  'permission-denied': PermissionDenied,
  'port-gone': Unplugged,
  'open-failed': PortBusy,
  'port-failed': PlainFailure,
  unplugged: Unplugged,
  'came-back-different': CameBackDifferent,
  garbage: Wiring,
  'stopped-answering': LowerBaud,
  'size-unusable': PlainFailure,
  'wrong-chip': PlainFailure,
  'other-board': OtherBoard,
  'write-failed': LowerBaud,
  'read-failed': LowerBaud,
  'erase-failed': LowerBaud,
  cancelled: Stopped,
};

export interface FailureViewProps {
  /** Components for failures that only this family has, or that replace the common ones. */
  readonly remedies: Remedies<string>;
}

export function FailureView({ remedies }: FailureViewProps) {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const failure = useFlash((flash) => flash.failure);
  if (failure === null || (phase !== 'failed' && phase !== 'cancelled')) {
    return null;
  }
  const code = failure.code ?? '';
  const all: Partial<Remedies<string>> = { ...common, ...remedies };
  const Remedy = all[code] ?? PlainFailure;
  return <Remedy port={port} failure={failure} topic={pageFamily().topics[code] ?? null} />;
}
