/** Selects the component for a failure. Failures of every family have theirs here, and the family adds its own. */
import type { CommonFailure } from '@wirebench/flasher/core';
import type { ComponentType } from 'react';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { CameBackDifferent } from './came-back-different.tsx';
import type { FailureProps } from './failure-props.ts';
import { LowerBaud } from './lower-baud.tsx';
import { OtherBoard } from './other-board.tsx';
import { PermissionDenied } from './permission-denied.tsx';
import { PlainFailure } from './plain-failure.tsx';
import { PortBusy } from './port-busy.tsx';
import { Stopped } from './stopped.tsx';
import { Unplugged } from './unplugged.tsx';
import { Wiring } from './wiring.tsx';

export type Remedies<Code extends string> = Readonly<Record<Code, ComponentType<FailureProps>>>;

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
