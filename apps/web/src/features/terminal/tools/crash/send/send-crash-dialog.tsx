/**
 * Dialog that sends a crash to the firmware's publisher: choice of the release, preview and result. It needs no
 * sign-in.
 */
import { type NewCrashReport, pagePaths } from '@wirebench/contract';
import type { CrashReport } from '@wirebench/symbols';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { DumpContent } from '../../../../../protocol/symbol-protocol.ts';
import { exactText } from '../../../../../shared/dates/dates.ts';
import { sizeText } from '../../../../../shared/format/bytes.ts';
import { wordText } from '../../../../../shared/format/hex.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../../shared/ui/dialog.tsx';
import { Notice } from '../../../../../shared/ui/notice.tsx';
import { useOpenings } from '../../../../../shared/ui/use-openings.ts';
import { dumpContent } from '../../../../../workbench/crash/symbol-files.ts';
import { dumpChip } from '../../../../../workbench/crash/view/dump-facts.ts';
import { base64Of, crashPayload } from './crash-payload.ts';
import { ReleaseChoice } from './release-choice.tsx';
import type { CrashTarget } from './release-of-link.ts';
import styles from './send-crash.module.css';
import { useSendCrash } from './use-send-crash.ts';

export interface SendCrashProps {
  /** Id of the dump in the symbol thread. */
  readonly dump: number;
  readonly report: CrashReport;
}

export interface SendCrashDialogProps extends SendCrashProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SendCrashDialog(props: SendCrashDialogProps) {
  return <SendCrash key={useOpenings(props.open)} {...props} />;
}

interface CrashPreviewProps {
  readonly payload: NewCrashReport;
  readonly target: CrashTarget;
  /** Size of the attached core dump in bytes. 0: none is attached. */
  readonly memorySize: number;
}

/** Preview of the data to be sent, rendered from the body of the request itself. */
function CrashPreview({ payload, target, memorySize }: CrashPreviewProps) {
  const { chip, chipRevision, build, cause, details, fingerprint, id, tasks } = payload;
  const revision = chipRevision === null ? '' : ` revision ${Math.floor(chipRevision / 100)}.${chipRevision % 100}`;
  return (
    <section aria-label="What is sent" className={styles['preview']}>
      <h3 className="silk">What is sent</h3>
      <dl className={styles['facts']}>
        <Fact name="To">
          {target.publisher}, who published {target.name} {target.version}
        </Fact>
        <Fact name="Cause">{cause}</Fact>
        {details === '' ? null : <Fact name="Details">{details}</Fact>}
        <Fact name="Chip">
          {chip}
          {revision}
        </Fact>
        <Fact name="Program">{build === null ? 'not named by the dump' : `ELF file ${build}`}</Fact>
        {payload.buildId === undefined ? null : <Fact name="Build">the one for {target.build?.name}</Fact>}
        <Fact name="Memory">{memorySize === 0 ? 'not sent' : `the core dump, ${sizeText(memorySize)}`}</Fact>
        <Fact name="Numbers">
          {id} for this report, {fingerprint} for the same crash
        </Fact>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it. */}
      <section className={styles['stacks']} aria-label="Stacks that are sent" tabIndex={0}>
        {tasks.map(taskText).join('\n\n')}
      </section>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type SentTask = NewCrashReport['tasks'][number];

function taskText({ name, crashed, stackUsed, stackSize, frames }: SentTask): string {
  const stack = stackUsed === null ? '' : `, stack ${stackUsed} of ${stackSize} bytes`;
  return [
    `${name ?? 'Task'}${crashed ? ' (crashed)' : ''}${stack}`,
    ...frames.map(({ pc, guess, places }, index) => {
      const where = places
        .map((place) => ` ${place.function ?? '??'} at ${place.file ?? '??'}:${place.line}`)
        .join(',');
      return `#${index}  ${wordText(pc)}${where}${guess ? ' (a guess)' : ''}`;
    }),
  ].join('\n');
}

function SendCrash({ dump, report, open, onClose }: SendCrashDialogProps) {
  const formId = useId();
  const content = useDumpContent(dump, open);
  const [target, setTarget] = useState<CrashTarget | null>(null);
  const [withMemory, setWithMemory] = useState(false);
  const { sending, sent, failure, send, idFor } = useSendCrash();
  const before = target === null || content === null ? null : idFor(target.shareId, content.hash);
  const bytes = withMemory ? (content?.bytes ?? null) : null;
  const payload: NewCrashReport | null =
    before === null
      ? null
      : crashPayload(report, {
          id: before.id,
          buildId: target?.build?.id ?? null,
          memory: bytes === null ? null : base64Of(bytes),
        });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (target !== null && content !== null && payload !== null && before?.at === null && !sending) {
      send({ target, dump: content.hash, payload });
    }
  };
  if (sent !== null) {
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title="Send this crash to the publisher"
        footer={<Button onClick={onClose}>Close</Button>}
      >
        <Notice level="success" title="Crash sent.">
          {sent.publisher} sees it with the other crashes of {sent.name} {sent.version}.
        </Notice>
      </Dialog>
    );
  }
  const already = before !== null && before.at !== null ? before.at : null;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Send this crash to the publisher"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            busy={sending}
            disabled={payload === null || already !== null}
          >
            Send
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className={styles['form']}>
        <ReleaseChoice chip={dumpChip(report)} disabled={sending} onChoose={setTarget} />
        {already === null ? null : (
          <Notice level="info" title="You have sent this crash already.">
            It went to the publisher of {target?.name} {target?.version} on {exactText(already)}. It is not sent twice.
          </Notice>
        )}
        {payload === null || target === null || already !== null ? null : (
          <>
            <CrashPreview payload={payload} target={target} memorySize={bytes?.length ?? 0} />
            <MemoryTick content={content} checked={withMemory} disabled={sending} onChange={setWithMemory} />
            <p className="small">
              Nothing else is sent, and who you are is not stored.{' '}
              <a href={pagePaths.privacy} target="_blank" rel="noopener">
                Privacy
              </a>
            </p>
          </>
        )}
      </form>
      {failure === null ? null : (
        <Notice level="error" title="The crash was not sent.">
          {failure}
        </Notice>
      )}
    </Dialog>
  );
}

interface MemoryTickProps {
  readonly content: DumpContent | null;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChange: (checked: boolean) => void;
}

function MemoryTick({ content, checked, disabled, onChange }: MemoryTickProps) {
  if (content === null) {
    return null;
  }
  if (content.bytes === null) {
    return <p className="small">The core dump itself ({sizeText(content.size)}) is too large to be sent along.</p>;
  }
  return (
    <label className={styles['tick']}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        Send the core dump along ({sizeText(content.size)}). It holds memory of your board: whatever the program had
        there, which may be passwords.
      </span>
    </label>
  );
}

/** Returns the dump's content, or null until it is loaded. */
function useDumpContent(dump: number, wanted: boolean): DumpContent | null {
  const [content, setContent] = useState<DumpContent | null>(null);
  useEffect(() => {
    let isWanted = wanted;
    if (wanted) {
      dumpContent(dump).then(
        (found) => {
          if (isWanted) {
            setContent(found);
          }
        },
        // The list of dumps shows the failure.
        (error: unknown) => console.warn('The core dump could not be had.', error),
      );
    }
    return () => {
      isWanted = false;
    };
  }, [dump, wanted]);
  return content;
}
