/** Says what to check when the browser's list of boards was closed without a choice. The same in every tool. */
import { useEffect } from 'react';
import { setDismissedList, useDismissedList } from '../../hardware/dismissed-list.ts';
import type { PhoneList } from '../../hardware/port-request.ts';
import { usesUsbPorts } from '../../hardware/serial-support.ts';
import { useLoaded } from '../../shared/ui/use-loaded.ts';

const loadMissingBoard = async () => (await import('./missing-board.tsx')).MissingBoard;

export interface NoBoardChosenProps {
  /** True: there is a board now, which ends the advice. */
  readonly hasBoard: boolean;
  /** Opens a list of ports again. Must be called directly from a click. */
  readonly again: (list?: PhoneList) => void;
}

/** Shows the causes from the dismissal of a list until there is a board. */
export function NoBoardChosen({ hasBoard, again }: NoBoardChosenProps) {
  const list = useDismissedList();
  const MissingBoard = useLoaded(list !== null, loadMissingBoard, () => setDismissedList(null));
  useEffect(() => {
    if (hasBoard) {
      setDismissedList(null);
    }
  }, [hasBoard]);
  // A list that was closed in another tool says nothing about this one.
  useEffect(() => () => setDismissedList(null), []);
  return list === null || hasBoard || MissingBoard === null ? null : (
    <MissingBoard
      list={list}
      {...(usesUsbPorts() && list !== 'usb' && { again })}
      onDismiss={() => setDismissedList(null)}
    />
  );
}
