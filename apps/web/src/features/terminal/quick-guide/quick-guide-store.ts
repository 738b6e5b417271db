/** Open state of the quick guide. It is kept until the page is closed. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

const guide = createStore<{ readonly open: boolean }>(() => ({ open: false }));

export function useQuickGuide(): boolean {
  return useStore(guide, ({ open }) => open);
}

export function toggleQuickGuide(): void {
  guide.setState(({ open }) => ({ open: !open }));
}
