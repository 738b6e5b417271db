import { toast } from '../ui/toast.ts';

/** Puts `text` into the clipboard and says so, or why not: browsers refuse it to pages that are not in front. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (error) {
    toast('Nothing was copied: the browser refused it. Click into the page, then try again.', {
      level: 'error',
      detail: error instanceof Error ? error.message : undefined,
    });
    return;
  }
  toast(done);
}
