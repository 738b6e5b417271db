import { type Jkit, JkitAnswer, jkitPaths } from '@wirebench/contract';
import { requestJkits } from './jkit-call.ts';

/** A jkit by its id: one's own, or a shared one, for which nobody has to be signed in. */
export async function fetchJkit(id: string): Promise<Jkit> {
  return (await requestJkits(jkitPaths.jkit(id), JkitAnswer)).data;
}
