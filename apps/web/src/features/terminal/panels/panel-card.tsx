/** One device panel: its head and, unless it is collapsed, its messages and the field that adds one. */
import { jkitText } from '@wirebench/contract';
import { Copy } from 'lucide-react';
import { type DragEvent, use, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import { AddMessage } from './add-message.tsx';
import { dragCopies, draggedNow, dropIndex, endDrag, holdsFiles } from './drag.ts';
import { importJkit } from './jkit-files.ts';
import { MessageList } from './message-list.tsx';
import { allPorts, type DevicePanel, onePort } from './model/device-panel.ts';
import styles from './panel-card.module.css';
import { PanelHead } from './panel-head.tsx';
import { PanelSlotsContext } from './panel-slots-context.ts';
import { RunVerdict } from './run-verdict.tsx';
import { copyToOwn } from './store/jkit-actions.ts';
import { sendToPanel } from './store/panel-actions.ts';
import { useOtherOwner } from './store/panel-owner.ts';
import { setRefusal, usePanelsSession } from './store/panels-session.ts';

export interface PanelCardProps {
  readonly panel: DevicePanel;
  /** Index among the panels, from 0. */
  readonly place: number;
  readonly count: number;
  /** Side of this panel at which a dragged panel would be inserted. */
  readonly drop: 'before' | 'after' | null;
  /** Shows the log's lines at a time, in milliseconds since the Unix epoch. */
  readonly onShowTime: (at: number) => void;
}

export function PanelCard({ panel, place, count, drop, onShowTime }: PanelCardProps) {
  const card = useRef<HTMLElement>(null);
  const refusal = usePanelsSession(({ refusals }) => refusals[panel.id] ?? null);
  useNextAction(refusal !== null, () => setRefusal(panel.id, null));
  const [messageDropAt, setMessageDropAt] = useState<number | null>(null);
  const [fileOver, setFileOver] = useState(false);
  const { line } = use(PanelSlotsContext);
  const owner = useOtherOwner(panel);
  const over = (event: DragEvent) => {
    if (holdsFiles(event)) {
      event.preventDefault();
      setFileOver(true);
    } else if (draggedNow()?.kind === 'message' && owner === null) {
      event.preventDefault();
      event.dataTransfer.dropEffect = dragCopies(event) ? 'copy' : 'move';
      const rows = [...(card.current?.querySelectorAll('[data-message]') ?? [])];
      setMessageDropAt(panel.collapsed ? panel.pinnedMessages.length : dropIndex(rows, event.clientY));
    }
  };
  const dropMessage = (event: DragEvent) => {
    const dragged = draggedNow();
    setMessageDropAt(null);
    setFileOver(false);
    if (holdsFiles(event)) {
      // Marks the drop as handled, so that the page's other file drop targets ignore it.
      event.preventDefault();
      const [file, ...others] = event.dataTransfer.files;
      if (others.length > 0) {
        setRefusal(panel.id, 'A panel takes one JKit file. Drop the others on other panels.');
      } else if (file !== undefined) {
        void importJkit(panel, file);
      }
      return;
    }
    if (dragged?.kind !== 'message' || messageDropAt === null) {
      return;
    }
    event.preventDefault();
    endDrag();
    const kind = dragCopies(event) ? 'copy' : 'move';
    const from = panel.pinnedMessages.findIndex(({ id }) => id === dragged.messageId);
    // A move within the panel first removes the row, which shifts later indexes by one.
    const index = kind === 'move' && from !== -1 && messageDropAt > from ? messageDropAt - 1 : messageDropAt;
    const { panelId, messageId } = dragged;
    setRefusal(panelId, sendToPanel({ from: panelId, messageId, to: panel.id, kind, index }));
  };
  return (
    <section
      ref={card}
      className={classNames(
        styles['card'],
        panel.pinnedTargetPort === allPorts && styles['all'],
        drop !== null && styles[drop],
        fileOver && styles['file'],
      )}
      aria-label={panel.name}
      data-panel={panel.id}
      data-port={onePort(panel) ?? undefined}
      onDragOver={over}
      onDrop={dropMessage}
      onDragEnd={() => setMessageDropAt(null)}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) {
          setMessageDropAt(null);
          setFileOver(false);
        }
      }}
    >
      <PanelHead panel={panel} place={place} count={count} />
      {panel.collapsed ? null : line(panel)}
      <div role="alert" className={styles['refusal']}>
        {refusal === null ? null : <FieldError>{refusal}</FieldError>}
      </div>
      {panel.collapsed ? null : (
        <>
          <MessageList panel={panel} readOnly={owner !== null} dropAt={messageDropAt} />
          <RunVerdict panel={panel} onShowTime={onShowTime} />
          {owner === null ? <AddMessage panelId={panel.id} /> : <OthersJkit panel={panel} publisher={owner} />}
        </>
      )}
    </section>
  );
}

interface OthersJkitProps {
  readonly panel: DevicePanel;
  readonly publisher: string;
}

/** Replaces the field that adds messages: another publisher's JKit can be used unchanged or copied. */
function OthersJkit({ panel, publisher }: OthersJkitProps) {
  const copy = () => {
    const { undo } = copyToOwn(panel.id);
    toast(`The commands of ${panel.name} are your own copy now`, { action: { label: 'Undo', onAction: undo } });
  };
  return (
    <div className={`row ${styles['line']}`}>
      <p>{jkitText.notYours(publisher)}</p>
      <Button size="sm" icon={<Copy />} aria-label={`Copy to my own: ${panel.name}`} onClick={copy}>
        Copy to my own
      </Button>
    </div>
  );
}
