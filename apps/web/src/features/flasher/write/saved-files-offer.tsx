/** Files of the board around a write: those that it takes, offered before it and as long as this page holds them after it. */
import type { PortNumber } from '@wirebench/serial';
import { useState } from 'react';
import type { PlannedSave } from '../../../protocol/flash-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { joined } from '../answer/plan-words.ts';
import { writeUnsaved } from '../store/flash-actions.ts';
import { useFlash, useFlasher } from '../store/flasher-store.ts';
import { type HeldFiles, saveAgain, saveFirst, saveLeft, useHeldFiles } from '../store/saved-files.ts';
import styles from './finding-list.module.css';
import { PythonFiles } from './python-files.tsx';

export function SavedFilesOffer() {
  const port = useFlasher(({ selected }) => selected);
  const plan = useFlash((flash) => flash.plan);
  const phase = useFlash((flash) => flash.phase);
  const unsaved = useFlash((flash) => flash.unsaved);
  const held = useHeldFiles(port);
  const planned = plan?.refusals.length === 0 ? (plan.saved ?? []) : [];
  const isOver = phase === 'done' || phase === 'failed' || phase === 'cancelled';
  const notices = [
    phase === 'planned' && plan !== null && planned.length > 0 ? (
      held.plan === plan && held.sentAs !== null && !unsaved ? (
        <Sent key="sent" name={held.sentAs} />
      ) : (
        <Offer
          key="offer"
          port={port}
          planned={planned}
          onSave={() => saveFirst(port, plan)}
          sentAs={held.sentAs}
          unsaved={unsaved}
        />
      )
    ) : null,
    isOver && held.archives.length > 0 ? <Held key="held" port={port} held={held} /> : null,
    isOver && held.left.length > 0 ? <Left key="left" port={port} held={held} /> : null,
  ].filter((notice) => notice !== null);
  return (
    <>
      {phase === 'planned' ? <PythonFiles port={port} when="before" /> : null}
      {phase === 'done' ? <PythonFiles port={port} when="after" /> : null}
      {notices.length === 0 ? null : <div className={`stack ${styles['list']}`}>{notices}</div>}
    </>
  );
}

function Sent({ name }: { readonly name: string }) {
  return <Notice level="success" title={`${name} was sent to your downloads.`} />;
}

interface OfferProps {
  readonly port: PortNumber;
  readonly planned: readonly PlannedSave[];
  readonly onSave: () => Promise<unknown>;
  readonly sentAs: string | null;
  /** True: the files could not be saved by Write. */
  readonly unsaved: boolean;
}

function Offer({ port, planned, onSave, sentAs, unsaved }: OfferProps) {
  const keepsAll = planned.every(({ isPutBack }) => isPutBack);
  const names = joined(planned.map(({ file }) => file));
  return (
    <Notice
      level={keepsAll ? 'info' : 'warning'}
      title={keepsAll ? 'The write moves files of the board.' : 'The write takes files of the board.'}
      action={
        unsaved ? (
          <Button size="sm" variant="danger" onClick={() => void writeUnsaved(port)}>
            Write without saving
          </Button>
        ) : (
          <SaveButton label="Save the files first" save={onSave} />
        )
      }
    >
      {unsaved ? 'They could not be saved: Write tries again. Write without saving gives them up. ' : null}
      {sentAs === null
        ? `Write sends ${names} to your downloads before the first byte is written. `
        : `${sentAs} was sent to your downloads. Write sends it again if the files have changed. `}
      {keepsAll ? 'Then it puts the files back.' : 'What is not put back is in that file only.'}
    </Notice>
  );
}

interface HeldProps {
  readonly port: PortNumber;
  readonly held: HeldFiles;
}

/** Offers the files after a write, whatever came of it. */
function Held({ port, held: { sentAs } }: HeldProps) {
  return (
    <Notice
      level={sentAs === null ? 'warning' : 'info'}
      title={
        sentAs === null
          ? 'The files that the board had are in this page only.'
          : 'The files that the board had were sent to your downloads.'
      }
      action={
        <SaveButton label={sentAs === null ? 'Save the files' : 'Save the files again'} save={() => saveAgain(port)} />
      }
    >
      {sentAs === null
        ? 'Save them before this page is closed.'
        : `${sentAs}. This page holds them until it is closed.`}
    </Notice>
  );
}

/** Offers what a failed write was to put back. */
function Left({ port, held: { left } }: HeldProps) {
  return (
    <Notice
      level="warning"
      title="Data that the write was to put back is in this page only."
      action={<SaveButton label="Save the data" save={() => saveLeft(port)} />}
    >
      Write the rest puts it back. If this page may be closed before, save it: {joined(left.map(({ name }) => name))}.
    </Notice>
  );
}

function SaveButton({ label, save }: { readonly label: string; readonly save: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    try {
      await save();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { level: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" busy={isBusy} onClick={() => void press()}>
      {label}
    </Button>
  );
}
