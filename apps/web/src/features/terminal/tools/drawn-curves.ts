/** Number of curves beside the plot's tab: those that it drew when it was last in front, or that were asked for since. */
import { pageStore } from '../../../shared/page-store.ts';

const curves = pageStore({ drawn: 0 });

export const noteCurves = (drawn: number) => curves.setState({ drawn });

export const useDrawnCurves = (): number => curves.use(({ drawn }) => drawn);
