/** Pane of the device panels: their number, a button to add one, and the list. */
import { FileUp, Plus } from 'lucide-react';
import { type DragEvent, type RefObject, use, useEffect, useRef, useState } from 'react';
import { hasServer } from '../../../shared/edition.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field-error.tsx';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { useNextAction } from '../../../shared/ui/use-next-action.ts';
import type { ToolProps } from '../tools/open-tool.ts';
import { draggedNow, dropIndex } from './drag.ts';
import { importJkit } from './jkit-files.ts';
import { maxPanels, panelFailureText, panelLimitHint } from './model/panel-failure.ts';
import { PanelCard } from './panel-card.tsx';
import { PanelSlotsContext } from './panel-slots-context.ts';
import styles from './panels-pane.module.css';
import { addDevicePanel, firstPanel, placeDevicePanel } from './store/panel-actions.ts';
import { usePanelsSession } from './store/panels-session.ts';
import { usePanels } from './store/panels-store.ts';

export function PanelsPane({ onShowTime }: Pick<ToolProps, 'onShowTime'>) {
  const panels = usePanels((all) => all);
  const [tooMany, setTooMany] = useState(false);
  useNextAction(tooMany, () => setTooMany(false));
  const pane = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [dropAt, setDropAt] = useState<number | null>(null);
  const full = panels.length >= maxPanels;
  const commands = panels.reduce((sum, { pinnedMessages }) => sum + pinnedMessages.length, 0);
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
    <div ref={pane} className={styles['pane']}>
      <header className={styles['cap']}>
        <span className={styles['count']}>
          {counted(panels.length, 'panel')}, {commands === 0 ? 'no commands yet' : counted(commands, 'command')}
        </span>
        {commands === 0 ? <ReadyCommands /> : null}
        <AddButton full={full} onAdd={add} />
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
            onShowTime={onShowTime}
            drop={dropAt === index ? 'before' : dropAt === panels.length && index === dropAt - 1 ? 'after' : null}
          />
        ))}
        {panels.length === 0 ? <p className={styles['empty']}>No panels. Add one to keep a board’s commands.</p> : null}
      </div>
      <Announcements />
    </div>
  );
}

/** Ways to commands that are ready, while there are none: the JKit library, or a JKit file in an edition without it. */
function ReadyCommands() {
  const { library: Library } = use(PanelSlotsContext);
  const file = useRef<HTMLInputElement>(null);
  if (hasServer && Library !== null) {
    return <Library panelId={() => firstPanel()?.id ?? ''} />;
  }
  return (
    <>
      <Button size="sm" icon={<FileUp />} onClick={() => file.current?.click()}>
        From a file…
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="JKit file for a new panel"
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          const panel = chosen && firstPanel();
          if (chosen !== undefined && panel !== undefined) {
            void importJkit(panel, chosen);
          }
        }}
      />
    </>
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
      (toggle ?? [...(pane.current?.querySelectorAll<HTMLElement>('header button') ?? [])].at(-1))?.focus();
    }
    before.current = count;
  }, [pane, count]);
}
