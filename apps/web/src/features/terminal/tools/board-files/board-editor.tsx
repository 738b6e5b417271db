/** Text of a file on the board, with *Save* and *Run*. */
import { Play, Save, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { TextArea } from '../../../../shared/ui/text-input.tsx';
import styles from './board-files-panel.module.css';
import type { BoardPartProps } from './board-part.ts';
import { isChanged, runBoardFile, saveBoardFile, stopBoardJob, typeInBoardFile } from './board-store.ts';
import { indentation } from './indent.ts';

interface BoardEditorProps extends BoardPartProps {
  /** True: a program runs. *Stop* then takes the place of *Run*. */
  readonly isRunning: boolean;
  readonly onClose: () => void;
}

export function BoardEditor({ port, view, isBusy, isRunning, onClose }: BoardEditorProps) {
  const { open } = view;
  const hint = useId();
  /** True after Escape: Tab leaves the field. */
  const isLeaving = useRef(false);
  const section = useRef<HTMLElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // A touch screen would show its keyboard for the focus.
    if (globalThis.matchMedia?.('(pointer: coarse)').matches) {
      section.current?.scrollIntoView({ block: 'nearest' });
    } else {
      area.current?.focus();
    }
  }, []);
  if (open === null) {
    return null;
  }
  const changed = isChanged(view);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 's') {
      event.preventDefault();
      saveBoardFile(port);
    } else if (event.key === 'Tab' && !isLeaving.current) {
      event.preventDefault();
      indent(event.currentTarget, event.shiftKey, (text) => typeInBoardFile(port, text));
    }
    isLeaving.current = event.key === 'Escape' || (isLeaving.current && event.key === 'Shift');
  };
  return (
    <section ref={section} className={styles['editor']} aria-label={`Editor of ${open.path}`}>
      <div className="buttons">
        <code className="ellipsis">{open.path}</code>
        {changed ? <span className={styles['facts']}>changed</span> : null}
        <Button size="sm" icon={<Save />} disabled={isBusy || !changed} onClick={() => saveBoardFile(port)}>
          Save
        </Button>
        {isRunning ? (
          <Button
            size="sm"
            icon={<Square />}
            onClick={({ detail }) => {
              // The second click of a double click on Run is no wish to stop.
              if (detail < 2) {
                stopBoardJob(port);
              }
            }}
          >
            Stop
          </Button>
        ) : (
          <Button size="sm" icon={<Play />} disabled={isBusy} onClick={() => runBoardFile(port)}>
            Run
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <TextArea
        ref={area}
        className={styles['text']}
        aria-label={`Text of ${open.path}`}
        aria-describedby={hint}
        spellCheck={false}
        value={open.text}
        onBlur={() => {
          isLeaving.current = false;
        }}
        onKeyDown={onKeyDown}
        onChange={(event) => typeInBoardFile(port, event.currentTarget.value)}
      />
      <p id={hint} className={`${styles['facts']} ${styles['hint']}`}>
        Tab indents by four spaces. Press Esc, then Tab to leave the text.
      </p>
    </section>
  );
}

/** Indents as one step that Ctrl+Z takes back. */
function indent(area: HTMLTextAreaElement, isOut: boolean, typed: (text: string) => void): void {
  const { from, to, by, start, end } = indentation(area.value, area.selectionStart, area.selectionEnd, isOut);
  if (area.value.slice(from, to) === by) {
    return;
  }
  area.setSelectionRange(from, to);
  // Deprecated, and the only way that keeps the browser's own undo.
  const isDone = by === '' ? document.execCommand('delete') : document.execCommand('insertText', false, by);
  if (!isDone) {
    area.setRangeText(by);
    typed(area.value);
  }
  area.setSelectionRange(start, end);
}
