/** A sign in the header that a page's code brings along: nothing of it is loaded before. */
import type { ComponentType } from 'react';
import { createStore } from 'zustand/vanilla';

export const headerSign = createStore<{ readonly Sign: ComponentType | null }>(() => ({ Sign: null }));
