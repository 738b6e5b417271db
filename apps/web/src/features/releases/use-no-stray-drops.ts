import { useEffect } from 'react';

/** While this is used, a file that is dropped beside its place does not open in the tab and take away what was typed. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      const { dataTransfer } = event;
      // What has a place of its own has said so already.
      if (!event.defaultPrevented && dataTransfer?.types.includes('Files') === true) {
        event.preventDefault();
        dataTransfer.dropEffect = 'none';
      }
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}
