/** Number of curves beside the plot's tab: those that it drew when it was last in front, or that were asked for since. */
import { pageStore } from '../../../shared/page-store.ts';

const curves = pageStore({ drawn: 0, hasForm: false });

export const noteCurves = (drawn: number) => curves.setState({ drawn });

/** @param hasForm True: a form of the plot is open. On a phone it takes the place of the log. */
export const notePlotForm = (hasForm: boolean) => curves.setState({ hasForm });

export const usePlotForm = (): boolean => curves.use(({ hasForm }) => hasForm);

export const useDrawnCurves = (): number => curves.use(({ drawn }) => drawn);
