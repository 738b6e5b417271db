import { portNumbers } from '@wirebench/serial';
import { useEffect } from 'react';
import type { PortNames } from '../bench-protocol.ts';
import { sharingStore } from '../sharing/sharing-store.ts';
import { type FlashState, isBusy, isReady } from './state/flash-state.ts';
import { useFlasher } from './store/flasher-store.ts';

/** Guests of the shared bench see which boards these are, and that nobody can type while the flasher has one. */
export function useSharedBoardNames(): void {
  const names = useFlasher(({ flashes }) => portNumbers.map((port) => sharedName(port, flashes[port])).join('\n'));
  useEffect(() => {
    const entries = names.split('\n').map((name, index) => [index + 1, name]);
    sharingStore.setState({ portNames: Object.fromEntries(entries) as PortNames });
  }, [names]);
}

function sharedName(port: number, flash: FlashState): string {
  const name = flash.board?.name ?? `Board ${port}`;
  return isBusy(flash) || isReady(flash) ? `${name}, in the flasher` : name;
}
