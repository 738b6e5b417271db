/** Pane of the device panels: their number, a button to add one, and the list. */
import { Plus, X } from 'lucide-react';
import { type DragEvent, type RefObject, use, useEffect, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import { draggedNow, dropIndex } from './drag.ts';
import { maxPanels, panelFailureText, panelLimitHint } from './model/panel-failure.ts';
import { PanelCard } from './panel-card.tsx';
import { PanelSlotsContext } from './panel-slots-context.ts';
import styles from './panels-pane.module.css';
import { addDevicePanel, placeDevicePanel } from './store/panel-actions.ts';
import { usePanelsSession } from './store/panels-session.ts';
import { usePanels } from './store/panels-store.ts';

export interface PanelsPaneProps {
  /** Closes the pane. Given only if it overlays other content. */
  readonly onClose?: (() => void) | undefined;
  /** True: no other pane is visible. The skip link targets this pane, because there is no message field. */
  readonly alone?: boolean;
}

export function PanelsPane({ onClose, alone = false }: PanelsPaneProps) {
  const panels = usePanels((all) => all);
  const [tooMany, setTooMany] = useState(false);
  useNextAction(tooMany, () => setTooMany(false));
  const pane = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [dropAt, setDropAt] = useState<number | null>(null);
  const full = panels.length >= maxPanels;
  const { notice } = use(PanelSlotsContext);
  useNextPanelFocus(pane, panels.length);
  const add = () => setTooMany(addDevicePanel() !== null);
  const over = (event: DragEvent) => {
    if (draggedNow()?.kind === 'panel') {
      event.preventDefault();
      setDropAt(dropIndex([...(list.current?.children ?? [])], event.clientY));
    }
  };
  const drop = (event: DragEvent) => {
    const dragged = draggedNow();
    if (dragged?.kind === 'panel' && dropAt !== null) {
      event.preventDefault();
      const from = panels.findIndex(({ id }) => id === dragged.panelId);
      placeDevicePanel(dragged.panelId, dropAt > from ? dropAt - 1 : dropAt);
    }
    setDropAt(null);
  };
  return (
    <section
      ref={pane}
      className={styles['pane']}
      aria-label="Panels"
      {...(alone && { id: 'skip-target', tabIndex: -1 })}
    >
      <header className={styles['cap']}>
        <h2 className={styles['title']}>Panels</h2>
        <span className={styles['count']}>
          {panels.length} / {maxPanels}
        </span>
        <AddButton full={full} onAdd={add} />
        {onClose ? (
          <IconButton label="Close the panels" variant="quiet" size="sm" icon={<X />} onClick={onClose} />
        ) : null}
      </header>
      <div role="alert" className={styles['refusal']}>
        {tooMany && full ? <FieldError>{panelFailureText['panel-limit']}</FieldError> : null}
      </div>
      {notice}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only for dragging with the mouse; keyboard and menu do the same. */}
      <div
        ref={list}
        className={styles['list']}
        onDragOver={over}
        onDrop={drop}
        onDragEnd={() => setDropAt(null)}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) {
            setDropAt(null);
          }
        }}
      >
        {panels.map((panel, index) => (
          <PanelCard
            key={panel.id}
            panel={panel}
            place={index}
            count={panels.length}
            drop={dropAt === index ? 'before' : dropAt === panels.length && index === dropAt - 1 ? 'after' : null}
          />
        ))}
        {panels.length === 0 ? (
          <p className={styles['empty']}>There are no panels. Add one to keep a board’s commands at hand.</p>
        ) : null}
      </div>
      <Announcements />
    </section>
  );
}

/** Button that adds a panel. At the limit it remains clickable, so that a click shows the reason. */
function AddButton({ full, onAdd }: { readonly full: boolean; readonly onAdd: () => void }) {
  const button = (anchor: { readonly 'aria-describedby'?: string }) => (
    <Button {...anchor} size="sm" icon={<Plus />} className={full ? styles['full'] : undefined} onClick={onAdd}>
      Add panel
    </Button>
  );
  return full ? <Tooltip text={panelLimitHint}>{button}</Tooltip> : button({});
}

/**
 * Live region of the panels. A no-break space is added to every second text, so that screen readers repeat identical
 * texts.
 */
function Announcements() {
  const { text, time } = usePanelsSession(({ said }) => said);
  return (
    <div role="status" className="visually-hidden">
      {text === '' ? '' : `${text}${time % 2 === 0 ? '' : '\u00a0'}`}
    </div>
  );
}

/**
 * Moves the focus to the first panel, or to the add button, if the removed panel had the focus.
 *
 * @param count Number of panels.
 */
function useNextPanelFocus(pane: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) {
      const toggle = pane.current?.querySelector<HTMLElement>('h3 button');
      (toggle ?? pane.current?.querySelector<HTMLElement>('header button'))?.focus();
    }
    before.current = count;
  }, [pane, count]);
}
