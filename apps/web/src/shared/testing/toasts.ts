/** Toasts of the page, for tests that render no `Toaster`. */
import { useToasts } from '../ui/toast.ts';
import { readHook } from './stores.ts';

export const toasts = () => readHook(useToasts);
